package transport_test

import (
	"io"
	"log"
	"net/http"
)

func noHeader() http.Header { return http.Header{} }

// quiet is for servers that complain about what a test does to them.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

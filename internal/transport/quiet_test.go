package transport_test

import (
	"io"
	"log"
	"net/http"
)

// shared makes the same header again and again.
type shared map[string][]string

func (h shared) NewHeader() http.Header { return http.Header(h).Clone() }

var noHeader = shared{}

// quiet is for servers that complain about what a test does to them.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

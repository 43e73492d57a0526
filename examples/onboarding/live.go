package main

import (
	"bytes"
	"fmt"
	"net/http"
)

// live sends the state of a customer as server-sent events, one now and one after each change, until the page is closed.
// Each is the part of the page that it replaces.
func (a *app) live(w http.ResponseWriter, r *http.Request) {
	reference := r.PathValue("reference")
	if _, _, known := a.view(reference); !known {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		v, changed, _ := a.view(reference)
		if a.send(w, v) != nil {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-a.stopped.Done():
			return
		}
	}
}

func (a *app) send(w http.ResponseWriter, v view) error {
	var part bytes.Buffer
	if err := a.pages.ExecuteTemplate(&part, "state.html", v); err != nil {
		return err
	}
	for line := range bytes.Lines(part.Bytes()) {
		fmt.Fprintf(w, "data: %s\n", bytes.TrimRight(line, "\r\n"))
	}
	fmt.Fprint(w, "\n")
	return http.NewResponseController(w).Flush()
}

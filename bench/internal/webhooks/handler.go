package webhooks

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"example.com/idv/webhook"
)

// Receiver is a webhook receiver on a connection.
type Receiver struct {
	Name    string
	Handler http.Handler
}

// Receivers are three ways to receive the service's webhooks. The first does not verify at all: it is what net/http costs.
func Receivers() ([]Receiver, error) {
	v, err := NewVerifier()
	if err != nil {
		return nil, err
	}
	return []Receiver{
		{"floor: ReadAll, nothing verified", receive(func(r *http.Request) error {
			_, err := io.ReadAll(r.Body)
			return err
		})},
		{"idv, Middleware", v.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if d, ok := webhook.FromContext(r.Context()); !ok || len(d.Body) == 0 {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}))},
		{"ReadAll, then verify naively", receive(readNaively)},
	}, nil
}

func receive(f func(r *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f(r) != nil {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
}

// Deliver starts a server for a receiver, and returns what sends it d over a connection that is kept open. An answer other than want
// is an error.
func Deliver(receiver http.Handler, d Delivery, want int) (deliver func() error, stop func()) {
	server := httptest.NewServer(receiver)
	signed, _ := Request(d)
	url := server.URL + Path
	client := server.Client()
	return func() error {
		r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(d.Delivered))
		if err != nil {
			return err
		}
		r.Header = signed.Header
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return err
		}
		if resp.StatusCode != want {
			return fmt.Errorf("status %d instead of %d", resp.StatusCode, want)
		}
		return nil
	}, server.Close
}

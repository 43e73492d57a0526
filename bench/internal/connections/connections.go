// Package connections counts the connections that clients open, over TLS and HTTP/1.1, where each costs a handshake.
package connections

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Opened is what clients opened and how fast they were.
type Opened struct {
	Name        string
	Callers     int
	Connections float64 // opened in 1000 requests, the first ones that any client needs included
	Later       float64 // opened in 1000 requests after those
	PerSecond   float64 // requests
}

// Count sends requests from a number of callers at once through each client, to a service that takes delay to answer.
func Count(callers, requests int, delay time.Duration) ([]Opened, error) {
	var table []Opened
	for i := range makers() {
		err := against(delay, i, func(s *service, c Client) error {
			if err := s.connect(c, callers); err != nil {
				return err
			}
			before, began := s.opened.Load(), time.Now()
			if err := send(c, callers, requests); err != nil {
				return err
			}
			table = append(table, Opened{
				Name: c.Name, Callers: callers,
				Connections: float64(s.opened.Load()) * 1000 / float64(requests),
				Later:       float64(s.opened.Load()-before) * 1000 / float64(requests),
				PerSecond:   float64(requests) / time.Since(began).Seconds(),
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return table, nil
}

// AfterFailure is how many of the idle connections of a client are left after one call has failed.
type AfterFailure struct {
	Name         string
	Before, Left int
}

// Survivors fills the pool with idle connections, lets one call be answered 500, and counts how many have to be opened anew.
func Survivors(idle int) ([]AfterFailure, error) {
	var table []AfterFailure
	for i := range makers() {
		err := against(0, i, func(s *service, c Client) error {
			if err := s.connect(c, idle); err != nil {
				return err
			}
			s.failing.Store(true)
			if c.Get(context.Background()) == nil {
				return errors.New("a 500 is no error")
			}
			s.failing.Store(false)
			before := s.opened.Load()
			if err := s.connect(c, idle); err != nil {
				return err
			}
			table = append(table, AfterFailure{Name: c.Name, Before: idle, Left: idle - int(s.opened.Load()-before)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return table, nil
}

// send makes requests from callers at once.
func send(c Client, callers, requests int) error {
	var group sync.WaitGroup
	errs := make(chan error, callers)
	var left atomic.Int64
	left.Store(int64(requests))
	for range callers {
		group.Go(func() {
			for left.Add(-1) >= 0 {
				if err := c.Get(context.Background()); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(errs)
	return <-errs
}

// against starts a service and makes the i-th client for it, which trusts its certificate. Our default transport cannot be handed a
// certificate: it is a clone of http.DefaultTransport, so for the moment in which the client is made that one trusts the service.
func against(delay time.Duration, i int, f func(*service, Client) error) error {
	s := start(delay)
	defer s.Close()
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	before := http.DefaultTransport
	trusting := before.(*http.Transport).Clone()
	trusting.TLSClientConfig = &tls.Config{RootCAs: pool}
	http.DefaultTransport = trusting
	c, err := makers()[i](s.URL)
	http.DefaultTransport = before
	if err != nil {
		return err
	}
	defer c.Close()
	return f(s, c)
}

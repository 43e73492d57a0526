package idvtest

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/idv/internal/signature"
)

// serviceVersion names the version of the webhook format, and of the Flow API.
const serviceVersion = "2020-08-14"

// deliveryClient follows no redirect: an answer that is not 200 is an error, wherever it points.
func deliveryClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		// A connection for each delivery: none is left open between them, and none can break while it waits.
		transport = &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// post sends an event once, dated and signed anew, and returns the status of the answer, 0 if there was none.
func (w *webhooks) post(to *url.URL, body []byte, now time.Time) (status int, err error) {
	ctx, cancel := context.WithTimeout(w.ctx, w.config.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header = w.header(req.URL, body, now)
	resp, err := w.client.Do(req)
	if err != nil {
		return 0, undelivered(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode, answered(resp.StatusCode)
}

// header returns the headers of the contract and keeps net/http from adding its own User-Agent. Content-Length comes with
// the body.
func (w *webhooks) header(to *url.URL, body []byte, now time.Time) http.Header {
	date, digest := now.UTC().Format(http.TimeFormat), signature.Digest(body)
	signed := signature.Request{Method: http.MethodPost, Target: w.target(to), Date: date, Digest: digest}
	return http.Header{
		"Date":            {date},
		"Digest":          {digest},
		"Authorization":   {w.key.Authorization(signed)},
		"Content-Type":    {"application/json"},
		"Accept":          {"application/json"},
		"Service-Version": {serviceVersion},
		"User-Agent":      nil,
	}
}

// target is what is signed of the URL: the escaped path, as on the request line.
func (w *webhooks) target(to *url.URL) string {
	target := to.RequestURI()
	if w.config.signedQuery {
		return target
	}
	path, _, _ := strings.Cut(target, "?")
	return path
}

// undelivered takes the URL out of an error: its query may hold a secret of the receiver's.
func undelivered(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errNoAnswer
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

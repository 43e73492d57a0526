package idv_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/idv"
)

// canned answers every request in process, as bench/ does.
func canned(body string) *http.Client {
	header := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	})}
}

// floor is what a call takes at the least with the standard library alone.
func floor(b *testing.B, hc *http.Client, url string, v any) {
	req, err := http.NewRequestWithContext(b.Context(), "GET", url, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.service+json;version=4")
	req.SetBasicAuth(testKey, "")
	resp, err := hc.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(body, v); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkGet(b *testing.B) {
	hc := canned(fixture(b, "person"))
	c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(hc))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			floor(b, hc, baseURL+"/people/53ea7a8e3763370003010000", new(idv.Person))
		}
	})
	b.Run("idv", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.People.Get(b.Context(), "53ea7a8e3763370003010000"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkList(b *testing.B) {
	item := fixture(b, "person")
	hc := canned(`{"object":"list","total_count":100,"has_more":false,"data":[` + strings.Repeat(item+",", 99) + item + `]}`)
	c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(hc))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			floor(b, hc, baseURL+"/people", new(idv.List[idv.Person]))
		}
	})
	b.Run("idv", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.People.List(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package idvtest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fault is a mishap to come. What it does not set stays as it would be, so that the fields combine:
//
//	Fault{Status: 503}                                an error, and the work is not done
//	Fault{Status: 503, Work: true}                    the same error, but the work was done and billed
//	Fault{Drop: true}                                 no answer: the connection ends
//	Fault{Drop: true, Work: true}                     the same after the work
//	Fault{Delay: time.Second}                         the right answer, late
//	Fault{Truncate: true}                             half of the right answer, then the connection ends
//	Fault{Body: "<h1>Welcome to the hotel Wi-Fi</h1>"}  the work is done, the body is lost
//	Fault{Status: 307, Redirect: "https://other.example"}
type Fault struct {
	// Method and Path choose the requests it befalls; empty means any. Path may have placeholders: "/people/{id}".
	Method, Path string

	// Skip lets as many requests pass first.
	Skip int

	// Times is how many requests it befalls: 0 counts as 1, and any negative number means every one until ClearFaults.
	Times int

	// Work has the request handled before the fault. Without Status, Drop and Redirect it always is.
	Work bool

	// Drop ends the connection without an answer.
	Drop bool

	// Status is answered instead; one that HTTP does not know as final (200 to 599) counts as 500.
	Status int

	// Header is set on the answer.
	Header http.Header

	// Body replaces that of the answer. Without it, a Status from 400 on has an error object of the API and any other has no
	// body. The Content-Type is that of HTML if the body begins with "<", else that of JSON; Header can set another.
	Body string

	// NoBody empties the body.
	NoBody bool

	// Redirect is a URL for the Location header; the Status is 302 unless it is set.
	Redirect string

	// Delay is the time, of the wall clock, between the work and the first byte of the answer.
	Delay time.Duration

	// BodyDelay is the time, of the wall clock, between the two halves of the body.
	BodyDelay time.Duration

	// Truncate ends the connection after half of the body.
	Truncate bool

	// ContentLength is announced instead of the real length. A shorter one cuts the body without any error of the connection.
	ContentLength int
}

// Fail scripts faults. For each request the first one that fits is taken, in the order in which they were scripted.
func (s *Server) Fail(faults ...Fault) { s.faults.add(faults) }

// ClearFaults forgets every fault that has not happened.
func (s *Server) ClearFaults() { s.faults.clear() }

type scriptedFault struct {
	Fault
	pattern pattern
	skip    int
	left    int // negative: for ever
}

type faultScript struct {
	mu     sync.Mutex
	faults []*scriptedFault
}

func (s *faultScript) add(faults []Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		f.Header = f.Header.Clone()
		s.faults = append(s.faults, &scriptedFault{
			Fault: f, pattern: newPattern(f.Path), skip: f.Skip, left: cmp.Or(f.Times, 1),
		})
	}
}

func (s *faultScript) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// pending names the faults that wait for a request.
func (s *faultScript) pending() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]string, len(s.faults))
	for i, f := range s.faults {
		names[i] = cmp.Or(f.Method, "any method") + " " + cmp.Or(f.Path, "any path")
	}
	return names
}

// next takes the fault for a request off the script; the zero Fault changes nothing.
func (s *faultScript) next(method, path string) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, f := range s.faults {
		if !f.fits(method, path) {
			continue
		}
		if f.skip > 0 {
			f.skip--
			continue
		}
		if f.left--; f.left == 0 {
			s.faults = slices.Delete(s.faults, i, i+1)
		}
		return f.Fault
	}
	return Fault{}
}

func (f *scriptedFault) fits(method, path string) bool {
	if f.Method != "" && !strings.EqualFold(f.Method, method) {
		return false
	}
	_, fits := f.pattern.match(path)
	return fits || f.Path == ""
}

// works reports whether the request is handled although the fault befalls it.
func (f *Fault) works() bool { return f.Work || !f.Drop && f.Status == 0 && f.Redirect == "" }

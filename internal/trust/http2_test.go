package trust_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// The frames of HTTP/2 (RFC 9113, section 6) that the service below knows. It is made by hand because that of net/http cannot be
// had to send a GOAWAY at a given moment.
const (
	frameData     = 0x0
	frameHeaders  = 0x1
	frameSettings = 0x4
	frameGoAway   = 0x7

	flagEndStream  = 0x1
	flagEndHeaders = 0x4

	preface   = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	status200 = "\x88" // HPACK: the entry 8 of its static table
)

// http2Service answers requests over HTTP/2. goAway is asked for each one; what it says is sent instead of the answer.
type http2Service struct {
	address string
	roots   *x509.CertPool
	goAway  func(request int32) (last uint32, works, gone bool)

	requests, executed *atomic.Int32
}

func (s *http2Service) start(t *testing.T) {
	t.Helper()
	certified := httptest.NewUnstartedServer(http.NotFoundHandler())
	certified.StartTLS()
	certified.Close() // its certificate is all that is wanted
	s.roots = x509.NewCertPool()
	s.roots.AddCert(certified.Certificate())
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates, NextProtos: []string{"h2"}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	s.address = l.Addr().String()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
}

func (s *http2Service) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if _, err := io.ReadFull(conn, make([]byte, len(preface))); err != nil {
		return
	}
	send(conn, frameSettings, 0, 0, nil)
	for {
		kind, flags, stream, err := receive(conn)
		if err != nil {
			return
		}
		if (kind == frameHeaders || kind == frameData) && flags&flagEndStream != 0 && !s.request(conn, stream) {
			return
		}
	}
}

// request answers one that has arrived whole; false ends the connection.
func (s *http2Service) request(conn net.Conn, stream uint32) bool {
	last, works, gone := s.goAway(s.requests.Add(1))
	if works {
		s.executed.Add(1)
	}
	if gone {
		send(conn, frameGoAway, 0, 0, binary.BigEndian.AppendUint32(nil, last), make([]byte, 4))
		return false
	}
	send(conn, frameHeaders, flagEndHeaders, stream, []byte(status200))
	send(conn, frameData, flagEndStream, stream, []byte(answerOf))
	return true
}

func send(w io.Writer, kind, flags byte, stream uint32, payload ...[]byte) {
	var all []byte
	for _, p := range payload {
		all = append(all, p...)
	}
	frame := []byte{byte(len(all) >> 16), byte(len(all) >> 8), byte(len(all)), kind, flags}
	frame = binary.BigEndian.AppendUint32(frame, stream)
	_, _ = w.Write(append(frame, all...))
}

func receive(r io.Reader) (kind, flags byte, stream uint32, err error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, 0, err
	}
	length := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
	if _, err := io.CopyN(io.Discard, r, length); err != nil {
		return 0, 0, 0, err
	}
	return head[3], head[4], binary.BigEndian.Uint32(head[5:]), nil
}

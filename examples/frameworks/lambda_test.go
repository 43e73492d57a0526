package frameworks_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"example.com/idv/examples/frameworks"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// v2 is a delivery as an HTTP API hands it on, in a stage and with header names in lower case.
func v2(s webhooktest.Signer, body []byte) events.APIGatewayV2HTTPRequest {
	e := events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: "/prod" + s.Path, Headers: map[string]string{}, Body: string(body)}
	for name, values := range s.Header(body) {
		e.Headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	e.RequestContext.HTTP.Method = http.MethodPost
	e.RequestContext.HTTP.Path = e.RawPath
	e.RequestContext.DomainName = "api.example.com"
	return e
}

// v1 is a delivery as a REST API hands it on, without its base path.
func v1(s webhooktest.Signer, body []byte) events.APIGatewayProxyRequest {
	e := events.APIGatewayProxyRequest{
		HTTPMethod: http.MethodPost, Path: "/flow", Headers: map[string]string{}, MultiValueHeaders: s.Header(body), Body: string(body),
	}
	for name, values := range e.MultiValueHeaders {
		e.Headers[name] = values[len(values)-1]
	}
	return e
}

func function(t *testing.T) (*frameworks.Lambda, *inbox) {
	t.Helper()
	b := new(inbox)
	return &frameworks.Lambda{Verifier: verifier(t, webhook.WithPath(frameworks.Path)), Handle: b.handle}, b
}

func TestLambda(t *testing.T) {
	t.Parallel()
	body := webhooktest.Event{ID: "whkevt_1"}.Body()
	encode := base64.StdEncoding.EncodeToString
	for name, tt := range map[string]struct {
		signer  webhooktest.Signer
		body    []byte
		change2 func(e *events.APIGatewayV2HTTPRequest)
		change1 func(e *events.APIGatewayProxyRequest)
		want    int
	}{
		"authentic": {signer: signer, body: body, want: 200},
		"authentic, in Base64": {signer: signer, body: body, want: 200,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.Body, e.IsBase64Encoded = encode([]byte(e.Body)), true },
			change1: func(e *events.APIGatewayProxyRequest) { e.Body, e.IsBase64Encoded = encode([]byte(e.Body)), true }},
		"Base64 that is none": {signer: signer, body: body, want: 400,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.IsBase64Encoded = true },
			change1: func(e *events.APIGatewayProxyRequest) { e.IsBase64Encoded = true }},
		"Base64 that is not said to be": {signer: signer, body: body, want: 401,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.Body = encode([]byte(e.Body)) },
			change1: func(e *events.APIGatewayProxyRequest) { e.Body = encode([]byte(e.Body)) }},
		"forged":   {signer: forger(), body: body, want: 401},
		"replayed": {signer: late(), body: body, want: 401},
		"altered on the way": {signer: signer, body: body, want: 401,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.Body += " " },
			change1: func(e *events.APIGatewayProxyRequest) { e.Body += " " }},
		"not signed": {signer: signer, body: body, want: 401,
			change2: func(e *events.APIGatewayV2HTTPRequest) { delete(e.Headers, "authorization") },
			change1: func(e *events.APIGatewayProxyRequest) {
				delete(e.Headers, "Authorization")
				delete(e.MultiValueHeaders, "Authorization")
			}},
		"a second Date": {signer: signer, body: body, want: 401,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.Headers["date"] += ",Sat, 01 Jan 2000 00:00:00 GMT" },
			change1: func(e *events.APIGatewayProxyRequest) {
				e.MultiValueHeaders["Date"] = append([]string{"Sat, 01 Jan 2000 00:00:00 GMT"}, e.MultiValueHeaders["Date"]...)
			}},
		"another method": {signer: signer, body: body, want: 405,
			change2: func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.HTTP.Method = "PUT" },
			change1: func(e *events.APIGatewayProxyRequest) { e.HTTPMethod = "PUT" }},
		"no event":             {signer: signer, body: []byte("no event"), want: 400},
		"our database is down": {signer: signer, body: webhooktest.Event{CustomerReference: "fails"}.Body(), want: 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, handled := function(t)
			e2, e1 := v2(tt.signer, tt.body), v1(tt.signer, tt.body)
			if tt.change2 != nil {
				tt.change2(&e2)
				tt.change1(&e1)
			}
			answer2, err := f.V2(t.Context(), e2)
			require.NoError(t, err)
			assert.Equal(t, tt.want, answer2.StatusCode, "HTTP API")
			answer1, err := f.V1(t.Context(), e1)
			require.NoError(t, err)
			assert.Equal(t, tt.want, answer1.StatusCode, "REST API")
			want := 0
			if tt.want == 200 {
				want = 2
			}
			assert.Len(t, handled.ids, want)
		})
	}
}

// Without MultiValueHeaders, as some load balancers and test events have it, Headers will do.
func TestLambdaWithSingleHeadersOnly(t *testing.T) {
	t.Parallel()
	f, handled := function(t)
	e := v1(signer, webhooktest.Event{}.Body())
	e.MultiValueHeaders = nil
	answer, err := f.V1(t.Context(), e)
	require.NoError(t, err)
	assert.Equal(t, 200, answer.StatusCode)
	assert.Len(t, handled.ids, 1)
}

// A whole receiver, with its duplicates and its health, behind the adapter that turns events into requests. That of version 2 cuts headers
// at their commas, the Date as well; the verifier puts it together again.
func TestAReceiverBehindTheLambdaAdapter(t *testing.T) {
	t.Parallel()
	for name, deliver := range map[string]func(h http.Handler, s webhooktest.Signer, body []byte) (int, error){
		"HTTP API": func(h http.Handler, s webhooktest.Signer, body []byte) (int, error) {
			answer, err := httpadapter.NewV2(h).ProxyWithContext(context.Background(), v2(s, body))
			return answer.StatusCode, err
		},
		"REST API": func(h http.Handler, s webhooktest.Signer, body []byte) (int, error) {
			answer, err := httpadapter.New(h).ProxyWithContext(context.Background(), v1(s, body))
			return answer.StatusCode, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, handled := receiver(t, webhook.WithPath(frameworks.Path))
			body := webhooktest.Event{}.Body()
			for _, want := range []struct {
				signer webhooktest.Signer
				status int
			}{{forger(), 401}, {late(), 401}, {signer, 200}, {signer, 200}} {
				status, err := deliver(r, want.signer, body)
				require.NoError(t, err)
				assert.Equal(t, want.status, status)
			}
			assert.Len(t, handled.ids, 1)
			assert.False(t, r.Health().Failing())
		})
	}
}

package frameworks

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"example.com/idv/webhook"
	"github.com/aws/aws-lambda-go/events"
)

// Lambda receives deliveries as events of an API Gateway, without an HTTP server in between:
//
//	lambda.Start((&frameworks.Lambda{Verifier: verifier, Handle: handle}).V2)
//
// Verifier needs webhook.WithPath with the path of the URL as it is registered in the dashboard: stages and custom domains put something before
// the path of an event, or take it away, and a console setting changes that. Handle may be called again with an event it knows: the
// functions of several machines share no memory. Either it does no harm twice, or it claims the event in a webhook.SeenStore that they
// share. Where that is wanted, Receiver brings it along: see the test that puts one behind an adapter.
type Lambda struct {
	Verifier *webhook.Verifier
	Handle   func(ctx context.Context, e webhook.Event) error
}

// V2 answers events of an HTTP API, payload format 2.0, and of a function URL. The names of the headers come in lower case.
func (l *Lambda) V2(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	status := l.receive(ctx, e.Body, e.IsBase64Encoded, webhook.Message{
		Method: e.RequestContext.HTTP.Method, Path: e.RawPath,
		Date: header(e.Headers, "Date"), Digest: header(e.Headers, "Digest"), Authorization: header(e.Headers, "Authorization"),
	})
	return events.APIGatewayV2HTTPResponse{StatusCode: status}, nil
}

// V1 answers events of a REST API, and of an HTTP API with payload format 1.0. The names of the headers come as they were sent.
func (l *Lambda) V1(ctx context.Context, e events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	status := l.receive(ctx, e.Body, e.IsBase64Encoded, webhook.Message{
		Method: e.HTTPMethod, Path: e.Path,
		Date: lines(e, "Date"), Digest: lines(e, "Digest"), Authorization: lines(e, "Authorization"),
	})
	return events.APIGatewayProxyResponse{StatusCode: status}, nil
}

// receive returns the status to answer. An error of Handle is a status as well, not an error of the function: the gateway makes a 502 of
// those, and Lambda counts them as crashes.
func (l *Lambda) receive(ctx context.Context, body string, encoded bool, m webhook.Message) int {
	m.Body = []byte(body)
	if encoded { // the gateway does that to bodies of types that it is told are binary; the service signed what was before
		raw, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return http.StatusBadRequest
		}
		m.Body = raw
	}
	if err := l.Verifier.VerifyMessage(ctx, m); err != nil {
		return webhook.StatusCode(err)
	}
	event, err := webhook.ParseEvent(m.Body)
	if err == nil {
		err = l.Handle(ctx, event)
	}
	return webhook.StatusCode(err)
}

// header finds a header whatever the case of its name.
func header(headers map[string]string, name string) string {
	for key, value := range headers {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// lines joins the lines of a header as RFC 9110, 5.3 has it, so that a second line breaks the signature: Headers has only the last one.
func lines(e events.APIGatewayProxyRequest, name string) string {
	for key, values := range e.MultiValueHeaders {
		if strings.EqualFold(key, name) {
			return strings.Join(values, ", ")
		}
	}
	return header(e.Headers, name)
}

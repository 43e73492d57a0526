package flow_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	const base = "https://flow.example"
	for name, c := range map[string]struct {
		base, id, secret string
		opt              flow.Option
		want             string
	}{
		"no base URL":            {"", keyID, secret, nil, "idv: baseURL is empty"},
		"a base URL with a user": {"https://a:b@flow.example", keyID, secret, nil, "idv: baseURL holds user info; the key is the only credential"},
		"http to another host":   {"http://flow.example", keyID, secret, nil, "idv: baseURL is http; personal data goes over https only, except to localhost and loopback addresses"},
		"no key id":              {base, "", secret, nil, "idv: keyID must be 1 to 256 letters, digits, '_', '-' or '.', and start with a letter or digit"},
		"a key id with a quote":  {base, `a"`, secret, nil, "idv: keyID must be 1 to 256 letters, digits, '_', '-' or '.', and start with a letter or digit"},
		"no secret":              {base, keyID, "", nil, "idv: secret is empty"},
		"a secret with its line": {base, keyID, secret + "\n", nil, "idv: secret starts or ends with a blank or a newline: trim what was read from the file or the environment"},
		"a control character":    {base, keyID, "a\x00b", nil, "idv: secret holds a control character"},
		"test mode":              {base, keyID, secret, idv.WithTestModeOnly(), "idv: WithTestModeOnly is for the REST API: here the base URL selects live or sandbox"},
		"a REST version":         {base, keyID, secret, idv.WithAPIVersion(4), "idv: WithAPIVersion is for the REST API: here the version is a date of the module's own"},
		"an option out of range": {base, keyID, secret, idv.WithTimeout(-1), "idv: WithTimeout is negative"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := []flow.Option{idv.WithMaxRetries(0)}
			if c.opt != nil {
				opts = append(opts, c.opt)
			}
			_, err := flow.New(c.base, c.id, c.secret, opts...)
			var refused *idv.ParamError
			require.ErrorAs(t, err, &refused)
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestWithDerivesAClient(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{"id":"1"}`)
	derived, err := c.With(idv.WithUserAgent("acme/1"))
	require.NoError(t, err)
	for _, c := range []*flow.Client{derived, c} {
		_, err := c.Sessions.Get(t.Context(), "1")
		require.NoError(t, err)
	}
	assert.Contains(t, (*requests)[0].Header.Get("User-Agent"), "acme/1 idv/")
	assert.NotContains(t, (*requests)[1].Header.Get("User-Agent"), "acme")
	assertSigned(t, "get", "/flow_sessions/1", (*requests)[0])
	_, err = c.With(idv.WithAPIVersion(4))
	assert.Error(t, err)
}

func TestTheHeadersOfASignedRequestAreNotTheCallers(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{"id":"1"}`)
	for _, name := range []string{"Date", "Digest", "Authorization", "Service-Version", "Accept", "Content-Type"} {
		_, err := c.Sessions.Get(t.Context(), "1", idv.WithHeader(name, "x"))
		var refused *idv.ParamError
		assert.ErrorAs(t, err, &refused, name)
	}
	assert.Empty(t, *requests)
}

func TestAnObserverIsToldTheRouteNotTheID(t *testing.T) {
	t.Parallel()
	var routes []string
	c, _ := answering(t, 200, `{"id":"1"}`, idv.WithObserver(func(_ context.Context, a idv.Attempt) { routes = append(routes, a.Route) }))
	_, _ = c.Sessions.Get(t.Context(), "flwses_1")
	_, _ = c.Sessions.Create(t.Context(), params("ref"))
	_, _ = c.Sessions.Retry(t.Context(), retry("ref"))
	assert.Equal(t, []string{"/flow_sessions/{FLOW_SESSION_ID}", "/flow_sessions", "/flow_sessions/retry"}, routes)
}

// canary stands wherever personal data and the credential may be.
const canary = "CANARY078051120"

func TestNothingThatIsPrintedHoldsTheCredentialOrPersonalData(t *testing.T) {
	t.Parallel()
	text := canary
	user := flow.User{Email: &text, Phone: &text, DateOfBirth: &text, Name: &flow.Name{First: canary}, Address: flow.JSON(`"` + canary + `"`),
		IDNumber: &flow.IDNumber{Value: canary}}
	session := flow.Session{ID: "flwses_1", Status: "success", CustomerReference: canary, User: user, KYCCheck: flow.JSON(canary), Meta: canary}
	name := flow.NameParams{First: canary}
	in := flow.SessionParams{TemplateID: canary, User: flow.UserParams{Email: canary, Name: &name}, Extra: map[string]any{"x": canary}}
	c, err := flow.New("https://flow.example", canary, canary, idv.WithTimeout(time.Second))
	require.NoError(t, err)
	for name, v := range map[string]any{
		"Session": &session, "Session value": session, "Sessions": []flow.Session{session}, "User": user, "Name": *user.Name, "IDNumber": user.IDNumber,
		"JSON": user.Address, "SessionParams": in, "UserParams": &in.User, "NameParams": name, "RetryParams": flow.RetryParams{CustomerReference: canary},
		"Client": c, "Client value": *c, "SessionsService": *c.Sessions, "pointer to it": c.Sessions,
	} {
		assert.NotContains(t, allForms(v), canary, name)
		assert.NotContains(t, allForms(v), fmt.Sprintf("%x", canary), name)
	}
	assert.Equal(t, "flow.Session{ID:flwses_1 Status:success}", fmt.Sprintf("%+v", session))
	assert.Equal(t, `"flow.Session{ID:flwses_1 Status:success}"`, fmt.Sprintf("%q", &session))
	assert.Contains(t, allForms(session), "v.id=flwses_1 v.status=success")
}

func allForms(v any) string {
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	for _, l := range []*slog.Logger{slog.New(slog.NewTextHandler(&b, nil)), slog.New(slog.NewJSONHandler(&b, nil))} {
		l.Info("x", "v", v)
	}
	return b.String()
}

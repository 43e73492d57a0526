package flow_test

import (
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGet(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	session := s.StartSession("c-42")
	s.Clock.Advance(time.Minute)
	require.NoError(t, session.EnterStep(idvtest.StepKYCCheck))
	got, err := c.Sessions.Get(t.Context(), session.ID)
	require.NoError(t, err)
	assert.Equal(t, session.ID, got.ID)
	assert.Equal(t, "c-42", got.CustomerReference)
	assert.Equal(t, flow.StatusActive, got.Status)
	assert.Equal(t, flow.StepKYCCheck, got.CurrentStep())
	assert.Equal(t, flow.StepStatusSuccess, got.Steps[flow.StepAcceptTOS])
	assert.Equal(t, flow.Template{ID: idvtest.FlowTemplate, Version: 1}, got.Template)
	assert.Equal(t, s.Clock.Now().Add(-time.Minute), got.CreatedAt.Time)
	assert.Equal(t, s.Clock.Now(), got.AsOf())
	require.NoError(t, session.Finish("failed"))
	got, err = c.Sessions.Get(t.Context(), session.ID)
	require.NoError(t, err)
	assert.Equal(t, flow.StatusFailed, got.Status)
	assert.Empty(t, got.CurrentStep())
	assert.Equal(t, s.Clock.Now(), got.CompletedAt.Time)
}

func TestASessionOfFortyEightHoursHasExpired(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	created, err := c.Sessions.Create(t.Context(), params("c-42"))
	require.NoError(t, err)
	s.Clock.Advance(48 * time.Hour)
	got, err := c.Sessions.Get(t.Context(), created.ID)
	require.NoError(t, err)
	assert.Equal(t, flow.StatusExpired, got.Status)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	in := params("c-42")
	in.Shareable = true
	in.User.Email, in.User.Phone, in.User.Name = "a@example.com", "+1 555", &flow.NameParams{First: "John", Last: "Doe"}
	var answer idv.Response
	got, err := c.Sessions.Create(t.Context(), in, idv.CaptureResponse(&answer))
	require.NoError(t, err)
	assert.Equal(t, 201, answer.StatusCode)
	assert.Contains(t, *got.ShareableURL, got.ID)
	assert.Equal(t, "a@example.com", *got.User.Email)
	assert.Equal(t, "+1 555", *got.User.Phone)
	assert.Equal(t, flow.Name{First: "John", Last: "Doe"}, *got.User.Name)
	assert.Equal(t, flow.StatusActive, got.Status)
	assert.Empty(t, got.CurrentStep(), "the user has not begun")
	_, err = s.FlowSession(got.ID)
	assert.NoError(t, err, "it is a session of the webhooks")
}

func TestTheBodyOfCreate(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 201, `{"id":"1"}`)
	in := params("c-42")
	in.Idempotent = true
	in.Extra = map[string]any{"later": 1}
	in.User.Extra = map[string]any{"locale": "en"}
	_, err := c.Sessions.Create(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, `{"template_id":"flwtmp_11111111111111","shareable":false,"user":{"customer_reference":"c-42","locale":"en"},"later":1}`,
		string((*requests)[0].Body))
}

func TestCreateIsIdempotentWhenAsked(t *testing.T) {
	t.Parallel()
	_, c := start(t)
	in := params("c-42")
	in.Idempotent = true
	var answer idv.Response
	first, err := c.Sessions.Create(t.Context(), in, idv.CaptureResponse(&answer))
	require.NoError(t, err)
	assert.Equal(t, 201, answer.StatusCode)
	again, err := c.Sessions.Create(t.Context(), in, idv.CaptureResponse(&answer))
	require.NoError(t, err)
	assert.Equal(t, 200, answer.StatusCode)
	assert.Equal(t, first.ID, again.ID)
	in.Idempotent = false
	other, err := c.Sessions.Create(t.Context(), in)
	require.NoError(t, err)
	assert.NotEqual(t, first.ID, other.ID)
}

func TestRetryStrategies(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		strategy flow.Strategy
		steps    map[flow.Step]bool
		at       flow.Step
		sms      flow.StepStatus
	}{
		"reset":      {flow.StrategyReset, nil, flow.StepAcceptTOS, flow.StepStatusWaitingForPrerequisite},
		"incomplete": {flow.StrategyIncomplete, nil, flow.StepKYCCheck, flow.StepStatusSuccess},
		"infer":      {flow.StrategyInfer, nil, flow.StepKYCCheck, flow.StepStatusSuccess},
		"custom":     {flow.StrategyCustom, map[flow.Step]bool{flow.StepSelfieCheck: true, flow.StepVerifySMS: false}, flow.StepSelfieCheck, flow.StepStatusSuccess},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := start(t)
			first := s.StartSession("c-42")
			require.NoError(t, first.EnterStep(idvtest.StepVerifySMS))
			require.NoError(t, first.EnterStep(idvtest.StepKYCCheck))
			require.NoError(t, first.Finish("failed"))
			in := retry("c-42")
			in.Strategy, in.Steps = tt.strategy, tt.steps
			next, err := c.Sessions.Retry(t.Context(), in)
			require.NoError(t, err)
			assert.Equal(t, first.ID, *next.PreviousSessionID)
			assert.Equal(t, tt.at, next.CurrentStep())
			assert.Equal(t, tt.sms, next.Steps[flow.StepVerifySMS])
		})
	}
}

func TestARetryCancelsAPredecessorThatIsStillActive(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	first := s.StartSession("c-42")
	_, err := c.Sessions.Retry(t.Context(), retry("c-42"))
	require.NoError(t, err)
	old, err := c.Sessions.Get(t.Context(), first.ID)
	require.NoError(t, err)
	assert.Equal(t, flow.StatusCanceled, old.Status)
}

func TestBadInputIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{"id":"1"}`)
	create := func(change func(*flow.SessionParams)) error {
		in := params("c-42")
		change(in)
		_, err := c.Sessions.Create(t.Context(), in)
		return err
	}
	again := func(change func(*flow.RetryParams)) error {
		in := retry("c-42")
		change(in)
		_, err := c.Sessions.Retry(t.Context(), in)
		return err
	}
	look := func(id string) error { _, err := c.Sessions.Get(t.Context(), id); return err }
	nilParams := func() error { _, err := c.Sessions.Create(t.Context(), nil); return err }
	nilRetry := func() error { _, err := c.Sessions.Retry(t.Context(), nil); return err }
	for _, tt := range []struct {
		err  error
		want string
	}{
		{look(""), "idv: id is empty"},
		{look(".."), "idv: id is a step in a path, not an id"},
		{nilParams(), "idv: params is nil"},
		{nilRetry(), "idv: params is nil"},
		{create(func(p *flow.SessionParams) { p.TemplateID = "" }), "idv: template_id is empty"},
		{create(func(p *flow.SessionParams) { p.User.CustomerReference = "" }), "idv: user.customer_reference is empty"},
		{create(func(p *flow.SessionParams) { p.Extra = map[string]any{"x": func() {}} }), "idv: params JSON: a value of type func() cannot be encoded"},
		{create(func(p *flow.SessionParams) { p.Extra = map[string]any{"user": 1} }), "idv: params JSON: a member stands twice, once as a field and once in Extra"},
		{again(func(p *flow.RetryParams) { p.CustomerReference = "" }), "idv: customer_reference is empty"},
		{again(func(p *flow.RetryParams) { p.TemplateID = "" }), "idv: template_id is empty"},
		{again(func(p *flow.RetryParams) { p.Strategy = "" }), "idv: strategy is empty"},
		{again(func(p *flow.RetryParams) { p.Strategy = flow.StrategyCustom }), "idv: steps name no step to repeat, which the strategy custom needs"},
		{again(func(p *flow.RetryParams) { p.Strategy = flow.StrategyCustom; p.Steps = map[flow.Step]bool{"a": false} }), "idv: steps name no step to repeat, which the strategy custom needs"},
		{again(func(p *flow.RetryParams) { p.Steps = map[flow.Step]bool{"a": true} }), "idv: steps go with the strategy custom only"},
	} {
		var refused *idv.ParamError
		assert.ErrorAs(t, tt.err, &refused, tt.want)
		assert.EqualError(t, tt.err, tt.want)
	}
	assert.Empty(t, *requests)
	assert.NoError(t, again(func(p *flow.RetryParams) { p.Strategy, p.Steps = "of_later", map[flow.Step]bool{"a": true} }), "a strategy of later")
}

func TestRefusalsOfTheService(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	bad := params("c-42")
	bad.TemplateID = "nonsense"
	_, err := c.Sessions.Create(t.Context(), bad)
	var e *idv.Error
	require.ErrorAs(t, err, &e)
	assert.ErrorIs(t, err, idv.ErrValidation)
	assert.Equal(t, []string{"Invalid request", "A template id begins with flwtmp_.", "/template_id"}, []string{e.Message, e.Detail, e.Pointer})
	assert.Contains(t, err.Error(), "idv: POST /flow_sessions: 400 (pointer /template_id): Invalid request: A template id begins with flwtmp_., request id ")
	_, err = c.Sessions.Get(t.Context(), "flwses_unknown")
	assert.ErrorIs(t, err, idv.ErrNotFound)
	_, err = c.Sessions.Retry(t.Context(), retry("nobody"))
	assert.ErrorIs(t, err, idv.ErrNotFound)
	for name, c := range map[string]func() (*flow.Client, error){
		"another secret": func() (*flow.Client, error) {
			return flow.New(s.URL, s.WebhookKeyID, s.WebhookSecret+"x", idv.WithClock(s.Clock.Now))
		},
		"another key id": func() (*flow.Client, error) {
			return flow.New(s.URL, "other", s.WebhookSecret, idv.WithClock(s.Clock.Now))
		},
		"a clock that is 15 minutes slow": func() (*flow.Client, error) {
			return flow.New(s.URL, s.WebhookKeyID, s.WebhookSecret, idv.WithClock(func() time.Time { return s.Clock.Now().Add(-15 * time.Minute) }))
		},
	} {
		c, err := c()
		require.NoError(t, err)
		_, err = c.Sessions.Get(t.Context(), "flwses_1")
		assert.ErrorIs(t, err, idv.ErrUnauthorized, name)
		c.CloseIdleConnections()
	}
}

// The rows of the ledger that the Flow API shows.
func TestContractFlowAPI(t *testing.T) {
	t.Parallel()
	t.Run("W14 the digest of a request is that of its raw body, of zero bytes for a look-up", func(t *testing.T) {
		t.Parallel()
		c, requests := answering(t, 200, `{"id":"1"}`)
		_, err := c.Sessions.Get(t.Context(), "1")
		require.NoError(t, err)
		_, err = c.Sessions.Create(t.Context(), params("c-42"))
		require.NoError(t, err)
		assert.Equal(t, digest(nil), (*requests)[0].Header.Get("Digest"))
		assert.Equal(t, digest((*requests)[1].Body), (*requests)[1].Header.Get("Digest"))
	})
	t.Run("W20 the service refuses a request whose Date is off by 900 s, to either side", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		for off, ok := range map[time.Duration]bool{0: true, 899 * time.Second: true, -899 * time.Second: true, 900 * time.Second: false, -900 * time.Second: false} {
			c := client(t, s, idv.WithClock(func() time.Time { return s.Clock.Now().Add(off) }))
			_, err := c.Sessions.Create(t.Context(), params("c-42"))
			assert.Equal(t, ok, err == nil, "%v: %v", off, err)
		}
	})
	t.Run("W29 a retry through the API starts a new session", func(t *testing.T) {
		t.Parallel()
		s, c := start(t)
		first := s.StartSession("c-42")
		next, err := c.Sessions.Retry(t.Context(), retry("c-42"))
		require.NoError(t, err)
		assert.NotEqual(t, first.ID, next.ID)
		assert.Equal(t, flow.StatusActive, next.Status)
		assert.Equal(t, flow.StepAcceptTOS, next.CurrentStep())
	})
	t.Run("R35 what a later version adds survives", func(t *testing.T) {
		t.Parallel()
		s, c := start(t, idvtest.WithFutureFormat())
		session := s.StartSession("c-42")
		require.NoError(t, session.EnterStep("iris_scan"))
		got, err := c.Sessions.Get(t.Context(), session.ID)
		require.NoError(t, err)
		assert.Equal(t, flow.Step("iris_scan"), got.CurrentStep())
		require.NoError(t, session.Finish("on_hold"))
		got, err = c.Sessions.Get(t.Context(), session.ID)
		require.NoError(t, err)
		assert.Equal(t, flow.Status("on_hold"), got.Status)
		assert.Equal(t, flow.Text("This API format is v1.0."), got.Meta)
		assert.Contains(t, got.Extra(), "added_later")
	})
}

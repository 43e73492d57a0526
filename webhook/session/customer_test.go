package session_test

import (
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each case must hold in every order of its events.
func TestCustomerKnowsTheCurrentSession(t *testing.T) {
	t.Parallel()
	const first, second = "flwses_9", "flwses_1" // ids tell nothing about the order
	for name, tt := range map[string]struct {
		events  []webhook.Event
		current string
		status  webhook.Status
		why     session.Reason
	}{
		"I105 session 1's late events after session 2's": {
			[]webhook.Event{step(first, 0, "accept_tos"), ended(first, 3, "failed"), retried(second, 5), ended(second, 9, "success")},
			second, "success", ""},
		"a retry before its predecessor has ended": {
			[]webhook.Event{step(first, 0, "accept_tos"), retried(second, 5), ended(first, 6, "canceled"), step(second, 7, "kyc_check")},
			second, "active", ""},
		"a canceled predecessor of which nothing else is known": {
			[]webhook.Event{retried(second, 5), ended(first, 6, "canceled")},
			second, "active", session.ReasonUnknownStart},
		"an expiry of which nothing else is known, dated before": {
			[]webhook.Event{retried(second, 5), ended(first, 4, "expired")},
			second, "active", ""},
		"status updates only": {
			[]webhook.Event{ended(first, 1, "failed"), ended(second, 2, "success")},
			second, "success", ""},
		"cancellations only": {
			[]webhook.Event{ended(first, 1, "canceled"), ended(second, 2, "canceled")},
			second, "canceled", ""},
		"a retry in the second of its predecessor": {
			[]webhook.Event{step(first, 1, "accept_tos"), retried(second, 1)},
			second, "active", ""},
		"two sessions of one second": {
			[]webhook.Event{step(first, 1, "accept_tos"), step(second, 1, "accept_tos")},
			first, "active", session.ReasonSameStart},
		"a contradiction in the current session": {
			[]webhook.Event{ended(first, 1, "failed"), ended(second, 2, "success"), ended(second, 3, "failed")},
			second, "failed", session.ReasonContradiction},
		"a contradiction in an earlier session": {
			[]webhook.Event{ended(first, 1, "failed"), ended(first, 1, "success"), ended(second, 3, "success")},
			second, "success", ""},
		"a session of which nothing is dated may be the newest": {
			[]webhook.Event{step(first, 0, "accept_tos"), ended(first, 3, "success"), undated(ended(second, 0, "failed"))},
			first, "success", session.ReasonUnknownStart},
		"an undated event does not make a session old": {
			[]webhook.Event{step(first, 1, "accept_tos"), retried(second, 5), undated(step(second, 0, "kyc_check"))},
			second, "active", session.ReasonUndated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachOrder(tt.events, func(events []webhook.Event) {
				c := foldCustomer(t, events...)
				current, ok := c.Current()
				require.True(t, ok)
				require.Equal(t, tt.current, current.ID())
				require.Equal(t, tt.status, current.Status())
				why, fetch := c.NeedsFetch()
				require.Equal(t, tt.why, why)
				require.Equal(t, tt.why != "", fetch)
			})
		})
	}
}

func TestCustomerListsItsSessions(t *testing.T) {
	t.Parallel()
	c := foldCustomer(t, retried("flwses_1", 5), step("flwses_3", 0, "kyc_check"), retried("flwses_2", 9))
	var ids []string
	for _, s := range c.Sessions() {
		ids = append(ids, s.ID())
	}
	assert.Equal(t, []string{"flwses_3", "flwses_1", "flwses_2"}, ids)
	assert.Equal(t, customer, c.Reference())
	assert.Equal(t, webhook.EnvironmentLive, c.Environment())
	s, ok := c.Session("flwses_3")
	assert.True(t, ok)
	assert.Equal(t, webhook.StepKYCCheck, s.Step())
	_, ok = c.Session("flwses_4")
	assert.False(t, ok)
}

func TestTheZeroCustomerIsReadyToUse(t *testing.T) {
	t.Parallel()
	var c session.Customer
	assert.True(t, c.IsZero())
	_, ok := c.Current()
	assert.False(t, ok)
	_, fetch := c.NeedsFetch()
	assert.False(t, fetch)
	assert.Empty(t, c.Sessions())
	known := foldCustomer(t, retried("flwses_1", 5))
	require.NoError(t, c.Merge(known))
	require.NoError(t, c.Merge(session.Customer{}))
	assert.True(t, c.Equal(known))
}

func TestCustomerRefusesOthers(t *testing.T) {
	t.Parallel()
	c := foldCustomer(t, retried("flwses_1", 5))
	before := c
	for name, tt := range map[string]struct {
		change func(*webhook.Retried)
		want   error
	}{
		"another customer reference": {func(e *webhook.Retried) { e.Session.CustomerReference = "beef" }, session.ErrOtherCustomer},
		"another environment":        {func(e *webhook.Retried) { e.Environment = webhook.EnvironmentSandbox }, session.ErrOtherCustomer},
		"no customer reference":      {func(e *webhook.Retried) { e.Session.CustomerReference = "" }, session.ErrNoCustomer},
		"no session":                 {func(e *webhook.Retried) { e.Session.ID = "" }, session.ErrNoSession},
	} {
		e := retried("flwses_2", 6).(*webhook.Retried)
		tt.change(e)
		require.ErrorIs(t, c.Apply(e), tt.want, name)
	}
	require.NoError(t, c.Apply(&webhook.ScreeningUpdated{}))
	assert.True(t, c.Equal(before))
}

func TestACopyOfACustomerIsIndependent(t *testing.T) {
	t.Parallel()
	c := foldCustomer(t, retried("flwses_1", 5))
	left, right := c, c
	require.NoError(t, left.Apply(ended("flwses_1", 6, "success")))
	require.NoError(t, right.Apply(ended("flwses_2", 7, "failed")))
	assert.True(t, c.Equal(foldCustomer(t, retried("flwses_1", 5))))
}

func TestCustomerJSON(t *testing.T) {
	t.Parallel()
	c := foldCustomer(t, retried("flwses_1", 5), step("flwses_3", 0, "kyc_check"), ended("flwses_3", 1, "failed"))
	assert.True(t, c.Equal(stored(t, c)))
	assert.True(t, stored(t, session.Customer{}).IsZero())
	for name, text := range map[string]string{
		"null":                `null`,
		"no version":          `{"sessions":[]}`,
		"a later version":     `{"version":2,"sessions":[]}`,
		"an empty session":    `{"version":1,"customer_reference":"a","environment":"live","sessions":[null]}`,
		"another environment": `{"version":1,"customer_reference":"a","environment":"live","sessions":[{"version":1,"id":"s","environment":"sandbox","reports":[{"status":"active"}]}]}`,
		"something else":      `["cafecafe"]`,
	} {
		kept := c
		err := kept.UnmarshalJSON([]byte(text))
		assert.Equal(t, name == "null", err == nil, name)
		assert.True(t, kept.Equal(c), name)
		if err != nil {
			assert.NotContains(t, err.Error(), customer)
		}
	}
}

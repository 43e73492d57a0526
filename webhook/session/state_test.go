package session_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each case must hold in every order of its events.
func TestStateTellsTheSame(t *testing.T) {
	t.Parallel()
	const id = "flwses_1"
	for name, tt := range map[string]struct {
		events []webhook.Event
		status webhook.Status
		step   webhook.Step
		why    session.Reason
	}{
		"I97 step.updated after status.updated": {
			[]webhook.Event{step(id, 1, "kyc_check"), ended(id, 2, "failed")}, "failed", "", ""},
		"I98 retried after its own step updates": {
			[]webhook.Event{retried(id, 0), step(id, 0, "accept_tos"), step(id, 1, "kyc_check")}, "active", "kyc_check", ""},
		"I99 status.updated and nothing else": {
			[]webhook.Event{ended(id, 1, "success")}, "success", "", ""},
		"I100 success and failed for one session": {
			[]webhook.Event{ended(id, 1, "failed"), ended(id, 2, "success")}, "success", "", session.ReasonContradiction},
		"I100 success and failed in one second": {
			[]webhook.Event{ended(id, 1, "failed"), ended(id, 1, "success")}, "failed", "", session.ReasonContradiction},
		"I101 pending_review then success": {
			[]webhook.Event{ended(id, 1, "pending_review"), ended(id, 2, "success")}, "success", "", ""},
		"I101 pending_review dated after success": {
			[]webhook.Event{ended(id, 2, "pending_review"), ended(id, 1, "success")}, "success", "", session.ReasonReviewAfterFinal},
		"I102 two steps in the same second": {
			[]webhook.Event{step(id, 1, "verify_sms"), step(id, 1, "kyc_check")}, "active", "kyc_check", ""},
		"I102 two unknown steps in the same second": {
			[]webhook.Event{step(id, 1, "iris_scan"), step(id, 1, "dna"), step(id, 1, "risk_check")}, "active", "iris_scan", ""},
		"I103 active event dated after the terminal one": {
			[]webhook.Event{ended(id, 1, "success"), step(id, 2, "risk_check")}, "success", "", session.ReasonActiveAfterTerminal},
		"I103 active event dated like the terminal one": {
			[]webhook.Event{ended(id, 1, "success"), step(id, 1, "risk_check")}, "success", "", ""},
		"I104 unknown status": {
			[]webhook.Event{step(id, 1, "kyc_check"), ended(id, 2, "on_hold")}, "on_hold", "", session.ReasonUnknownStatus},
		"I104 unknown status beside a final one": {
			[]webhook.Event{ended(id, 1, "success"), ended(id, 2, "on_hold")}, "success", "", session.ReasonUnknownStatus},
		"no status at all": {
			[]webhook.Event{ended(id, 1, "")}, "", "", session.ReasonUnknownStatus},
		"an event without a date": {
			[]webhook.Event{undated(step(id, 0, "kyc_check")), step(id, 1, "verify_sms")}, "active", "verify_sms", session.ReasonUndated},
		"expired, canceled and success in one second": {
			[]webhook.Event{ended(id, 1, "expired"), ended(id, 1, "canceled"), ended(id, 1, "success")}, "canceled", "", session.ReasonContradiction},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachOrder(tt.events, func(events []webhook.Event) {
				s := fold(t, events...)
				require.Equal(t, tt.status, s.Status())
				require.Equal(t, tt.step, s.Step())
				why, fetch := s.NeedsFetch()
				require.Equal(t, tt.why, why)
				require.Equal(t, tt.why != "", fetch)
			})
		})
	}
}

func TestStateKnowsItsSession(t *testing.T) {
	t.Parallel()
	s := fold(t, ended("flwses_2", 9, "pending_review"), retried("flwses_2", 0), step("flwses_2", 5, "selfie_check"))
	assert.Equal(t, "flwses_2", s.ID())
	assert.Equal(t, webhook.EnvironmentLive, s.Environment())
	assert.Equal(t, customer, s.CustomerReference())
	assert.Equal(t, noon.Add(9*time.Second), s.UpdatedAt())
	assert.Equal(t, webhook.StepSelfieCheck, s.LastStep())
	assert.True(t, s.Retried())
	assert.True(t, s.Terminal())
	assert.False(t, fold(t, step("flwses_2", 5, "selfie_check")).Retried())
	assert.False(t, fold(t, step("flwses_2", 5, "selfie_check")).Terminal())
}

func TestTheZeroStateIsReadyToUse(t *testing.T) {
	t.Parallel()
	var s session.State
	assert.True(t, s.IsZero())
	assert.Empty(t, s.Status())
	assert.Empty(t, s.CustomerReference())
	assert.True(t, s.UpdatedAt().IsZero())
	_, fetch := s.NeedsFetch()
	assert.False(t, fetch)

	known := fold(t, step("flwses_1", 1, "kyc_check"))
	require.NoError(t, s.Merge(known))
	assert.True(t, s.Equal(known))
	require.NoError(t, s.Merge(session.State{}))
	assert.True(t, s.Equal(known))
}

func TestACustomerReferenceIsFoundInAnyEvent(t *testing.T) {
	t.Parallel()
	bare := ended("flwses_1", 2, "success").(*webhook.StatusUpdated)
	bare.Session.CustomerReference = ""
	assert.Equal(t, customer, fold(t, bare, step("flwses_1", 1, "kyc_check")).CustomerReference())
}

func TestStateRefusesOtherSessions(t *testing.T) {
	t.Parallel()
	s := fold(t, step("flwses_1", 1, "kyc_check"))
	before := s
	sandbox := step("flwses_1", 2, "screening")
	sandbox.Common().Environment = webhook.EnvironmentSandbox
	require.ErrorIs(t, s.Apply(step("flwses_2", 2, "screening")), session.ErrOtherSession)
	require.ErrorIs(t, s.Apply(sandbox), session.ErrOtherSession)
	require.ErrorIs(t, s.Merge(fold(t, ended("flwses_2", 2, "success"))), session.ErrOtherSession)
	require.ErrorIs(t, s.Apply(ended("", 2, "success")), session.ErrNoSession)
	require.ErrorIs(t, new(session.State).Apply(ended("", 2, "success")), session.ErrNoSession)
	require.NoError(t, s.Apply(&webhook.ScreeningUpdated{}))
	require.NoError(t, s.Apply(&webhook.UnknownEvent{}))
	assert.True(t, s.Equal(before))
}

func TestACopyOfAStateIsIndependent(t *testing.T) {
	t.Parallel()
	s := fold(t, step("flwses_1", 1, "kyc_check"), ended("flwses_1", 2, "expired"))
	left, right := s, s
	require.NoError(t, left.Apply(ended("flwses_1", 3, "success")))
	require.NoError(t, right.Apply(ended("flwses_1", 3, "failed")))
	assert.Equal(t, webhook.StatusExpired, s.Status())
	assert.Equal(t, webhook.StatusSuccess, left.Status())
	assert.Equal(t, webhook.StatusFailed, right.Status())
}

func TestTimesCountWhateverTheirZone(t *testing.T) {
	t.Parallel()
	there, here := step("flwses_1", 1, "kyc_check"), step("flwses_1", 1, "kyc_check")
	there.Common().Timestamp = there.Common().Timestamp.In(time.FixedZone("", 7200))
	assert.True(t, fold(t, there).Equal(fold(t, here)))
	far := step("flwses_1", 1, "kyc_check")
	far.Common().Timestamp = time.Date(20_000, 1, 1, 0, 0, 0, 0, time.UTC)
	assert.True(t, fold(t, far).Equal(stored(t, fold(t, far))))
}

func TestStateJSON(t *testing.T) {
	t.Parallel()
	s := fold(t, ended("flwses_1", 9, "failed"), retried("flwses_1", 0), step("flwses_1", 5, "selfie_check"))
	assert.True(t, s.Equal(stored(t, s)))
	assert.True(t, stored(t, session.State{}).IsZero())

	for name, text := range map[string]string{
		"null":              `null`,
		"no version":        `{"id":"a","environment":"live","reports":[]}`,
		"a later version":   `{"version":2,"id":"a","environment":"live","reports":[]}`,
		"no id":             `{"version":1,"id":"","environment":"live","reports":[{"status":"active"}]}`,
		"an array":          `[]`,
		"something else":    `{"version":1,"reports":{"cafecafe":1}}`,
		"a duplicate":       `{"version":1,"version":1,"reports":[]}`,
		"nothing":           ``,
		"a date beyond RFC": `{"version":1,"id":"a","reports":[{"status":"x","first":"10000-01-01T00:00:00Z"}]}`,
	} {
		kept := s
		err := kept.UnmarshalJSON([]byte(text))
		assert.Equal(t, name == "null", err == nil, name)
		assert.True(t, kept.Equal(s), name)
		if err != nil {
			assert.NotContains(t, err.Error(), customer)
		}
	}
}

func TestEqualStatesGiveEqualJSON(t *testing.T) {
	t.Parallel()
	events := []webhook.Event{step("flwses_1", 1, "kyc_check"), ended("flwses_1", 2, "success"), ended("flwses_1", 3, "on_hold")}
	want, err := fold(t, events...).MarshalJSON()
	require.NoError(t, err)
	slices.Reverse(events)
	got, err := fold(t, events...).MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func TestStatesPrintNoCustomerReference(t *testing.T) {
	t.Parallel()
	s := fold(t, step("flwses_1", 1, "kyc_check"))
	c := foldCustomer(t, step("flwses_1", 1, "kyc_check"), ended("flwses_2", 1, "success"))
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("", "state", s, "customer", c)
	fmt.Fprintf(&b, "%v %+v %#v %s %q %v %+v %#v %s %v %+v", s, s, s, s, &s, c, c, c, &c, session.State{}, session.Customer{})
	assert.NotContains(t, b.String(), customer)
	assert.Contains(t, b.String(), "session flwses_1 active at kyc_check")
	assert.Contains(t, b.String(), "no session")
}

package session_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fetched is a look-up, seconds after noon.
func fetched(id string, seconds int, status webhook.Status, at webhook.Step) session.Fetched {
	return session.Fetched{ID: id, At: noon.Add(time.Duration(seconds) * time.Second), Status: status, Step: at, CustomerReference: customer}
}

func resolved(t testing.TB, s session.State, f session.Fetched) session.State {
	t.Helper()
	require.NoError(t, s.Resolve(f))
	return s
}

// Whatever the reason, the look-up settles it, and what it says is the state.
func TestALookUpSettlesEachReason(t *testing.T) {
	t.Parallel()
	const id = "flwses_1"
	for name, events := range map[session.Reason][]webhook.Event{
		session.ReasonContradiction:       {ended(id, 3, "success"), ended(id, 5, "failed")},
		session.ReasonUnknownStatus:       {ended(id, 3, "on_hold")},
		session.ReasonActiveAfterTerminal: {ended(id, 3, "failed"), step(id, 5, "kyc_check")},
		session.ReasonReviewAfterFinal:    {ended(id, 3, "failed"), ended(id, 5, "pending_review")},
		session.ReasonUndated:             {undated(ended(id, 0, "success"))},
	} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			before := fold(t, events...)
			why, fetch := before.NeedsFetch()
			require.True(t, fetch)
			require.Equal(t, name, why)
			for status, at := range map[webhook.Status]webhook.Step{"active": "selfie_check", "success": "", "failed": "", "on_hold": "", "pending_review": ""} {
				s := resolved(t, before, fetched(id, 9, status, at))
				assert.Equal(t, status, s.Status())
				assert.Equal(t, at, s.Step())
				assert.Equal(t, noon.Add(9*time.Second), s.UpdatedAt())
				_, fetch = s.NeedsFetch()
				assert.False(t, fetch, "after a look-up there is nothing left to look up")
				assert.True(t, s.Settled())
				assert.Equal(t, customer, s.CustomerReference())
				assert.True(t, stored(t, s).Equal(s), "it survives a stay in a database")
				again := s
				for _, e := range events {
					require.NoError(t, again.Apply(e))
				}
				assert.True(t, again.Equal(s), "a redelivery of what was known changes nothing")
			}
			_, fetch = before.NeedsFetch()
			assert.True(t, fetch, "a State is a value")
		})
	}
}

func TestWhatComesAfterALookUp(t *testing.T) {
	t.Parallel()
	const id = "flwses_1"
	contradiction := []webhook.Event{ended(id, 3, "success"), ended(id, 5, "failed")}
	for name, tt := range map[string]struct {
		known  []webhook.Event
		told   session.Fetched
		later  webhook.Event
		status webhook.Status
		at     webhook.Step
		why    session.Reason
		// covered: the event is older than one of its kind that the look-up knew
		covered bool
	}{
		"a later step":                             {[]webhook.Event{undated(step(id, 0, "kyc_check"))}, fetched(id, 9, "active", "kyc_check"), step(id, 11, "selfie_check"), "active", "selfie_check", "", false},
		"an earlier step that was overtaken":       {[]webhook.Event{step(id, 5, "kyc_check")}, fetched(id, 9, "active", "kyc_check"), step(id, 4, "verify_sms"), "active", "kyc_check", "", true},
		"the end":                                  {[]webhook.Event{undated(step(id, 0, "kyc_check"))}, fetched(id, 9, "active", "kyc_check"), ended(id, 11, "failed"), "failed", "", "", false},
		"a step of before the end":                 {contradiction, fetched(id, 9, "success", ""), step(id, 2, "selfie_check"), "success", "", "", false},
		"the same outcome again":                   {contradiction, fetched(id, 9, "success", ""), ended(id, 11, "success"), "success", "", "", false},
		"another outcome":                          {contradiction, fetched(id, 9, "success", ""), ended(id, 11, "expired"), "expired", "", session.ReasonContradiction, false},
		"another outcome of before":                {contradiction, fetched(id, 9, "success", ""), ended(id, 8, "expired"), "success", "", session.ReasonContradiction, false},
		"a step after the end":                     {contradiction, fetched(id, 9, "success", ""), step(id, 11, "selfie_check"), "success", "", session.ReasonActiveAfterTerminal, false},
		"an event without a date":                  {contradiction, fetched(id, 9, "success", ""), undated(ended(id, 0, "failed")), "success", "", session.ReasonUndated, false},
		"the reviewer's verdict":                   {[]webhook.Event{ended(id, 3, "on_hold")}, fetched(id, 9, "pending_review", ""), ended(id, 11, "success"), "success", "", "", false},
		"the unknown status that was looked up":    {[]webhook.Event{ended(id, 3, "on_hold")}, fetched(id, 9, "on_hold", ""), ended(id, 11, "on_hold"), "on_hold", "", "", false},
		"another unknown status":                   {[]webhook.Event{ended(id, 3, "on_hold")}, fetched(id, 9, "on_hold", ""), ended(id, 11, "on_ice"), "on_ice", "", session.ReasonUnknownStatus, false},
		"a look-up of unknown time, a dated event": {contradiction, session.Fetched{ID: id, Status: "active", Step: "kyc_check"}, step(id, 1, "verify_sms"), "active", "verify_sms", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := resolved(t, fold(t, tt.known...), tt.told)
			assert.True(t, s.Settled())
			require.NoError(t, s.Apply(tt.later))
			assert.Equal(t, tt.covered, s.Settled())
			assert.Equal(t, tt.status, s.Status())
			assert.Equal(t, tt.at, s.Step())
			why, _ := s.NeedsFetch()
			assert.Equal(t, tt.why, why)
			s = resolved(t, s, fetched(id, 20, "canceled", ""))
			_, fetch := s.NeedsFetch()
			assert.False(t, fetch)
			assert.Equal(t, webhook.StatusCanceled, s.Status(), "the next look-up settles that too")
		})
	}
}

// An event that is applied while the session is being looked up is not known to the look-up.
func TestResolvingACopyLosesNothingThatCameMeanwhile(t *testing.T) {
	t.Parallel()
	const id = "flwses_1"
	state := fold(t, ended(id, 3, "on_hold"))
	copied := state
	require.NoError(t, state.Apply(ended(id, 10, "failed"))) // while the look-up is on its way
	require.NoError(t, copied.Resolve(fetched(id, 9, "active", "kyc_check")))
	require.NoError(t, state.Merge(copied))
	assert.Equal(t, webhook.StatusFailed, state.Status())
	_, fetch := state.NeedsFetch()
	assert.False(t, fetch)
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	var zero session.State
	require.ErrorIs(t, zero.Resolve(fetched("flwses_1", 1, "success", "")), session.ErrNoEvents)
	assert.True(t, zero.IsZero())
	s := fold(t, step("flwses_1", 1, "kyc_check"))
	before := s
	require.ErrorIs(t, s.Resolve(fetched("flwses_2", 1, "success", "")), session.ErrOtherSession)
	require.ErrorIs(t, s.Resolve(session.Fetched{}), session.ErrOtherSession)
	assert.True(t, s.Equal(before))
	var nobody session.Customer
	require.ErrorIs(t, nobody.Resolve(fetched("flwses_1", 1, "success", "")), session.ErrNoEvents)
	c := foldCustomer(t, step("flwses_1", 1, "kyc_check"))
	known := c
	require.ErrorIs(t, c.Resolve(fetched("flwses_2", 1, "success", "")), session.ErrNoEvents)
	other := fetched("flwses_1", 1, "success", "")
	other.CustomerReference = "another"
	require.ErrorIs(t, c.Resolve(other), session.ErrOtherCustomer)
	assert.True(t, c.Equal(known))
	assert.Nil(t, c.ToFetch())
	assert.Nil(t, nobody.ToFetch())
}

// A look-up tells when a session was created, which is what the order of a customer's sessions hangs on.
func TestLookUpsTellWhichSessionIsCurrent(t *testing.T) {
	t.Parallel()
	const first, second = "flwses_9", "flwses_1"
	created := func(f session.Fetched, seconds int, previous string) session.Fetched {
		f.CreatedAt, f.PreviousSessionID = noon.Add(time.Duration(seconds)*time.Second), previous
		return f
	}
	older, newer := created(fetched(first, 20, "failed", ""), 0, ""), created(fetched(second, 20, "active", "kyc_check"), 0, first)
	for name, tt := range map[string]struct {
		events  []webhook.Event
		why     session.Reason
		fetch   []string
		answers []session.Fetched
		current string
	}{
		"both seem to start at once": {
			[]webhook.Event{step(first, 0, "accept_tos"), step(second, 0, "accept_tos")},
			session.ReasonSameStart, []string{second, first}, []session.Fetched{older, newer}, second},
		"only the cancellation of one is known": {
			[]webhook.Event{retried(second, 5), ended(first, 6, "canceled")},
			session.ReasonUnknownStart, []string{first}, []session.Fetched{created(older, 0, "")}, second},
		"that one is the newer": {
			[]webhook.Event{retried(second, 5), ended(first, 6, "canceled")},
			session.ReasonUnknownStart, []string{first}, []session.Fetched{created(older, 5, second), created(newer, 1, "")}, first},
		"the current one contradicts itself": {
			[]webhook.Event{step(first, 0, "accept_tos"), ended(second, 3, "success"), ended(second, 4, "failed")},
			session.ReasonContradiction, []string{second}, []session.Fetched{newer}, second},
		"a late report made an old session look new": {
			[]webhook.Event{undated(ended(first, 0, "failed")), ended(first, 9, "failed"), step(second, 5, "kyc_check")},
			session.ReasonUndated, []string{first}, []session.Fetched{older}, second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := foldCustomer(t, tt.events...)
			why, _ := c.NeedsFetch()
			assert.Equal(t, tt.why, why)
			assert.Equal(t, tt.fetch, c.ToFetch())
			for _, f := range tt.answers {
				require.NoError(t, c.Resolve(f))
			}
			current, _ := c.Current()
			assert.Equal(t, tt.current, current.ID())
			assert.Nil(t, c.ToFetch())
			assert.True(t, stored(t, c).Equal(c))
		})
	}
}

// Even where the answers tell nothing new, looking up comes to an end.
func TestLookingUpComesToAnEnd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		c := foldCustomer(t, anyEvents(r, 1+r.IntN(10), "flwses_1", "flwses_2", "flwses_3")...)
		asked := map[string]bool{}
		for ids := c.ToFetch(); len(ids) > 0; ids = c.ToFetch() {
			for _, id := range ids {
				require.False(t, asked[id], "asked for once")
				asked[id] = true
				require.NoError(t, c.Resolve(session.Fetched{ID: id, Status: pick(r, []webhook.Status{"active", "success", "on_hold", ""})}))
			}
		}
		_, fetch := c.NeedsFetch()
		require.False(t, fetch)
	}
}

// I106 with look-ups: states that were resolved merge like any others.
func TestMergeOfResolvedStatesObeysTheLaws(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	anyState := func() session.State {
		s := fold(t, anyEvents(r, 1+r.IntN(4), "flwses_1")...)
		for range r.IntN(3) {
			s = resolved(t, s, session.Fetched{
				ID: "flwses_1", At: noon.Add(time.Duration(r.IntN(3)) * time.Second), Status: pick(r, []webhook.Status{"active", "success", "failed", "on_hold"}),
				Step: pick(r, []webhook.Step{"", "kyc_check"}), CreatedAt: noon.Add(time.Duration(r.IntN(2)) * time.Second),
			})
			require.NoError(t, s.Merge(fold(t, anyEvents(r, 1+r.IntN(2), "flwses_1")...)))
		}
		return s
	}
	merge := func(a, b session.State) session.State {
		require.NoError(t, a.Merge(b))
		return a
	}
	for range 3000 {
		a, b, c := anyState(), anyState(), anyState()
		require.True(t, merge(a, b).Equal(merge(b, a)), "commutative")
		require.True(t, merge(merge(a, b), c).Equal(merge(a, merge(b, c))), "associative")
		require.True(t, merge(a, a).Equal(a), "idempotent")
		require.True(t, stored(t, merge(a, b)).Equal(merge(a, b)))
	}
}

package idvtest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestContractServiceSendsEvents(t *testing.T) {
	t.Parallel()
	t.Run("W01 events are POSTed as JSON to the registered address", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := newReceiver(t, s)
		r.subscribe(t, "/any/route?tenant=7")
		s.StartSession("ref")
		m := r.only(t)
		assert.Equal(t, http.MethodPost, m.request.Method)
		assert.Equal(t, "/any/route?tenant=7", m.request.RequestURI)
		assert.True(t, json.Valid(m.body))
	})
	t.Run("W02 a subscription receives the kinds selected for it, and no other", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		steps, outcomes := listen(t, s, idvtest.KindStepUpdated), listen(t, s, idvtest.KindStatusUpdated, idvtest.KindRetried)
		lifetime(t, s, "ref")
		assert.Equal(t, []string{"step.updated accept_tos", "step.updated verify_sms", "step.updated selfie_check"}, steps.story())
		assert.Equal(t, []string{"status.updated failed", "retried accept_tos", "status.updated success"}, outcomes.story())
	})
	t.Run("W03 customerReference comes back in every event", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s)
		reference := `Zoë "<&>" 3a409367-a417 ` + "\u2028"
		lifetime(t, s, reference)
		require.Equal(t, 6, r.count())
		for _, m := range r.messages() {
			assert.Equal(t, reference, m.event.Data["customer_reference"])
		}
		verified(t, r)
	})
	t.Run("W04 an event has id, timestamp, event, data and environment", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t, idvtest.WithStartTime(time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)))
		r := listen(t, s)
		lifetime(t, s, "ref")
		ids, times := map[string]bool{}, []time.Time(nil)
		for _, m := range r.messages() {
			var members map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(m.body, &members))
			assert.ElementsMatch(t, []string{"id", "timestamp", "event", "data", "environment"}, keys(members))
			assert.Regexp(t, `^whkevt_.+`, m.event.ID)
			at, err := time.Parse(time.RFC3339, m.event.Timestamp)
			require.NoError(t, err)
			assert.Equal(t, time.UTC, at.Location())
			times = append(times, at)
			ids[m.event.ID] = true
		}
		assert.Equal(t, s.Clock.Now(), times[0])
		for i := range times[1:] {
			assert.True(t, times[i+1].After(times[i]), "timestamps tell the order of events")
		}
		assert.Len(t, ids, 6, "every event has an id of its own")
	})
	t.Run("W05 the environment is sandbox or live", func(t *testing.T) {
		t.Parallel()
		for environment, opts := range map[string][]idvtest.Option{"sandbox": nil, "live": {idvtest.WithLiveEnvironment()}} {
			s := idvtest.Start(t, opts...)
			r := listen(t, s)
			s.StartSession("ref")
			assert.Equal(t, environment, r.only(t).event.Environment)
			assert.True(t, strings.HasPrefix(s.WebhookKeyID, environment))
		}
	})
	t.Run("W06 data has object, id, status, step, customer_reference and _meta", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s)
		session := s.StartSession("ref")
		assert.Regexp(t, `^flwses_.+`, session.ID)
		assert.Equal(t, map[string]any{
			"object": "flow_session", "id": session.ID, "status": "active", "step": "accept_tos", "customer_reference": "ref",
			"_meta": "This API format is not v1.0 and is subject to change.",
		}, r.only(t).event.Data)
	})
}

func TestContractServicePlaysSessions(t *testing.T) {
	t.Parallel()
	steps := []string{"accept_tos", "verify_sms", "kyc_check", "documentary_verification", "selfie_check", "screening", "risk_check", "kyc_screen"}
	outcomes := []string{"success", "failed", "expired", "canceled", "pending_review"}

	t.Run("W07 the eight steps can be entered, others are refused", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s)
		session := s.StartSession("ref")
		for _, step := range steps {
			require.NoError(t, session.EnterStep(step))
		}
		require.ErrorIs(t, session.EnterStep("verify_fax"), idvtest.ErrUnknownValue)
		require.ErrorIs(t, session.EnterStep(""), idvtest.ErrUnknownValue)
		var told []string
		for _, m := range r.messages() {
			told = append(told, m.event.Data["step"].(string))
		}
		assert.Equal(t, steps, told)
	})
	t.Run("W08 the six statuses are told, others are refused", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s)
		for _, status := range outcomes {
			require.NoError(t, s.StartSession("ref").Finish(status))
		}
		require.ErrorIs(t, s.StartSession("ref").Finish("active"), idvtest.ErrUnknownValue)
		require.ErrorIs(t, s.StartSession("ref").Finish("great"), idvtest.ErrUnknownValue)
		told := map[any]bool{}
		for _, m := range r.messages() {
			told[m.event.Data["status"]] = true
		}
		assert.Len(t, told, 6)
	})
	t.Run("W09 step.updated has status active and the step", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		session := s.StartSession("ref")
		r := listen(t, s)
		require.NoError(t, session.EnterStep("selfie_check"))
		m := r.only(t)
		assert.Equal(t, "flow_session.step.updated", m.event.Event)
		assert.Equal(t, "active", m.event.Data["status"])
		assert.Equal(t, "selfie_check", m.event.Data["step"])
	})
	t.Run("W10 status.updated has one of five statuses and step null", func(t *testing.T) {
		t.Parallel()
		for _, status := range outcomes {
			s := idvtest.Start(t)
			session := s.StartSession("ref")
			r := listen(t, s)
			require.NoError(t, session.Finish(status))
			m := r.only(t)
			assert.Equal(t, "flow_session.status.updated", m.event.Event)
			assert.Equal(t, status, m.event.Data["status"])
			assert.Contains(t, string(m.body), `"step":null`)
		}
	})
	t.Run("W11 retried tells of a new session, active at its first step", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		old := s.StartSession("ref")
		require.NoError(t, old.Finish("failed"))
		r := listen(t, s)
		next, err := old.Retry()
		require.NoError(t, err)
		m := r.only(t)
		assert.Equal(t, "flow_session.retried", m.event.Event)
		assert.Equal(t, next.ID, m.event.Data["id"])
		assert.NotEqual(t, old.ID, next.ID)
		assert.Equal(t, "active", m.event.Data["status"])
		assert.Equal(t, "accept_tos", m.event.Data["step"])
		assert.Equal(t, "ref", m.event.Data["customer_reference"])
	})
	t.Run("W12 screening events are sent when the product is connected", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t, idvtest.WithScreening())
		session := s.StartSession("ref")
		r := listen(t, s)
		require.NoError(t, session.Screen("hit"))
		require.NoError(t, session.ScreenEntity("no_hit"))
		assert.Equal(t, []string{"screening.status.updated hit", "entity_screening.status.updated no_hit"}, r.story())
		verified(t, r)

		require.ErrorIs(t, idvtest.Start(t).StartSession("ref").Screen("hit"), idvtest.ErrNotConnected)
	})
	t.Run("W28 any order is possible", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t, idvtest.WithShuffledDeliveries(1))
		r := listen(t, s)
		lifetime(t, s, "ref")
		assert.Empty(t, r.messages())
		s.Clock.Advance(0)
		inOrder := []string{"step.updated accept_tos", "step.updated verify_sms", "status.updated failed",
			"retried accept_tos", "step.updated selfie_check", "status.updated success"}
		assert.ElementsMatch(t, inOrder, r.story())
		assert.NotEqual(t, inOrder, r.story())
		verified(t, r)
	})
	t.Run("W29 a retry is asked for from the dashboard or the API", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		first := s.StartSession("ref")
		second, err := s.Dashboard().RetrySession(first.ID)
		require.NoError(t, err)
		assert.Equal(t, first.ID, second.PreviousSessionID)
		third := flowAPI{t, s}.post("/flow_sessions/retry",
			`{"customer_reference":"ref","template_id":"`+idvtest.FlowTemplate+`","strategy":"reset"}`).session(http.StatusCreated)
		assert.Equal(t, second.ID, third["previous_session_id"])
		assert.Equal(t, "active", third["status"])
	})
}

func TestContractServiceSignsDeliveries(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithStartTime(time.Date(2021, 1, 23, 21, 43, 14, 0, time.UTC)))
	r := newReceiver(t, s)
	r.subscribe(t, "/webhook_receivers/fl%6Fw/a%2Fb//%C3%A9?tenant=7")
	s.StartSession("ref")
	m := r.only(t)
	h := m.request.Header
	t.Run("W13 the seven headers are there", func(t *testing.T) {
		assert.Equal(t, "Sat, 23 Jan 2021 21:43:14 GMT", h.Get("Date"))
		assert.Equal(t, "application/json", h.Get("Content-Type"))
		assert.Equal(t, "application/json", h.Get("Accept"))
		assert.Equal(t, strconv.Itoa(len(m.body)), h.Get("Content-Length"))
		for _, name := range []string{"Digest", "Authorization", "Service-Version"} {
			assert.NotEmpty(t, h.Get(name))
		}
		assert.Len(t, keys(h), 8, "beyond the seven, only Connection")
	})
	t.Run("W14 the Digest is SHA-256= and the Base64 of the raw body's hash", func(t *testing.T) {
		assert.Equal(t, digest(m.body), h.Get("Digest"))
	})
	path := "/webhook_receivers/fl%6Fw/a%2Fb//%C3%A9"
	want := authorization(s.WebhookKeyID, s.WebhookSecret, "POST", path, h.Get("Date"), m.body)
	t.Run("W16 the signing string has the path as sent, without the query", func(t *testing.T) {
		assert.Equal(t, want, h.Get("Authorization"))
	})
	t.Run("W17 the signature is keyed with the secret", func(t *testing.T) {
		other := authorization(s.WebhookKeyID, s.WebhookSecret+"x", "POST", path, h.Get("Date"), m.body)
		assert.NotEqual(t, other, h.Get("Authorization"))
		assert.Contains(t, h.Get("Authorization"), want[strings.LastIndex(want, `signature="`):])
	})
	t.Run("W18 the Authorization value is as documented, to the letter", func(t *testing.T) {
		form := regexp.MustCompile(`^Signature keyId="(.*)",algorithm="hmac-sha256",headers="\(request-target\) date digest",signature="(.*)"$`)
		parts := form.FindStringSubmatch(h.Get("Authorization"))
		require.Len(t, parts, 3)
		assert.Equal(t, s.WebhookKeyID, parts[1])
		mac, err := base64.StdEncoding.DecodeString(parts[2])
		require.NoError(t, err)
		assert.Len(t, mac, 32)
	})
	t.Run("W30 Service-Version is a date", func(t *testing.T) {
		_, err := time.Parse(time.DateOnly, h.Get("Service-Version"))
		assert.NoError(t, err)
	})
}

func TestContractServiceRedelivers(t *testing.T) {
	t.Parallel()
	t.Run("W22 only status 200 counts as delivered", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{200, 201, 202, 204, 301, 302, 307, 400, 401, 404, 410, 429, 500, 503} {
			s := idvtest.Start(t)
			r := listen(t, s, idvtest.KindStepUpdated)
			r.answer(status)
			s.StartSession("ref")
			s.Clock.Advance(96 * time.Hour)
			if status == 200 {
				assert.Equal(t, 1, r.count())
			} else {
				assert.Equal(t, 8, r.count(), "status %d", status)
			}
		}
	})
	t.Run("W23 an event is redelivered at most 7 times, and is the same each time", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s, idvtest.KindStepUpdated)
		r.answer(500)
		s.StartSession("ref")
		for range 30 {
			s.Clock.Advance(24 * time.Hour)
			r.answer(200)
			s.StartSession("delivered, so that the webhook is not disabled")
			r.answer(500)
		}
		var got []message
		for _, m := range r.messages() {
			if m.event.Data["customer_reference"] == "ref" {
				got = append(got, m)
			}
		}
		require.Equal(t, 8, len(got))
		signatures := map[string]bool{}
		for _, m := range got {
			assert.True(t, bytes.Equal(got[0].body, m.body), "the same bytes")
			signatures[m.request.Header.Get("Authorization")] = true
		}
		assert.Len(t, signatures, 8, "each has a date and a signature of its own")
		verified(t, r)
	})
	t.Run("W24 redelivery backs off exponentially, and ends about 4 days after the first attempt", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s, idvtest.KindStepUpdated)
		r.answer(500)
		began := s.Clock.Now()
		s.StartSession("ref")
		s.Clock.Advance(1000 * time.Hour)
		times := dates(t, r)
		require.Len(t, times, 8)
		assert.Equal(t, began, times[0])
		assert.InDelta(t, 96, times[7].Sub(began).Hours(), 0.01)
		for i := 2; i < 8; i++ {
			growth := float64(times[i].Sub(times[i-1])) / float64(times[i-1].Sub(times[i-2]))
			assert.InDelta(t, 3, growth, 0.1, "wait %d", i)
		}
	})
	t.Run("W25 three days of only errors bring a warning", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := newReceiver(t, s)
		r.answer(500)
		hook := r.subscribe(t, "/hook", idvtest.KindStepUpdated)
		began := s.Clock.Now()
		s.StartSession("ref")
		s.Clock.Advance(72*time.Hour - 1)
		assert.Empty(t, s.Dashboard().Mails())
		s.Clock.Advance(1000 * time.Hour)
		mails := s.Dashboard().Mails()
		require.Len(t, mails, 1)
		assert.Equal(t, began.Add(72*time.Hour), mails[0].Time)
		assert.Equal(t, hook.ID, mails[0].WebhookID)
	})
	t.Run("W26 a further day disables the webhook", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s, idvtest.KindStepUpdated)
		r.answer(500)
		s.StartSession("ref")
		s.Clock.Advance(96*time.Hour - 1)
		assert.True(t, s.Dashboard().Webhooks()[0].Enabled)
		s.Clock.Advance(1)
		assert.False(t, s.Dashboard().Webhooks()[0].Enabled)
		before := r.count()
		s.StartSession("another")
		s.Clock.Advance(1000 * time.Hour)
		assert.Equal(t, before, r.count(), "nothing is sent any more")
	})
	t.Run("W27 a disabled webhook can be turned on again", func(t *testing.T) {
		t.Parallel()
		s := idvtest.Start(t)
		r := listen(t, s, idvtest.KindStepUpdated)
		r.answer(500)
		s.StartSession("ref")
		s.Clock.Advance(96 * time.Hour)
		hook := s.Dashboard().Webhooks()[0]
		require.False(t, hook.Enabled)
		r.answer(200)
		require.NoError(t, s.Dashboard().EnableWebhook(hook.ID))
		assert.True(t, s.Dashboard().Webhooks()[0].Enabled)
		s.StartSession("another")
		story := r.story()
		assert.Len(t, story, 9)
		assert.Equal(t, 200, s.Dashboard().Deliveries()[8].Status)
	})
}

func keys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

func dates(t *testing.T, r *receiver) []time.Time {
	t.Helper()
	var times []time.Time
	for _, m := range r.messages() {
		date, err := http.ParseTime(m.request.Header.Get("Date"))
		require.NoError(t, err)
		times = append(times, date)
	}
	return times
}

package idvtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestCreateWebhookRefusesWhatCannotBeDelivered(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	for _, url := range []string{"", "/hook", "ftp://127.0.0.1/", "http://", "http://:80/", "http://user:hush@127.0.0.1/", "http://127.0.0.1/#hush", "http://hush%zz/"} {
		_, err := s.Dashboard().CreateWebhook(url)
		require.ErrorIs(t, err, idvtest.ErrInvalidURL, url)
		assert.NotContains(t, err.Error(), "hush")
	}
	_, err := s.Dashboard().CreateWebhook("http://127.0.0.1/", idvtest.KindRetried, "flow_session.moved")
	require.ErrorIs(t, err, idvtest.ErrUnknownValue)
	assert.ErrorContains(t, err, `"flow_session.moved"; known are flow_session.step.updated, `)
	assert.Empty(t, s.Dashboard().Webhooks())
}

func TestWebhooksAreListed(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	some, err := s.Dashboard().CreateWebhook("http://127.0.0.1:1/some", idvtest.KindRetried)
	require.NoError(t, err)
	all, err := s.Dashboard().CreateWebhook("http://127.0.0.1:1/all")
	require.NoError(t, err)
	assert.Equal(t, []idvtest.Webhook{some, all}, s.Dashboard().Webhooks())
	assert.Equal(t, "http://127.0.0.1:1/some", some.URL)
	assert.Equal(t, []string{idvtest.KindRetried}, some.Kinds)
	assert.Len(t, all.Kinds, 5)
	assert.NotEqual(t, some.ID, all.ID)
	assert.True(t, some.Enabled)
	s.Dashboard().Webhooks()[0].Kinds[0] = "mine"
	assert.Equal(t, []string{idvtest.KindRetried}, s.Dashboard().Webhooks()[0].Kinds, "a copy")
}

func TestASuccessEndsTheCountdown(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s, idvtest.KindStepUpdated)
	state := func() idvtest.Webhook { return s.Dashboard().Webhooks()[0] }
	began := s.Clock.Now()
	r.answer(500)
	s.StartSession("fails")
	s.Clock.Advance(71 * time.Hour)
	assert.Equal(t, began, state().FailingSince)
	r.answer(200)
	s.StartSession("succeeds")
	assert.True(t, state().FailingSince.IsZero())
	r.answer(500)
	s.StartSession("fails again")
	s.Clock.Advance(72*time.Hour - 1)
	assert.Empty(t, s.Dashboard().Mails())
	assert.True(t, state().Enabled)
	s.Clock.Advance(1)
	assert.Len(t, s.Dashboard().Mails(), 1)
	s.Clock.Advance(24*time.Hour - 1)
	assert.True(t, state().Enabled)
	s.Clock.Advance(1)
	assert.False(t, state().Enabled)
}

func TestASuccessAfterTheWarningKeepsTheWebhook(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s, idvtest.KindStepUpdated)
	r.answer(500)
	s.StartSession("fails")
	s.Clock.Advance(80 * time.Hour)
	require.Len(t, s.Dashboard().Mails(), 1)
	r.answer(200)
	s.Clock.Advance(16 * time.Hour)
	assert.Equal(t, 8, r.count(), "the last redelivery succeeds")
	assert.True(t, s.Dashboard().Webhooks()[0].Enabled)
	s.Clock.Advance(1000 * time.Hour)
	assert.True(t, s.Dashboard().Webhooks()[0].Enabled)
	assert.Len(t, s.Dashboard().Mails(), 1)
}

func TestDisablingDropsWhatIsPending(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s, idvtest.KindStepUpdated)
	r.answer(500)
	s.StartSession("first")
	s.Clock.Advance(95 * time.Hour)
	s.StartSession("has redeliveries to come")
	s.Clock.Advance(time.Hour)
	hook := s.Dashboard().Webhooks()[0]
	require.False(t, hook.Enabled)
	s.StartSession("raised while disabled")
	count := r.count()

	r.answer(200)
	require.NoError(t, s.Dashboard().EnableWebhook(hook.ID))
	s.Clock.Advance(1000 * time.Hour)
	assert.Equal(t, count, r.count(), "neither comes back")
	s.StartSession("raised afterwards")
	assert.Equal(t, count+1, r.count())
	assert.Equal(t, "raised afterwards", r.messages()[count].event.Data["customer_reference"])
}

func TestWhatIsRaisedWhileDisabledIsNotHeldBackEither(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithShuffledDeliveries(1))
	r := listen(t, s, idvtest.KindStepUpdated)
	r.answer(500)
	s.StartSession("fails")
	s.Clock.Advance(96 * time.Hour)
	s.StartSession("raised while disabled")
	require.NoError(t, s.Dashboard().EnableWebhook(s.Dashboard().Webhooks()[0].ID))
	s.Clock.Advance(0)
	assert.Equal(t, 8, r.count())
}

func TestAnEnabledWebhookStartsAfresh(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s, idvtest.KindStepUpdated)
	r.answer(500)
	s.StartSession("fails")
	s.Clock.Advance(96 * time.Hour)
	id := s.Dashboard().Webhooks()[0].ID
	require.NoError(t, s.Dashboard().EnableWebhook(id))
	assert.True(t, s.Dashboard().Webhooks()[0].FailingSince.IsZero())
	s.StartSession("fails still")
	s.Clock.Advance(96*time.Hour - 1)
	assert.True(t, s.Dashboard().Webhooks()[0].Enabled)
	assert.Len(t, s.Dashboard().Mails(), 2, "a warning for each time")
	require.NoError(t, s.Dashboard().EnableWebhook(id), "it is enabled: nothing happens")
	s.Clock.Advance(1)
	assert.False(t, s.Dashboard().Webhooks()[0].Enabled)
	require.ErrorIs(t, s.Dashboard().EnableWebhook("whk_x"), idvtest.ErrNoWebhook)
}

func TestWebhooksFailEachForItself(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	broken, working := listen(t, s, idvtest.KindStepUpdated), listen(t, s, idvtest.KindStepUpdated)
	broken.answer(500)
	s.StartSession("ref")
	s.Clock.Advance(96 * time.Hour)
	assert.Equal(t, 8, broken.count())
	assert.Equal(t, 1, working.count())
	hooks := s.Dashboard().Webhooks()
	assert.False(t, hooks[0].Enabled)
	assert.True(t, hooks[1].Enabled)
	assert.Equal(t, broken.messages()[0].body, working.messages()[0].body, "one event")
}

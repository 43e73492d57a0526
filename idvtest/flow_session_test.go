package idvtest_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestSessionTellsOfAStepOnlyWhenItChanges(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s)
	session := s.StartSession("ref")
	require.NoError(t, session.EnterStep(idvtest.StepAcceptTOS))
	require.NoError(t, session.EnterStep(idvtest.StepVerifySMS))
	require.NoError(t, session.EnterStep(idvtest.StepVerifySMS))
	require.NoError(t, session.EnterStep(idvtest.StepAcceptTOS), "a user may go back")
	assert.Equal(t, []string{"step.updated accept_tos", "step.updated verify_sms", "step.updated accept_tos"}, r.story())
	assert.Equal(t, idvtest.StepAcceptTOS, session.Step())
	assert.Equal(t, idvtest.StatusActive, session.Status())
}

func TestSessionEndsOnce(t *testing.T) {
	t.Parallel()
	for _, outcome := range []string{"success", "failed", "expired", "canceled"} {
		s := idvtest.Start(t)
		session := s.StartSession("ref")
		require.NoError(t, session.Finish(outcome))
		r := listen(t, s)
		err := session.EnterStep(idvtest.StepVerifySMS)
		require.ErrorIs(t, err, idvtest.ErrSessionEnded)
		assert.Contains(t, err.Error(), session.ID+" is "+outcome)
		require.ErrorIs(t, session.Finish(idvtest.StatusSuccess), idvtest.ErrSessionEnded)
		s.Clock.Advance(100 * time.Hour)
		assert.Equal(t, outcome, session.Status())
		assert.Empty(t, r.story())
	}
}

func TestSessionIsReviewedOnce(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s, idvtest.KindStatusUpdated)
	session := s.StartSession("ref")
	require.NoError(t, session.Finish(idvtest.StatusPendingReview))
	require.ErrorIs(t, session.EnterStep(idvtest.StepVerifySMS), idvtest.ErrSessionEnded)
	require.ErrorIs(t, session.Finish(idvtest.StatusPendingReview), idvtest.ErrSessionEnded)
	s.Clock.Advance(100 * time.Hour)
	require.NoError(t, session.Finish(idvtest.StatusSuccess))
	require.ErrorIs(t, session.Finish(idvtest.StatusFailed), idvtest.ErrSessionEnded)
	assert.Equal(t, []string{"status.updated pending_review", "status.updated success"}, r.story())
}

func TestSessionExpiresAfter48Hours(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	session := s.StartSession("ref")
	s.Clock.Advance(47 * time.Hour)
	require.NoError(t, session.EnterStep(idvtest.StepSelfieCheck))
	r := listen(t, s)
	s.Clock.Advance(time.Hour - 1)
	assert.Equal(t, idvtest.StatusActive, session.Status())
	s.Clock.Advance(1)
	assert.Equal(t, idvtest.StatusExpired, session.Status())
	assert.Equal(t, []string{"status.updated expired"}, r.story())
	assert.Equal(t, "2025-01-03T00:00:00Z", r.only(t).event.Timestamp)
}

func TestRetryCancelsAnActivePredecessor(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	first := s.StartSession("ref")
	s.Clock.Advance(40 * time.Hour)
	r := listen(t, s)
	second, err := first.Retry()
	require.NoError(t, err)
	assert.Equal(t, []string{"status.updated canceled", "retried accept_tos"}, r.story())
	assert.Equal(t, first.ID, r.messages()[0].event.Data["id"])
	assert.Equal(t, second.ID, r.messages()[1].event.Data["id"])
	assert.Equal(t, idvtest.StatusCanceled, first.Status())
	assert.Equal(t, first.ID, second.PreviousSessionID)
	assert.Empty(t, first.PreviousSessionID)
	s.Clock.Advance(47 * time.Hour)
	assert.Equal(t, idvtest.StatusActive, second.Status(), "it has 48 hours of its own")
	s.Clock.Advance(time.Hour)
	assert.Equal(t, idvtest.StatusExpired, second.Status())
}

func TestRetryLeavesAFinishedPredecessor(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	for _, outcome := range []string{"success", "failed", "expired", "pending_review"} {
		session := s.StartSession("ref")
		require.NoError(t, session.Finish(outcome))
		_, err := session.Retry()
		require.NoError(t, err)
		assert.Equal(t, outcome, session.Status())
	}
}

func TestRetryHappensOnce(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	first := s.StartSession("ref")
	second, err := first.Retry()
	require.NoError(t, err)
	_, err = first.Retry()
	require.ErrorIs(t, err, idvtest.ErrAlreadyRetried)
	assert.Contains(t, err.Error(), second.ID)
	_, err = s.Dashboard().RetrySession(first.ID)
	require.ErrorIs(t, err, idvtest.ErrAlreadyRetried)
	_, err = second.Retry()
	require.NoError(t, err)
}

func TestSessionsAreFoundByTheirID(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	session := s.StartSession("ref")
	found, err := s.FlowSession(session.ID)
	require.NoError(t, err)
	assert.Same(t, session, found)
	_, err = s.FlowSession("flwses_x")
	require.ErrorIs(t, err, idvtest.ErrNoSession)
	_, err = s.Dashboard().RetrySession("flwses_x")
	require.ErrorIs(t, err, idvtest.ErrNoSession)
}

func TestFutureFormatAddsWhatReceiversMustSurvive(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithFutureFormat())
	r := listen(t, s)
	session := s.StartSession("ref")
	require.NoError(t, session.EnterStep("verify_fax"))
	require.ErrorIs(t, session.Finish(idvtest.StatusActive), idvtest.ErrUnknownValue)
	require.NoError(t, session.Finish("on_hold"))
	assert.Equal(t, []string{"step.updated accept_tos", "step.updated verify_fax", "status.updated on_hold"}, r.story())
	for _, m := range r.messages() {
		assert.NotNil(t, m.event.Data["added_later"])
		assert.Equal(t, "This API format is v1.0.", m.event.Data["_meta"])
		assert.Contains(t, string(m.body), `"environment":"sandbox","added_later"`)
	}
	verified(t, r)
}

func TestSessionsRunConcurrently(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := listen(t, s)
	var users sync.WaitGroup
	for i := range 32 {
		users.Go(func() {
			session := s.StartSession(fmt.Sprint("ref", i))
			assert.NoError(t, session.EnterStep(idvtest.StepKYCCheck))
			s.Clock.Advance(time.Second)
			next, err := session.Retry()
			if assert.NoError(t, err) {
				assert.NoError(t, next.Finish(idvtest.StatusSuccess))
			}
			_ = s.Dashboard().Deliveries()
			_ = s.Dashboard().Webhooks()
		})
	}
	users.Wait()
	assert.Equal(t, 32*5, r.count())
	assert.Len(t, s.Dashboard().Deliveries(), 32*5)
	verified(t, r)
}

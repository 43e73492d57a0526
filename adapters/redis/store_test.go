package redis_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/adapters/redis"
	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
)

// The server's clock is the real one: long enough that no machine is too slow for it.
const lease, retention = time.Second, 6 * time.Second

var (
	key  = webhook.SeenKey{Environment: webhook.EnvironmentLive, KeyID: "live_key_1", EventID: "whkevt_1"}
	body = sha256.Sum256([]byte("the body"))
)

// client is a client of its own, as another machine has.
func client(t testing.TB, server *servertest.Server, change ...func(*goredis.Options)) *goredis.Client {
	t.Helper()
	options, err := goredis.ParseURL(server.URL)
	require.NoError(t, err)
	options.ContextTimeoutEnabled = true
	for _, f := range change {
		f(options)
	}
	c := goredis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func newStore(t testing.TB, c goredis.Scripter, opts ...redis.Option) *redis.Store {
	t.Helper()
	s, err := redis.New(c, opts...)
	require.NoError(t, err)
	return s
}

func TestTheStoreIsASeenStore(t *testing.T) {
	t.Parallel()
	server := servertest.Redis(t)
	one, other := client(t, server), client(t, server)
	seentest.Run(t, func(t *testing.T) seentest.Subject {
		t.Parallel()
		opts := []redis.Option{redis.WithPrefix("test:" + rand.Text() + ":"), redis.WithLease(lease), redis.WithRetention(retention)}
		return seentest.Subject{Store: newStore(t, one, opts...), Peer: newStore(t, other, opts...), Lease: lease, Retention: retention}
	})
}

func TestTheServerDiesAndNothingIsLostOrHandledTwice(t *testing.T) {
	t.Parallel()
	server := servertest.Redis(t).Own()
	var stores []webhook.SeenStore
	for range 3 {
		stores = append(stores, newStore(t, client(t, server), redis.WithLease(10*time.Second)))
	}
	seentest.RunCrash(t, seentest.Crash{Stores: stores, Restart: server.Restart})
}

func TestWhatIsInRedis(t *testing.T) {
	t.Parallel()
	server := servertest.Redis(t)
	c, prefix := client(t, server), "test:"+rand.Text()+":"
	s := newStore(t, c, redis.WithPrefix(prefix))
	claim, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)

	keys, err := c.Keys(t.Context(), prefix+"*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1, "one key for each event, or a cluster could not run the scripts")
	all, err := c.HGetAll(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	for name, value := range all {
		assert.NotContains(t, keys[0]+name+value, key.KeyID)
		assert.NotContains(t, keys[0]+name+value, key.EventID)
	}
	kept := func() time.Duration { return c.PTTL(t.Context(), keys[0]).Val() }
	assert.Greater(t, kept(), 6*24*time.Hour, "an outlived claim can still be committed")
	require.NoError(t, c.PExpire(t.Context(), keys[0], time.Hour).Err())
	require.NoError(t, s.Commit(t.Context(), key, claim.Token))
	assert.Greater(t, kept(), 6*24*time.Hour, "the retention begins with the commit")
	assert.LessOrEqual(t, kept(), 7*24*time.Hour)
	require.NoError(t, c.PExpire(t.Context(), keys[0], time.Hour).Err())
	require.NoError(t, s.Commit(t.Context(), key, claim.Token))
	assert.LessOrEqual(t, kept(), time.Hour, "and not anew with its repetition")

	size, err := c.MemoryUsage(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	assert.Less(t, size, int64(320), "the documentation promises about 300 bytes")
}

func TestATokenExceedsThoseOfAForgottenEvent(t *testing.T) {
	t.Parallel()
	c := client(t, servertest.Redis(t))
	s := newStore(t, c, redis.WithPrefix("test:"+rand.Text()+":"), redis.WithLease(time.Millisecond), redis.WithRetention(50*time.Millisecond))
	first, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	time.Sleep(100 * time.Millisecond)
	require.ErrorIs(t, s.Commit(t.Context(), key, first.Token), webhook.ErrClaimLost, "the event is forgotten")
	second, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	assert.Greater(t, second.Token, first.Token)
}

// The client repeats by itself a call whose answer is lost. Taken for another worker's, that claim would be out of reach for a lease.
func TestAClaimWhoseAnswerIsLostIsStillTheCallers(t *testing.T) {
	t.Parallel()
	server := servertest.Redis(t)
	var cut atomic.Bool
	address := proxy(t, strings.TrimSuffix(strings.TrimPrefix(server.URL, "redis://"), "/0"), &cut)
	c := client(t, server, func(o *goredis.Options) {
		o.Dialer = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", address)
		}
	})
	s := newStore(t, c, redis.WithPrefix("test:"+rand.Text()+":"))
	_, err := s.Claim(t.Context(), webhook.SeenKey{}, body)
	require.NoError(t, err, "the script is known, the connection is up")

	cut.Store(true)
	claim, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.False(t, cut.Load(), "an answer was lost")
	assert.Equal(t, webhook.Claimed, claim.Outcome)
	require.NoError(t, s.Commit(t.Context(), key, claim.Token))
}

// proxy passes everything on; where cut is set, it takes the next answer away, and the connection with it.
func proxy(t *testing.T, upstream string, cut *atomic.Bool) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			down, err := l.Accept()
			if err != nil {
				return
			}
			go pass(down, upstream, cut)
		}
	}()
	return l.Addr().String()
}

func pass(down net.Conn, upstream string, cut *atomic.Bool) {
	defer down.Close()
	up, err := net.Dial("tcp", upstream)
	if err != nil {
		return
	}
	defer up.Close()
	go func() { _, _ = io.Copy(up, down); _ = up.Close() }()
	answers := bufio.NewReader(up)
	for {
		if _, err := answers.Peek(1); err != nil || cut.CompareAndSwap(true, false) {
			return
		}
		part, _ := answers.Peek(answers.Buffered())
		n, _ := down.Write(part)
		_, _ = answers.Discard(n)
	}
}

func TestAServerThatDoesNotAnswerIsNotWaitedForLongerThanTheContext(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	s := newStore(t, client(t, &servertest.Server{URL: "redis://" + l.Addr().String()}, func(o *goredis.Options) { o.ReadTimeout = time.Hour }))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Claim(ctx, key, body)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, s.Commit(ctx, key, 1), context.DeadlineExceeded)
	require.ErrorIs(t, s.Release(ctx, key, 1), context.DeadlineExceeded)
}

func TestErrorsNameTheStepAndNoKey(t *testing.T) {
	t.Parallel()
	c, prefix := client(t, servertest.Redis(t)), "test:"+rand.Text()+":"
	s := newStore(t, c, redis.WithPrefix(prefix))
	_, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	keys, err := c.Keys(t.Context(), prefix+"*").Result()
	require.NoError(t, err)
	require.NoError(t, c.Set(t.Context(), keys[0], "something else", 0).Err())

	_, claimErr := s.Claim(t.Context(), key, body)
	for step, err := range map[string]error{
		"claim": claimErr, "commit": s.Commit(t.Context(), key, 1), "release": s.Release(t.Context(), key, 1),
	} {
		require.ErrorContains(t, err, "redis: "+step+": WRONGTYPE")
		assert.NotErrorIs(t, err, webhook.ErrClaimLost)
		assert.NotContains(t, err.Error(), key.KeyID)
		assert.NotContains(t, err.Error(), key.EventID)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	c := goredis.NewClient(&goredis.Options{Addr: "127.0.0.1:1"})
	defer c.Close()
	for want, tt := range map[string]struct {
		client goredis.Scripter
		opt    redis.Option
	}{
		"needs a client":               {nil, redis.WithPrefix("p")},
		"WithPrefix":                   {c, redis.WithPrefix("")},
		"WithLease(0s)":                {c, redis.WithLease(0)},
		"WithRetention(-1s)":           {c, redis.WithRetention(-time.Second)},
		"shorter than the retention":   {c, redis.WithLease(8 * 24 * time.Hour)},
		"must be shorter than the ret": {c, redis.WithRetention(time.Second)},
	} {
		_, err := redis.New(tt.client, tt.opt)
		assert.ErrorContains(t, err, want)
	}
}

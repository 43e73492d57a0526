package servertest

import (
	"net"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func dial(t *testing.T, s *Server) error {
	t.Helper()
	u, err := url.Parse(s.URL)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", u.Host)
	if err == nil {
		require.NoError(t, conn.Close())
	}
	return err
}

func TestAServerIsKilledAndStartedAgain(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) *Server{
		"redis":    func(tb testing.TB) *Server { return Redis(tb, "appendfsync=everysec") },
		"postgres": func(tb testing.TB) *Server { return Postgres(tb, QuickRecovery) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t).Own()
			require.NoError(t, dial(t, s))
			s.Kill()
			require.Error(t, dial(t, s))
			s.Start()
			require.NoError(t, dial(t, s))
			s.Restart()
			require.NoError(t, dial(t, s))
		})
	}
}

// The test of another program must not find, nor kill, what it was not told of.
func TestAServerOfTheEnvironmentIsNotKilled(t *testing.T) {
	t.Setenv("IDV_TEST_REDIS", "redis://127.0.0.1:1/0")
	skipped := false
	t.Run("kill", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		s := Redis(t)
		assert.Equal(t, "redis://127.0.0.1:1/0", s.URL)
		s.Own()
		assert.Fail(t, "it was to be left alone")
	})
	assert.True(t, skipped)
}

package redis

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"example.com/idv/webhook"
)

// Store is a [webhook.SeenStore] in Redis. It is safe for concurrent use and holds nothing but the client.
type Store struct {
	client                 goredis.Scripter
	prefix                 string
	lease, retention       time.Duration
	claim, commit, release *goredis.Script
}

var _ webhook.SeenStore = (*Store)(nil)

var (
	//go:embed claim.lua
	claimLua string
	//go:embed commit.lua
	commitLua string
	//go:embed release.lua
	releaseLua string
)

// New returns a store of a client: a *redis.Client, *redis.ClusterClient, *redis.Ring or redis.UniversalClient. It sends
// nothing; closing the client stays the caller's. It refuses a nil client and the settings that an [Option] says it refuses.
func New(client goredis.Scripter, opts ...Option) (*Store, error) {
	if client == nil {
		return nil, errors.New("redis: New needs a client, not nil")
	}
	s := &Store{
		client: client, prefix: defaultPrefix, lease: webhook.DefaultLease, retention: webhook.DefaultRetention,
		claim: goredis.NewScript(claimLua), commit: goredis.NewScript(commitLua), release: goredis.NewScript(releaseLua),
	}
	for _, opt := range opts {
		if err := opt(s); err != nil {
			return nil, err
		}
	}
	if s.lease >= s.retention {
		return nil, fmt.Errorf("redis: the lease, %v, must be shorter than the retention, %v", s.lease, s.retention)
	}
	return s, nil
}

// Claim implements [webhook.SeenStore]. Its errors are the context's and the client's.
func (s *Store) Claim(ctx context.Context, key webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	answer, err := s.run(ctx, s.claim, key, body[:], s.lease.Milliseconds(), s.retention.Milliseconds(), rand.Text()).Int64Slice()
	switch {
	case err != nil:
		return webhook.Claim{}, fmt.Errorf("redis: claim: %w", err)
	case len(answer) != 2:
		return webhook.Claim{}, errors.New("redis: claim: the answer of the script is not its own: does something else write these keys?")
	}
	return webhook.Claim{Outcome: webhook.ClaimOutcome(answer[0]), Token: uint64(answer[1])}, nil
}

// Commit implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the client's.
func (s *Store) Commit(ctx context.Context, key webhook.SeenKey, token uint64) error {
	return ended("commit", s.run(ctx, s.commit, key, strconv.FormatUint(token, 10), s.retention.Milliseconds()))
}

// Release implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the client's.
func (s *Store) Release(ctx context.Context, key webhook.SeenKey, token uint64) error {
	return ended("release", s.run(ctx, s.release, key, strconv.FormatUint(token, 10)))
}

// run sends the script's hash, and the script itself only to a server that does not have it.
func (s *Store) run(ctx context.Context, script *goredis.Script, key webhook.SeenKey, args ...any) *goredis.Cmd {
	if err := ctx.Err(); err != nil {
		cmd := goredis.NewCmd(ctx)
		cmd.SetErr(err)
		return cmd
	}
	digest := key.Digest()
	return script.Run(ctx, s.client, []string{s.prefix + base64.RawURLEncoding.EncodeToString(digest[:])}, args...)
}

func ended(step string, cmd *goredis.Cmd) error {
	held, err := cmd.Bool()
	switch {
	case err != nil:
		return fmt.Errorf("redis: %s: %w", step, err)
	case !held:
		return webhook.ErrClaimLost
	}
	return nil
}

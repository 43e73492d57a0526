package sqlite

import (
	"errors"
	"fmt"
	"time"
)

// Option is a setting of a [Store].
type Option func(*Store) error

// WithLease sets how long a claim holds: longer than the slowest handler runs. The default is a minute. It counts in microseconds;
// less than one is refused.
func WithLease(d time.Duration) Option {
	return func(s *Store) error {
		s.lease = d
		return positive("WithLease", d)
	}
}

// WithRetention sets how long a committed event is remembered, at least: longer than the service redelivers, which is about 4 days
// (contract: limits). The default is 7 days. It counts in microseconds; less than one is refused.
func WithRetention(d time.Duration) Option {
	return func(s *Store) error {
		s.retention = d
		return positive("WithRetention", d)
	}
}

// WithClock replaces time.Now, in tests. It is called concurrently. nil is refused.
func WithClock(now func() time.Time) Option {
	return func(s *Store) error {
		if s.now = now; now == nil {
			return errors.New("sqlite: WithClock(nil)")
		}
		return nil
	}
}

func positive(option string, d time.Duration) error {
	if d < time.Microsecond {
		return fmt.Errorf("sqlite: %s(%v): it must be at least a microsecond", option, d)
	}
	return nil
}

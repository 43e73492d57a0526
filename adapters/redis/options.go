package redis

import (
	"fmt"
	"time"
)

// Option is a setting of a [Store].
type Option func(*Store) error

const defaultPrefix = "idv:seen:"

// WithLease sets how long a claim holds: longer than the slowest handler runs. The default is a minute. It
// counts in milliseconds; less than one is refused.
func WithLease(d time.Duration) Option {
	return func(s *Store) error {
		s.lease = d
		return positive("WithLease", d)
	}
}

// WithRetention sets how long a committed event is remembered: longer than the service redelivers, which is about 4 days (contract:
// limits). The default is 7 days. It counts in milliseconds; less than one, and less than the lease, is refused.
func WithRetention(d time.Duration) Option {
	return func(s *Store) error {
		s.retention = d
		return positive("WithRetention", d)
	}
}

// WithPrefix sets what the names of all keys begin with; the default is "idv:seen:". Stores of one server with different prefixes know
// nothing of each other. "" is refused.
func WithPrefix(prefix string) Option {
	return func(s *Store) error {
		if s.prefix = prefix; prefix == "" {
			return fmt.Errorf("redis: WithPrefix(%q): it must not be empty", prefix)
		}
		return nil
	}
}

func positive(option string, d time.Duration) error {
	if d < time.Millisecond {
		return fmt.Errorf("redis: %s(%v): it must be at least a millisecond", option, d)
	}
	return nil
}

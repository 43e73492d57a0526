package postgres

import (
	"fmt"
	"regexp"
	"time"
)

// Option is a setting of a [Store].
type Option func(*Store) error

const defaultTable = "idv_seen"

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

var tableName = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]{0,49}\.)?[A-Za-z_][A-Za-z0-9_]{0,49}$`)

// WithTable sets the name of the table, after a schema and a dot where it is in one. The default is idv_seen. Each part is taken to
// the letter, upper case included; it has letters, digits and underscores, at most 50. Anything else is refused.
func WithTable(name string) Option {
	return func(s *Store) error {
		if s.table = name; !tableName.MatchString(name) {
			return fmt.Errorf("postgres: WithTable(%q): it must be table or schema.table, each of at most 50 letters, digits and underscores", name)
		}
		return nil
	}
}

func positive(option string, d time.Duration) error {
	if d < time.Microsecond {
		return fmt.Errorf("postgres: %s(%v): it must be at least a microsecond", option, d)
	}
	return nil
}

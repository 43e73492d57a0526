package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite" // registers itself as "sqlite"

	"example.com/idv/webhook"
)

// Open opens the store of a file, and creates the file and its table where they do not exist; the directory must. Beside the file
// SQLite keeps two more, with -wal and -shm at the end of their names: a copy of the file alone is no backup.
//
// It refuses an empty path and one in memory, for which webhook.MemoryStore is made, and the settings that an [Option] says it refuses.
// Its other errors are the context's and the database's.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, fmt.Errorf("sqlite: Open(%q): it needs the path of a file; for a store in memory take webhook.NewMemoryStore", path)
	}
	s := &Store{lease: webhook.DefaultLease, retention: webhook.DefaultRetention, now: time.Now, turn: make(chan struct{}, 1)}
	for _, opt := range opts {
		if err := opt(s); err != nil {
			return nil, err
		}
	}
	if err := s.open(ctx, path); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: Open(%q): %w", path, err), s.Close())
	}
	return s, nil
}

// open gives claims and commits a connection each, since they differ in what they wait for: a commit for the disk, a claim only
// for the kernel.
func (s *Store) open(ctx context.Context, path string) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if s.commits, err = connect(path, "FULL"); err != nil {
		return err
	}
	if s.claims, err = connect(path, "NORMAL"); err != nil {
		return err
	}
	return s.write(ctx, s.commits, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, schemaSQL)
		return err
	})
}

const (
	busyTimeout = 5 * time.Second       // bounds the wait for another process that writes
	busyStep    = 20 * time.Millisecond // after which SQLite, while it waits, lets its caller look at the context
)

func connect(path, synchronous string) (*sql.DB, error) {
	query := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", busyStep.Milliseconds()), // first, for the others to wait
			"journal_mode(WAL)",
			"synchronous(" + synchronous + ")",
		},
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// begin begins a transaction, which is the moment to wait for those of other processes: once begun, it is alone.
func begin(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	for began := time.Now(); ; {
		tx, err := db.BeginTx(ctx, nil)
		var failed *driver.Error
		busy := errors.As(err, &failed) && failed.Code()&0xff == sqliteBusy // the higher bits say why
		if !busy || time.Since(began) > busyTimeout {
			return tx, err
		}
	}
}

// sqliteBusy is SQLITE_BUSY of SQLite's result codes.
const sqliteBusy = 5

// Close closes the file. Claims that are held stay held until their lease runs out.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.claims, s.commits} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

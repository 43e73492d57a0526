package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"example.com/idv"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// state is what the journal knows of a row.
type state string

const (
	stateSent    state = "sent"    // or about to be; what came of it is not known
	stateDone    state = "done"    // verified
	stateRefused state = "refused" // by the service, for its data: nothing was made
)

// entry is a row of the journal.
type entry struct {
	state    state
	digest   [sha256.Size]byte
	sentAt   time.Time
	personID string
	status   idv.Status
	details  idv.PersonDetails
	problem  string
}

// journal is on the disk before a request leaves, and before a result counts.
type journal struct {
	db    *sql.DB
	batch string // makes the references of this journal differ from those of any other
}

const schema = `
CREATE TABLE IF NOT EXISTS journal (batch TEXT NOT NULL, service TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS rows (
	reference TEXT PRIMARY KEY,
	state     TEXT NOT NULL,
	digest    BLOB NOT NULL,
	sent_at   INTEGER NOT NULL, -- Unix milliseconds
	person_id TEXT NOT NULL DEFAULT '',
	status    TEXT NOT NULL DEFAULT '',
	details   TEXT NOT NULL DEFAULT '{}',
	problem   TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;`

// openJournal opens the journal of a service, or begins it. It is locked until it is closed, or its process has died.
func openJournal(file, service string) (*journal, error) {
	if file != ":memory:" {
		if err := touch(file); err != nil {
			return nil, err
		}
	}
	pragmas := url.Values{"_pragma": {"locking_mode(EXCLUSIVE)", "journal_mode(WAL)", "synchronous(FULL)"}}
	dsn := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: pragmas.Encode()}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // the lock is the connection's
	j := &journal{db: db}
	if err := j.begin(service); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("the journal %s: %w", file, err)
	}
	return j, nil
}

// touch makes the file for nobody else's eyes, which SQLite would leave to the umask.
func touch(file string) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (j *journal) begin(service string) error {
	_, err := j.db.Exec(schema)
	var busy *sqlite.Error
	if errors.As(err, &busy) && busy.Code()&0xff == sqlite3.SQLITE_BUSY {
		return errors.New("it is in use by another run")
	}
	if err != nil {
		return err
	}
	if _, err := j.db.Exec(`INSERT INTO journal SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM journal)`, rand.Text(), service); err != nil {
		return err
	}
	var begunFor string
	if err := j.db.QueryRow(`SELECT batch, service FROM journal`).Scan(&j.batch, &begunFor); err != nil {
		return err
	}
	if begunFor != service {
		return fmt.Errorf("it is of %s, and this is %s", begunFor, service)
	}
	return nil
}

func (j *journal) close() error { return j.db.Close() }

// note is what the person of a row is found by.
func (j *journal) note(reference string) string { return j.batch + "/" + reference }

func (j *journal) entries(ctx context.Context) (map[string]entry, error) {
	found, err := j.db.QueryContext(ctx, `SELECT reference, state, digest, sent_at, person_id, status, details, problem FROM rows`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	entries := map[string]entry{}
	for found.Next() {
		var reference string
		var e entry
		var digest, details []byte
		var sentAt int64
		if err := found.Scan(&reference, &e.state, &digest, &sentAt, &e.personID, &e.status, &details, &e.problem); err != nil {
			return nil, err
		}
		copy(e.digest[:], digest)
		e.sentAt = time.UnixMilli(sentAt)
		if err := json.Unmarshal(details, &e.details); err != nil {
			return nil, err
		}
		entries[reference] = e
	}
	return entries, found.Err()
}

// put is on the disk when it returns.
func (j *journal) put(ctx context.Context, reference string, e entry) error {
	details, err := json.Marshal(e.details)
	if err != nil {
		return err
	}
	_, err = j.db.ExecContext(ctx, `INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		reference, string(e.state), e.digest[:], e.sentAt.UnixMilli(), e.personID, string(e.status), string(details), e.problem)
	return err
}

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheJournalKeepsWhatItIsTold(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "odd name?%20#.journal")
	j, err := openJournal(name, "here")
	require.NoError(t, err)
	sent := entry{state: stateSent, digest: [32]byte{1, 2, 31: 9}, sentAt: time.UnixMilli(1700000000123)}
	done := sent
	done.state, done.personID, done.status = stateDone, "p1", idv.StatusInvalid
	done.details = idv.PersonDetails{OFAC: idv.MatchFull, AddressRisk: idv.RiskLow}
	refused := entry{state: stateRefused, sentAt: sent.sentAt, problem: "refused with status 400"}
	for reference, e := range map[string]entry{"r1": sent, "r2": done, "r'3": refused} {
		require.NoError(t, j.put(t.Context(), reference, sent))
		require.NoError(t, j.put(t.Context(), reference, e))
	}
	note := j.note("r1")
	require.NoError(t, j.close())

	again, err := openJournal(name, "here")
	require.NoError(t, err)
	defer func() { require.NoError(t, again.close()) }()
	got, err := again.entries(t.Context())
	require.NoError(t, err)
	assert.Equal(t, map[string]entry{"r1": sent, "r2": done, "r'3": refused}, got)
	assert.Equal(t, note, again.note("r1"), "the notes of one journal stay the same")
	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestAJournalIsForOneRunAtATime(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "journal")
	j, err := openJournal(name, "here")
	require.NoError(t, err)
	_, err = openJournal(name, "here")
	assert.ErrorContains(t, err, "in use by another run")
	require.NoError(t, j.close())
	j, err = openJournal(name, "here")
	require.NoError(t, err)
	require.NoError(t, j.close())
}

func TestAJournalIsForOneService(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "journal")
	j, err := openJournal(name, "here, test mode")
	require.NoError(t, err)
	require.NoError(t, j.close())
	_, err = openJournal(name, "here, live mode")
	assert.ErrorContains(t, err, "it is of here, test mode, and this is here, live mode")
}

func TestTwoJournalsNameTheirRowsDifferently(t *testing.T) {
	t.Parallel()
	first, err := openJournal(":memory:", "here")
	require.NoError(t, err)
	second, err := openJournal(":memory:", "here")
	require.NoError(t, err)
	assert.NotEqual(t, first.note("r1"), second.note("r1"))
	require.NoError(t, first.close())
	require.NoError(t, second.close())
}

func TestAFileThatIsNoJournal(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(name, []byte("these are notes, and no database of any kind"), 0o600))
	_, err := openJournal(name, "here")
	assert.ErrorContains(t, err, "the journal "+name)
	_, err = openJournal(filepath.Join(t.TempDir(), "missing", "journal"), "here")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

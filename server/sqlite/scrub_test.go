package sqlite_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// TestTextsAreGone checks that the file holds nothing of what was deleted or replaced after a purge.
func TestTextsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	ctx, at := t.Context(), time.Now()
	require.NoError(t, store.CreateUser(ctx, server.User{ID: "u", Name: "u", CreatedAt: at}))
	const packets = 200
	for i := range packets { // of all sizes, so that they are in pages of their own and in shared ones
		put(t, store, fmt.Sprintf("replaced-%04d", i), "SECRETONE", (i*37)%800)
		put(t, store, fmt.Sprintf("deleted-%04d", i), "SECRETTWO", (i*37)%800)
		put(t, store, fmt.Sprintf("kept-%04d", i), "KEPTTEXT", (i*37)%800)
	}
	for i := range packets {
		put(t, store, fmt.Sprintf("replaced-%04d", i), "other", (i*13)%300)
		require.NoError(t, store.DeletePacket(ctx, "u", fmt.Sprintf("deleted-%04d", i), "", at))
	}
	gone(t, store, path)
}

// TestGhostsAreGone checks it for what SQLite leaves in the gap of a page when it moves a row to another
// page: secure_delete does not overwrite that copy when the row is deleted.
func TestGhostsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: time.Now()}))
	put(t, store, "kept-packet", "KEPTTEXT", 3)
	require.NoError(t, store.Close())
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	const page = 4096
	planted := 0
	for at := page; at < len(file); at += page {
		p := file[at : at+page]
		cells, content := int(binary.BigEndian.Uint16(p[3:])), int(binary.BigEndian.Uint16(p[5:]))
		if gap := 8 + 2*cells; p[0] == 0x0d && cells > 0 && content-gap > 100 { // a leaf of a table
			copy(p[gap+50:], "SECRET")
			planted++
		}
	}
	require.Positive(t, planted)
	require.NoError(t, os.WriteFile(path, file, 0o600))
	store, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	faults, err := store.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, faults, "what is in a gap is no fault")
	put(t, store, "gone-packet", "other", 3)
	require.NoError(t, store.DeletePacket(t.Context(), "u", "gone-packet", "", time.Now()))
	gone(t, store, path)
}

// TestMemoriesAreGone checks it for everything that has a text in the memory of an application.
func TestMemoriesAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	ctx, at := t.Context(), time.Now()
	s := store.Threads()
	require.NoError(t, s.CreateApp(ctx, threads.App{ID: "app", Name: "app", CreatedAt: at}))
	erased, pruned := threads.Subject{App: "app", User: "erased"}, threads.Subject{App: "app", User: "pruned"}
	const rows = 40
	for n := range rows {
		for _, who := range []threads.Subject{erased, pruned} {
			remember(t, s, who, fmt.Sprint(who.User, "-", n), strings.Repeat("SECRET", 1+n*n%900), at)
		}
		remember(t, s, threads.Subject{App: "app", User: "kept"}, fmt.Sprint("kept-", n), "KEPTTEXT", at)
	}
	jobs, err := s.Lease(ctx, "SECRET", nil, 1<<10, at, at.Add(time.Hour))
	require.NoError(t, err)
	require.Len(t, jobs, 3*rows)
	for _, j := range jobs {
		j.State, j.DoneAt, j.Reason = threads.JobFailed, at, "KEPTTEXT"
		if j.Subject.User != "kept" {
			j.Reason = "SECRET"
		}
		require.NoError(t, s.Finish(ctx, j))
	}
	_, err = s.Erase(ctx, erased, at)
	require.NoError(t, err)
	require.NoError(t, s.Change(ctx, pruned, func(tx threads.Tx) error {
		for n := range rows {
			id := fmt.Sprint("pruned-", n)
			if n%2 == 0 {
				require.NoError(t, tx.DeleteEvent("e"+id, at))
				require.NoError(t, tx.DeleteSummary("s"+id))
				require.NoError(t, tx.PutThread(threads.Thread{ID: "t" + id, CreatedAt: at, UpdatedAt: at}))
			} else {
				require.NoError(t, tx.DeleteThread("t"+id, at))
			}
			require.NoError(t, tx.DeleteActs([]string{"a" + id}, at))
		}
		return tx.PutClaims(nil)
	}))
	gone(t, store, path)
}

// TestWhatIsLargeIsSortedInFiles: a large database is not put into memory, neither by a restore nor after a purge.
func TestWhatIsLargeIsSortedInFiles(t *testing.T) {
	const inFile, inMemory = 1, 2
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	place := func(connect func(string, sqlite.Options) (*sql.DB, error)) (kind int) {
		db, err := connect(path, sqlite.Options{})
		require.NoError(t, err)
		require.NoError(t, db.QueryRow("PRAGMA temp_store").Scan(&kind))
		require.NoError(t, db.Close())
		return kind
	}
	require.Equal(t, inFile, place(sqlite.Filling))
	require.Equal(t, inMemory, place(sqlite.Scrubbing))
	require.NoError(t, os.Truncate(path, 1<<30)) // no block of which is on the disk
	require.Equal(t, inFile, place(sqlite.Scrubbing))
}

// remember puts a text in every place of a subject's memory that has one.
func remember(t *testing.T, s threads.Storage, who threads.Subject, id, text string, at time.Time) {
	t.Helper()
	var v []float32
	for b := range slices.Chunk([]byte(text + "    ")[:len(text)/4*4], 4) {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	meta := threads.Meta(`{"text":"` + text + `"}`)
	of := threads.Ref{Kind: threads.KindEvent, ID: "e" + id}
	lines := conversation.Summary{Lines: []conversation.Line{{Event: "e" + id, Text: text}}, Terms: []string{text}}
	require.NoError(t, s.Change(t.Context(), who, func(tx threads.Tx) error {
		claims, err := tx.Claims(threads.ClaimQuery{})
		require.NoError(t, err)
		claims = append(claims, threads.Claim{ID: "c" + id, Claim: conversation.Claim{ID: "p" + id, Text: text}})
		_, err = tx.Thread("t" + id)
		require.ErrorIs(t, err, threads.ErrNotFound)
		require.NoError(t, tx.PutThread(threads.Thread{ID: "t" + id, Title: text, Agent: text[:6], Meta: meta,
			CreatedAt: at, UpdatedAt: at}))
		_, err = tx.AddEvent(threads.Event{Event: conversation.Event{ID: "e" + id, Thread: "t" + id, Session: text,
			Lang: text, Text: text}, Agent: text, Key: text[:6], Meta: meta})
		require.NoError(t, err)
		return errors.Join(tx.PutClaims(claims),
			tx.PutSummary(threads.Summary{ID: "s" + id, Thread: "t" + id, Written: text, Active: true, Summary: lines}),
			tx.AddAct(threads.Act{Act: conversation.Act{ID: "a" + id, Verb: conversation.Adds, Text: text},
				Note: text}),
			tx.PutReaction(threads.Reaction{Event: "e" + id, Name: text}),
			tx.PutVector(threads.Vector{Ref: of, Model: "m", V: v}),
			tx.AddJob(threads.Job{Kind: threads.JobEmbed, Of: of, RunAt: at}))
	}))
}

// gone purges, and checks that no file has the texts that are to be gone.
func gone(t *testing.T, store *sqlstore.Store, path string) {
	t.Helper()
	_, err := store.Purge(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	files, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Len(t, files, 4, "the file, its journal, the journal's index, the lock")
	var all []byte
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all, b...)
	}
	require.Contains(t, string(all), "KEPTTEXT", "the test would see texts")
	require.Zero(t, bytes.Count(all, []byte("SECRET")))
}

// put puts a packet with a text, which it repeats.
func put(t *testing.T, store *sqlstore.Store, id, text string, size int) {
	t.Helper()
	at := time.Now()
	p := server.PutPacket{Caller: "u", ID: id, Goal: text + " goal", Created: at, At: at,
		Body: []byte(text + strings.Repeat(" "+text, size)), Words: []string{text}, Tags: []string{text}}
	_, err := store.PutPacket(t.Context(), p, server.Quota{Packets: 1 << 20, Bytes: 1 << 40})
	require.NoError(t, err)
}

// TestAPurgeThatCannotScrubSaysSo checks what a reader does to it that stays.
func TestAPurgeThatCannotScrubSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: time.Now()}))
	put(t, store, "gone-packet", "other", 3)
	require.NoError(t, store.DeletePacket(t.Context(), "u", "gone-packet", "", time.Now()))
	release := reading(t, path)
	_, err = store.Purge(t.Context(), time.Now())
	require.ErrorIs(t, err, server.ErrBusy)
	require.ErrorContains(t, err, "may still have")
	release()
	_, err = store.Purge(t.Context(), time.Now())
	require.NoError(t, err)
}

// reading begins to read a file, and returns what ends it.
func reading(t *testing.T, path string) (release func()) {
	t.Helper()
	db, conn := connected(t, path)
	for _, statement := range []string{"BEGIN", "SELECT count(*) FROM users"} {
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return func() {
		_, err := conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.NoError(t, db.Close())
	}
}

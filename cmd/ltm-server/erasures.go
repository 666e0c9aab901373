package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ltm/internal/plural"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// The first line of a journal of erasures.
const (
	erasuresFormat  = "ltm-server-erasures"
	erasuresVersion = 1
)

const (
	// erasuresEvery is how often a running server looks for new erasures: as long as one may be in the database alone.
	erasuresEvery = 2 * time.Second
	// erasuresOverlap is how far back it looks each time, because a transaction is seen later than it says, and the
	// clocks of several servers differ.
	erasuresOverlap = 5 * time.Minute
	// maxErasureLine is longer than any line, in bytes.
	maxErasureLine = 1 << 16
)

// erasure is a line of the journal: ids and a time, no texts.
type erasure struct {
	At   time.Time    `json:"at"`
	App  string       `json:"app"`
	User string       `json:"user,omitempty"`
	Kind threads.Kind `json:"kind"`
	ID   string       `json:"id,omitempty"`
}

func erasureOf(e threads.Erased) erasure {
	return erasure{At: e.At.UTC(), App: e.Subject.App, User: e.Subject.User, Kind: e.Kind, ID: e.ID}
}

// journal is a file outside of the database that lists what was erased, so that a backup from before does not bring it
// back. Several processes may append to it, so a line may be there more than once.
type journal struct {
	path    string
	all     []threads.Erased // what it listed when it was opened
	damaged int              // lines that could not be read then

	mu   sync.Mutex       // held while it catches up
	seen map[erasure]bool // lines within the overlap
	last time.Time        // the latest
}

// erasuresPath returns where the journal is, or "" without one.
func (o *options) erasuresPath() string {
	switch {
	case o.erasures != "":
		return o.erasures
	case o.db == "" || o.postgres():
		return ""
	}
	return o.db + ".erasures"
}

// openJournal reads the journal of a database. It is nil if the database needs none.
func (a *app) openJournal() (*journal, error) {
	path := a.options.erasuresPath()
	if path == "" {
		return nil, nil
	}
	j := &journal{path: path, seen: map[erasure]bool{}}
	var err error
	if j.all, j.damaged, err = readErasures(path); err != nil {
		return nil, &fault{status: exitInvalid, message: "cannot read the list of erasures", cause: err,
			next: "--erasures or LTM_SERVER_ERASURES names another"}
	}
	for _, e := range j.all {
		j.note(erasureOf(e))
	}
	return j, nil
}

// note remembers a line.
func (j *journal) note(e erasure) {
	j.seen[e] = true
	if e.At.After(j.last) {
		j.last = e.At
	}
}

// readErasures returns what a journal lists. A missing one lists nothing. Lines that cannot be read are counted: a
// process that dies leaves half a line.
func readErasures(path string) (all []threads.Erased, damaged int, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxErasureLine)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			if err := checkErasures(lines.Bytes()); err != nil {
				return nil, 0, fmt.Errorf("%s is %w", path, err)
			}
			continue
		}
		var e erasure
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.App == "" || e.Kind == "" {
			damaged++
			continue
		}
		all = append(all, threads.Erased{Subject: threads.Subject{App: e.App, User: e.User},
			Ref: threads.Ref{Kind: e.Kind, ID: e.ID}, At: e.At})
	}
	if err := lines.Err(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, err)
	}
	return all, damaged, nil
}

// checkErasures checks the first line.
func checkErasures(line []byte) error {
	var head erasuresHead
	if json.Unmarshal(line, &head) != nil || head.Format != erasuresFormat {
		return errors.New("not a list of erasures")
	}
	if head.Version != erasuresVersion {
		return fmt.Errorf("a list of erasures of version %d, and this program knows %d", head.Version, erasuresVersion)
	}
	return nil
}

type erasuresHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// catchUp appends what the database has erased and the journal does not list.
func (j *journal) catchUp(ctx context.Context, s threads.Storage) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	since := time.Time{}
	if !j.last.IsZero() {
		since = j.last.Add(-erasuresOverlap)
	}
	erased, err := s.ErasedSince(ctx, since)
	if err != nil {
		return err
	}
	var fresh []erasure
	for _, e := range erased {
		if line := erasureOf(e); !j.seen[line] {
			fresh = append(fresh, line)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := appendErasures(j.path, fresh); err != nil {
		return err
	}
	for _, e := range fresh {
		j.note(e)
	}
	maps.DeleteFunc(j.seen, func(e erasure, _ bool) bool { return e.At.Before(j.last.Add(-2 * erasuresOverlap)) })
	return nil
}

// appendErasures writes lines to the end of a journal, which only its owner can read, and waits until they are on the
// disk.
func appendErasures(path string, lines []erasure) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	if info.Size() == 0 {
		if err := out.Encode(erasuresHead{erasuresFormat, erasuresVersion}); err != nil {
			return err
		}
	} else {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' { // half a line of a process that died
			b.WriteByte('\n')
		}
	}
	for _, line := range lines {
		if err := out.Encode(line); err != nil {
			return err
		}
	}
	if _, err := f.Write(b.Bytes()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if info.Size() == 0 {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

// journaled brings the journal up to date after a command that erased something. Anything that it could not note is
// erased anyway, and a later command or server notes it.
func (a *app) journaled(ctx context.Context, s threads.Storage) error {
	j, err := a.openJournal()
	if err != nil || j == nil {
		return err
	}
	if err := j.catchUp(ctx, s); err != nil {
		return &fault{status: exitStorage, message: "it was erased, but not noted in " + j.path, cause: err,
			next: "the next start of the server notes it; a restore of an older backup before that brings it back"}
	}
	return nil
}

// replay erases again what a journal lists and the database does not know to be erased: an older copy of it came back.
// Ids that the database knows are left alone, because their rows may have been created after that. It returns how many
// erasures and rows that were.
func (a *app) replay(ctx context.Context, s threads.Storage, all []threads.Erased) (erasures int, rows int64,
	err error) {
	known, err := s.ErasedSince(ctx, time.Time{})
	if err != nil {
		return 0, 0, err
	}
	latest := map[erasure]time.Time{} // by what was erased
	what := func(e threads.Erased) erasure {
		e.At = time.Time{}
		return erasureOf(e)
	}
	for _, e := range known {
		latest[what(e)] = e.At
	}
	missing := slices.DeleteFunc(slices.Clone(all), func(e threads.Erased) bool { return !e.At.After(latest[what(e)]) })
	if len(missing) == 0 {
		return 0, 0, nil
	}
	gone, err := s.Repeat(ctx, missing)
	for _, n := range gone {
		rows += n
	}
	if err != nil || rows == 0 {
		return len(missing), rows, err
	}
	return len(missing), rows, a.rederive(ctx, s, missing)
}

// rederive derives again the claims and summaries from which rows were erased.
func (a *app) rederive(ctx context.Context, s threads.Storage, erased []threads.Erased) error {
	memory, err := a.memory(s)
	if err != nil {
		return err
	}
	done := map[threads.Subject]bool{}
	for _, e := range erased {
		if e.Kind == threads.KindUser || done[e.Subject] {
			continue
		}
		done[e.Subject] = true
		if err := memory.Rederive(ctx, e.Subject); err != nil && !errors.Is(err, threads.ErrNotFound) {
			return err
		}
	}
	return nil
}

// restored replays the journal after a restore, and says so.
func (a *app) restored(ctx context.Context, s threads.Storage, j *journal) error {
	if j == nil {
		return nil
	}
	if j.damaged > 0 {
		a.notice("%s of %s cannot be read", plural.Of(j.damaged, "line", "lines"), j.path)
	}
	if len(j.all) == 0 {
		a.notice("%s lists no erasures: what was erased after the backup is back", j.path)
		return nil
	}
	erasures, rows, err := a.replay(ctx, s, j.all)
	if err != nil {
		return &fault{status: statusOf(err), message: "everything was restored, but not all that was erased since is " +
			"erased again", cause: err, next: "the next start of the server tries again"}
	}
	a.notice("repeated %s that %s lists: %s removed", plural.Of(erasures, "erasure", "erasures"), j.path,
		plural.Of(int(rows), "row", "rows"))
	return nil
}

// journalRegularly notes erasures, also those of other processes, until the context ends or stop is called, which notes
// the last ones. now notes at once. Before, it erases again what an older copy of the database brought back.
func (a *app) journalRegularly(ctx context.Context, s threads.Storage, log *slog.Logger) (
	now func(context.Context) error, stop func(), err error) {
	j, err := a.openJournal()
	if err != nil {
		return nil, nil, err
	}
	if j == nil {
		return nil, func() {}, nil
	}
	if j.damaged > 0 {
		log.Warn("the list of erasures has lines that cannot be read", "file", j.path, "lines", j.damaged)
	}
	erasures, rows, err := a.replay(ctx, s, j.all)
	if err != nil {
		return nil, nil, failed("cannot erase again what "+j.path+" lists", err)
	}
	if erasures > 0 {
		log.Warn("an older copy of the database is in use: erased again what was erased since", "file", j.path,
			"erasures", erasures, "rows", rows)
	}
	if err := j.catchUp(ctx, s); err != nil {
		return nil, nil, failed("cannot note what was erased", err)
	}
	note := func(ctx context.Context) {
		if err := j.catchUp(ctx, s); err != nil && ctx.Err() == nil {
			log.Error("cannot note what was erased", "file", j.path, "error", err)
		}
	}
	end := background(ctx, func(ctx context.Context) {
		for sqlstore.Pause(ctx, erasuresEvery) == nil {
			note(ctx)
		}
	})
	now = func(ctx context.Context) error { return j.catchUp(ctx, s) }
	return now, func() {
		end()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), erasuresEvery)
		defer cancel()
		note(last)
	}, nil
}

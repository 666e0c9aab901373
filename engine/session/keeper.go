package session

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ltm/api"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
	"ltm/transcript"
)

const (
	// maxSessions bounds the session records that are kept: the state file is
	// read at every tool call.
	maxSessions = 20

	// lostAfter is how long nobody must have seen an open session for it to count
	// as killed, when its process is not known.
	lostAfter = 24 * time.Hour

	// readBudget bounds the reading of a transcript while the lock is held. At a
	// gigabyte in a second it is hardly ever reached; what is left is read next time.
	readBudget = 200 * time.Millisecond
)

// Records reads what the client records of its sessions. Package
// [ltm/internal/records] does so from files.
type Records interface {
	// MayHold reports whether a path looks like one of a record. The record need not
	// exist yet.
	MayHold(path string) bool

	// Skip moves a reading to the present end of its record.
	Skip(t *store.Transcript)

	// Read moves a reading on and returns the work in between, in parts. It is not ok
	// when the record cannot be read.
	Read(ctx context.Context, t *store.Transcript) (work []transcript.Work, ok bool)

	// Find returns the path of a session's record.
	Find(session string) (path string, ok bool)
}

// Keeper opens, follows and closes the sessions of a store's state.
type Keeper struct {
	Client  int                // the process that started this one, 0 when that says nothing
	Alive   func(pid int) bool // nil: that is not known
	Records Records            // nil: there are none
}

// Open returns the open session of that id, beginning one if there is none: a session
// that ended and goes on counts again. transcript is the path of its record, if known.
func (k Keeper) Open(state *store.State, id, transcript string, now time.Time) *store.Session {
	now = now.UTC().Truncate(time.Second)
	id = CleanID(id)
	session := state.Sessions[id]
	switch {
	case session == nil || session.EndedAt != nil && !session.Lost:
		state.SessionCount++
		session = &store.Session{ID: id, Number: state.SessionCount, StartedAt: now}
		state.Sessions[id] = session
		k.follow(session, transcript, true)
	case session.Lost: // it was thought dead, and is not
		session.Lost, session.EndedAt = false, nil
	}
	k.follow(session, transcript, false)
	session.LastSeen = now
	if k.Client != 0 {
		session.Client = k.Client
	}
	state.CurrentSession = session
	prune(state, now)
	return session
}

// CleanID bounds what a payload may make of a session's id.
func CleanID(id string) string {
	const maxID = 100
	id = strings.ToValidUTF8(id, "")
	if len(id) > maxID {
		id = strings.ToValidUTF8(id[:maxID], "")
	}
	return cmp.Or(strings.TrimSpace(id), "unknown")
}

// prune drops the records that were seen longest ago. Those that were seen in
// the future go first: the clock was wrong when they were, or is now, and they
// must not push out the ones that are at work.
func prune(state *store.State, now time.Time) {
	if len(state.Sessions) <= maxSessions {
		return
	}
	all := make([]*store.Session, 0, len(state.Sessions))
	for _, s := range state.Sessions {
		all = append(all, s)
	}
	seen := func(s *store.Session) time.Time {
		if s.LastSeen.After(now) {
			return time.Time{}
		}
		return s.LastSeen
	}
	slices.SortFunc(all, func(a, b *store.Session) int {
		return cmp.Or(seen(b).Compare(seen(a)), cmp.Compare(b.Number, a.Number), strings.Compare(a.ID, b.ID))
	})
	for _, s := range all[maxSessions:] {
		if s != state.CurrentSession {
			delete(state.Sessions, s.ID)
		}
	}
}

// CloseLost closes the sessions that never ended: their client is gone, or
// nobody has seen them for long.
func (k Keeper) CloseLost(state *store.State, but *store.Session) {
	for _, s := range state.Sessions {
		if s == but || s.EndedAt != nil {
			continue
		}
		gone := s.Client != 0 && k.Alive != nil && !k.Alive(s.Client)
		if gone || but.LastSeen.Sub(s.LastSeen) > lostAfter {
			ended := s.LastSeen
			s.EndedAt, s.Lost = &ended, true
			forgetReading(s)
		}
	}
}

// Find returns the open session of that id. The id in a server's
// environment can be stale: then it is the session of the same client process,
// or the one that hooks saw last. It is nil when none is open.
func (k Keeper) Find(state *store.State, id string) *store.Session {
	if s := state.Sessions[id]; s != nil && s.EndedAt == nil {
		return s
	}
	var found *store.Session
	for _, s := range state.Sessions {
		if s.EndedAt == nil && s.Client == k.Client && k.Client != 0 && (found == nil || later(s, found)) {
			found = s
		}
	}
	if found != nil {
		return found
	}
	if s := state.CurrentSession; s != nil && s.EndedAt == nil {
		return state.Sessions[s.ID]
	}
	return nil
}

// later reports whether a session was seen after another.
func later(s, than *store.Session) bool {
	return cmp.Or(s.LastSeen.Compare(than.LastSeen), cmp.Compare(s.Number, than.Number)) > 0
}

// Close closes a session, and notes how hard it was.
func (k Keeper) Close(ctx context.Context, state *store.State, id string, conf settings.Settings, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	session := state.Sessions[CleanID(id)]
	if session == nil {
		session = k.Open(state, id, "", now)
	}
	k.Read(ctx, session)
	forgetReading(session)
	score, _ := Difficulty(Since(session, store.Segment{}), conf)
	session.DifficultyScore = memory.Round2(score)
	session.LastSeen = now
	session.EndedAt, session.Lost = &now, false
}

// Count counts a tool call.
func Count(s *store.Session, t api.ToolUse) {
	if t.Failed {
		s.ToolFailures++
	} else {
		s.ToolSuccesses++
	}
	s.SessionTokens += toolTokens(t)
}

func toolTokens(t api.ToolUse) int {
	if t.Long {
		return transcript.LongTokens()
	}
	return transcript.ToolTokens(t.Input, t.Response)
}

// Compact notes that a session's context was compacted.
func Compact(state *store.State, s *store.Session) {
	s.Compacted = true
	s.Compactions++
	state.CompactionCount++
}

// follow notes where the client keeps the record of a session that begins. What is in
// it already is not this session's. A path that is not of a record is not noted.
func (k Keeper) follow(s *store.Session, path string, begins bool) {
	if path == "" || s.Transcript != nil && s.Transcript.Path == path || k.Records == nil || !k.Records.MayHold(path) {
		return
	}
	s.Transcript = &store.Transcript{Path: path}
	if begins {
		k.Records.Skip(s.Transcript)
	}
}

// Read adds what is new in the client's record to the session's work. What cannot be
// read counts as not there: then hooks are the witness.
func (k Keeper) Read(ctx context.Context, s *store.Session) {
	if s.Transcript == nil || k.Records == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readBudget)
	defer cancel()
	work, ok := k.Records.Read(ctx, s.Transcript)
	if !ok {
		return
	}
	if s.Work == nil {
		s.Work = &memory.Work{}
	}
	for _, w := range work {
		addWork(s, w)
	}
}

// Running returns what the client's record of a session shows from its beginning, or
// nil when no record is found.
func (k Keeper) Running(ctx context.Context, id string) *memory.Work {
	if k.Records == nil {
		return nil
	}
	path, ok := k.Records.Find(id)
	if !ok {
		return nil
	}
	s := &store.Session{Transcript: &store.Transcript{Path: path}}
	k.Read(ctx, s)
	if s.Work == nil {
		return nil
	}
	work := Since(s, store.Segment{})
	return &work
}

package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const (
	// maxSessions bounds the session records that are kept: the state file is read at every tool call.
	maxSessions = 20

	// lostAfter is how long an open session must have been silent to count as killed, if its
	// process is not known to be gone.
	lostAfter = 24 * time.Hour

	// readBudget bounds the time spent reading a transcript under the lock. At a gigabyte a
	// second it is hardly ever reached; the rest is read the next time.
	readBudget = 200 * time.Millisecond
)

// Records reads what the client records of its sessions. Package
// [ltm/engine/records] does so from files.
type Records interface {
	// MayHold reports whether a path may be that of a record. The record need not exist yet.
	MayHold(path string) bool

	// Skip moves the reading position to the present end of the record.
	Skip(t *store.Transcript)

	// Read reads on from the reading position and returns the work found, in parts. ok is false
	// if the record cannot be read.
	Read(ctx context.Context, t *store.Transcript) (work []transcript.Work, ok bool)

	// Find returns the path of a session's record.
	Find(session string) (path string, ok bool)
}

// Keeper opens, follows and closes the sessions of a store's state.
type Keeper struct {
	Client  int                // the id of the process that started this one; 0: not known
	Alive   func(pid int) bool // reports whether a process runs; nil: not known
	Records Records            // nil: there are none
}

// Open returns the open session of that id. If that session is not open, it starts one: a session that goes
// on after its end is a new one. transcript is the path of its record, if known.
func (k Keeper) Open(state *store.State, id, transcript string, now time.Time) *store.Session {
	here := now // with the zone of the machine, by whose days sessions are counted
	now = now.UTC().Truncate(time.Second)
	id = CleanID(id)
	session := state.Sessions[id]
	switch {
	case session == nil || session.EndedAt != nil && !session.Lost:
		state.SessionCount++
		state.CountSession(here)
		session = &store.Session{ID: id, Number: state.SessionCount, StartedAt: now}
		state.Sessions[id] = session
		k.follow(session, transcript, true)
	case session.Lost: // it was thought killed, but goes on
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

// CleanID returns a session's id from a payload as valid UTF-8 of at most 100 bytes; "unknown" if it is empty.
func CleanID(id string) string {
	const maxID = 100
	id = strings.ToValidUTF8(id, "")
	if len(id) > maxID {
		id = strings.ToValidUTF8(id[:maxID], "")
	}
	return cmp.Or(strings.TrimSpace(id), "unknown")
}

// prune drops the records that were seen longest ago. Those with a time in the future go first:
// the clock was or is wrong, and they must not push out the sessions at work.
func prune(state *store.State, now time.Time) {
	if len(state.Sessions) <= maxSessions {
		return
	}
	all := slices.Collect(maps.Values(state.Sessions))
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

// CloseLost closes the open sessions, except but, whose client process is gone or that have been
// silent for lostAfter before but was last seen.
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

// Find returns the open session of that id. The id in a server's environment can be stale, so if
// none has it, Find returns the session of the same client process that was seen last, or else
// the one that hooks reported last. It returns nil if none is open.
func (k Keeper) Find(state *store.State, id string) *store.Session {
	if s := state.Sessions[id]; s != nil && s.EndedAt == nil {
		return s
	}
	var found *store.Session
	for _, s := range state.Sessions {
		if s.EndedAt == nil && s.Client == k.Client && k.Client != 0 && (found == nil || // or seen later
			cmp.Or(s.LastSeen.Compare(found.LastSeen), cmp.Compare(s.Number, found.Number)) > 0) {
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

// Close closes a session, and records its difficulty.
func (k Keeper) Close(ctx context.Context, state *store.State, id string, conf settings.Settings, now time.Time) {
	session := state.Sessions[CleanID(id)]
	if session == nil {
		session = k.Open(state, id, "", now)
	}
	now = now.UTC().Truncate(time.Second)
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
	if t.Long {
		s.SessionTokens += transcript.LongTokens()
	} else {
		s.SessionTokens += transcript.ToolTokens(t.Input, t.Response)
	}
}

// Compact counts a compaction of a session's context.
func Compact(state *store.State, s *store.Session) {
	s.Compacted = true
	s.Compactions++
	state.CompactionCount++
}

// follow notes the path of the client's record of a session, if it may be one. begins reports that the session is new:
// what the record already holds is then skipped, because it is not this session's.
func (k Keeper) follow(s *store.Session, path string, begins bool) {
	if path == "" || s.Transcript != nil && s.Transcript.Path == path || k.Records == nil || !k.Records.MayHold(path) {
		return
	}
	s.Transcript = &store.Transcript{Path: path}
	if begins {
		k.Records.Skip(s.Transcript)
	}
}

// Read adds what is new in the client's record to the session's work. Without a readable record,
// the counts of hooks are used.
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

// Running returns the work in the client's record of a session from its beginning, or nil if no record is found.
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

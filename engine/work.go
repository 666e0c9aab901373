package engine

import (
	"context"
	"encoding/json"
	"time"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
	"ltm/transcript"
)

// readBudget bounds the reading of a transcript while the lock is held. At a
// gigabyte in a second it is hardly ever reached; what is left is read next time.
const readBudget = 200 * time.Millisecond

// counts returns a session's counters so far.
func counts(s *store.Session) store.Segment {
	c := store.Segment{ToolFailures: s.ToolFailures, ToolSuccesses: s.ToolSuccesses, ToolRetries: s.ToolRetries,
		SessionTokens: s.SessionTokens, Compactions: compactions(s)}
	if s.Work != nil {
		c.Work = *s.Work
	}
	return c
}

// compactions returns how often a session's context was compacted. Hooks tell of one
// before it happens, and the transcript after: the two count the same ones.
func compactions(s *store.Session) int { return max(s.Compactions, s.Boundaries) }

// workSince returns the work of a session since a point of it. The transcript is
// the better witness, but the client writes it a little later than it calls
// hooks: of calls and failures the higher count is the truer. Hooks do not tell
// subagents' calls from the session's own; the transcript does.
func workSince(s *store.Session, from store.Segment) memory.Work {
	now := counts(s)
	failures := max(0, now.ToolFailures-from.ToolFailures)
	calls := failures + max(0, now.ToolSuccesses-from.ToolSuccesses)
	retries := max(0, now.ToolRetries-from.ToolRetries)
	compacted := now.Compactions > from.Compactions
	if s.Work == nil {
		return memory.Work{Calls: calls, Failures: failures, Retries: retries, Tokens: max(0, now.SessionTokens-from.SessionTokens),
			Compacted: compacted, Source: memory.SourceHooks}
	}
	w := now.Work.Minus(from.Work)
	w.Calls = max(w.Calls, calls-w.AgentCalls)
	w.Failures = max(w.Failures, min(w.Calls, failures-w.AgentFailures))
	w.Retries = max(w.Retries, min(w.Failures, retries))
	w.Compacted, w.Source = compacted, memory.SourceTranscript
	return w
}

// difficultyOf scores work.
func difficultyOf(w memory.Work, s settings.Settings) (float64, priority.Breakdown) {
	work := judged(w)
	work.HalfTokens = s.TokenNormalizeCap * halfOfCap / 100
	return priority.Difficulty(work, s.DifficultyWeights)
}

// halfOfCap is how many percent of token_normalize_cap are half of all: 30,000 of
// 100,000 tokens.
const halfOfCap = 30

// judged is work as difficulty counts it.
func judged(w memory.Work) priority.Work {
	return priority.Work{Failures: w.Failures, Retries: w.Retries, Calls: w.Calls, Tokens: w.Tokens, Compacted: w.Compacted}
}

// beginSegment makes the session's counts so far the start of a new piece of work.
func beginSegment(s *store.Session) {
	s.Segment = counts(s)
	s.Failed, s.Nudged = nil, false
}

// followTranscript notes where the client keeps the record of a session that
// begins. What stands in it already is not this session's: a fork begins with a
// copy of another one. A path that is not of a record is not noted.
func (e *Engine) followTranscript(s *store.Session, path string, begins bool) {
	if path == "" || s.Transcript != nil && s.Transcript.Path == path || !e.records.mayHold(path) {
		return
	}
	s.Transcript = &store.Transcript{Path: path}
	if !begins {
		return
	}
	r, err := e.records.record(path)
	if err != nil {
		return
	}
	defer r.root.Close()
	if size, err := r.size(r.name); err == nil {
		s.Transcript.Reading, _ = json.Marshal(transcript.State{Offset: size})
	}
	for _, name := range r.agents() {
		if size, err := r.size(r.agent(name)); err == nil {
			s.Transcript.SetAgent(name, size)
		}
	}
}

// readTranscript adds what is new in the client's record to the session's work.
// What cannot be read counts as not there: then hooks are the witness.
func (e *Engine) readTranscript(ctx context.Context, s *store.Session) {
	if s.Transcript == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readBudget)
	defer cancel()
	t := s.Transcript
	r, err := e.records.record(t.Path)
	if err != nil {
		return
	}
	defer r.root.Close()
	var state transcript.State
	if json.Unmarshal(t.Reading, &state) != nil {
		state = transcript.State{}
	}
	work, state, err := readFrom(ctx, r, r.name, state)
	if err != nil {
		return
	}
	t.Reading, _ = json.Marshal(state) // plain values: nothing can fail to encode
	if s.Work == nil {
		s.Work = &memory.Work{}
	}
	addWork(s, work)
	for _, name := range r.agents() {
		work, state, err := readFrom(ctx, r, r.agent(name), transcript.State{Offset: t.Agents[name]})
		if err == nil {
			t.SetAgent(name, state.Offset)
			addWork(s, work)
		}
	}
}

func addWork(s *store.Session, w transcript.Work) {
	s.Work.Calls += w.Main.Calls
	s.Work.Failures += w.Main.Failures
	s.Work.Retries += w.Main.Retries
	s.Work.Tokens += w.Main.Tokens()
	s.Work.AgentCalls += w.Subagents.Calls
	s.Work.AgentFailures += w.Subagents.Failures
	s.Boundaries += w.Main.Compactions
	s.Compacted = s.Compacted || s.Boundaries > 0
}

// runningWork returns what the client's record of a session shows from its beginning,
// or nil when no record is found.
func (e *Engine) runningWork(ctx context.Context, session string) *memory.Work {
	path, ok := e.records.find(session)
	if !ok {
		return nil
	}
	s := &store.Session{Transcript: &store.Transcript{Path: path}}
	e.readTranscript(ctx, s)
	if s.Work == nil {
		return nil
	}
	work := workSince(s, store.Segment{})
	return &work
}

// readFrom reads what is new in one file of a record. One that was replaced by a
// shorter one is read from its beginning.
func readFrom(ctx context.Context, r record, name string, s transcript.State) (transcript.Work, transcript.State, error) {
	size, err := r.size(name)
	if err != nil {
		return transcript.Work{}, s, err
	}
	if !s.Fits(size) {
		s = transcript.State{}
	}
	if s.Offset == size {
		return transcript.Work{}, s, nil
	}
	f, err := r.openAt(name, s.Offset)
	if err != nil {
		return transcript.Work{}, s, err
	}
	defer f.Close()
	return transcript.Read(ctx, f, s, 0)
}

// forgetReading drops what only matters while a session goes on.
func forgetReading(s *store.Session) {
	if s.Transcript == nil {
		return
	}
	var state transcript.State
	if json.Unmarshal(s.Transcript.Reading, &state) == nil {
		s.Transcript.Reading, _ = json.Marshal(transcript.State{Offset: state.Offset, Skipping: state.Skipping})
	}
}

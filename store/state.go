package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memory"
)

// formatVersion is the version of every JSON file of the store. A file of a
// newer version is refused and left as it is.
const formatVersion = 1

const (
	statsFile = "stats.json"
	stateFile = "state.json"

	// damagedSuffix ends the name under which an unreadable stats.json or
	// state.json is kept when a new one takes its place.
	damagedSuffix = ".damaged"

	// maxJSONBytes bounds what is read of an index, stats or state file: that of
	// [MaxFiles] memories is not half as large.
	maxJSONBytes = 16 << 20

	// maxJSONValues bounds how many values such a file holds: as few as two bytes
	// can make one, which takes a hundred in memory.
	maxJSONValues = 500_000
)

// Counts is what hooks saw of a session's work.
type Counts struct {
	ToolFailures  int `json:"tool_failures"`
	ToolSuccesses int `json:"tool_successes"`
	ToolRetries   int `json:"tool_retries,omitempty"`
	SessionTokens int `json:"session_tokens"` // estimate
	Compactions   int `json:"compactions,omitempty"`
}

// Session is what hooks counted in one session of the client.
type Session struct {
	ID        string    `json:"id"`
	Number    int       `json:"number"` // the store's count when it began, from 1
	StartedAt time.Time `json:"started_at"`
	LastSeen  time.Time `json:"last_seen"`
	Counts
	Compacted       bool       `json:"compacted"`
	DifficultyScore float64    `json:"difficulty_score"`
	EndedAt         *time.Time `json:"ended_at,omitempty"`

	// Work is what the client's record of the session shows, as far as it was
	// read; nil: it was not.
	Work       *memory.Work `json:"work,omitempty"`
	Boundaries int          `json:"boundaries,omitempty"` // compactions that it shows
	Transcript *Transcript  `json:"transcript,omitempty"`

	// Client is the process id of the client, 0 when it is not known. It tells
	// which session a server belongs to.
	Client int `json:"client,omitempty"`

	// Lost says that the session was closed without having ended.
	Lost bool `json:"lost,omitempty"`

	// Failed holds what failed in the current segment and has not succeeded
	// since, as hashes; Nudged says that the model was told of its success.
	Failed []uint32 `json:"failed,omitempty"`
	Nudged bool     `json:"nudged,omitempty"`

	// Segment holds the counts at the last store: what came after it makes the
	// difficulty of the next.
	Segment Segment `json:"segment"`

	// Shown lists the memories that stand in the session's context.
	Shown []memory.ID `json:"shown,omitempty"`
}

// Segment is where in a session's counts the current piece of work began.
type Segment struct {
	Counts
	Work memory.Work `json:"work,omitzero"` // of the transcript
}

// Transcript says how far the client's record of a session was read.
type Transcript struct {
	Path    string           `json:"path"`
	Reading json.RawMessage  `json:"reading,omitempty"` // of package transcript
	Agents  map[string]int64 `json:"agents,omitempty"`  // files of subagents, and bytes read of them
}

// SetAgent notes how much of a subagent's file was read.
func (t *Transcript) SetAgent(name string, offset int64) {
	if t.Agents == nil {
		t.Agents = map[string]int64{}
	}
	t.Agents[name] = offset
}

// State is this clone's own record: sessions, counters and settings.
type State struct {
	Version         int                        `json:"version"`
	SessionCount    int                        `json:"session_count"`
	CurrentSession  *Session                   `json:"current_session"` // the one seen last
	Sessions        map[string]*Session        `json:"sessions"`
	LastEviction    *time.Time                 `json:"last_eviction"`
	CompactionCount int                        `json:"compaction_count"`
	Config          map[string]json.RawMessage `json:"config"`
}

// Stats maps memories to what this clone knows of their use.
type Stats map[memory.ID]memory.Stats

type statsJSON struct {
	Version  int                         `json:"version"`
	Memories map[memory.ID]*memory.Stats `json:"memories"`

	FirstSeen map[string]string `json:"first_seen,omitempty"`
}

// decodeState reads state.json. Missing parts are empty.
func decodeState(data []byte) (*State, error) {
	s := &State{}
	if err := decodeVersioned(stateFile, data, s, &s.Version); err != nil {
		return nil, err
	}
	for id, session := range s.Sessions {
		if session == nil {
			delete(s.Sessions, id)
			continue
		}
		session.ID = id
	}
	if s.CurrentSession != nil {
		if known := s.Sessions[s.CurrentSession.ID]; known != nil {
			s.CurrentSession = known
		}
	}
	return s.complete(), nil
}

func (s *State) complete() *State {
	s.Version = formatVersion
	if s.Sessions == nil {
		s.Sessions = map[string]*Session{}
	}
	if s.Config == nil {
		s.Config = map[string]json.RawMessage{}
	}
	return s
}

func decodeStats(data []byte) (Stats, error) {
	var v statsJSON
	if err := decodeVersioned(statsFile, data, &v, &v.Version); err != nil {
		return nil, err
	}
	stats := make(Stats, len(v.Memories))
	for id, s := range v.Memories {
		if s != nil {
			stats[id] = *s
		}
	}
	unpackSeen(stats, v.FirstSeen)
	return stats, nil
}

func encodeStats(stats Stats) ([]byte, error) {
	v := statsJSON{Version: formatVersion, Memories: make(map[memory.ID]*memory.Stats, len(stats))}
	for id, s := range stats {
		v.Memories[id] = &s
	}
	v.FirstSeen = packSeen(v.Memories)
	return encodeJSON(v)
}

// decodeVersioned decodes a JSON file into v, whose version it checks.
func decodeVersioned(name string, data []byte, v any, version *int) error {
	if n := bytes.Count(data, []byte(",")); n > maxJSONValues {
		return memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "%s is damaged: it holds more than %d values", name, maxJSONValues)
	}
	err := json.Unmarshal(data, v)
	if *version > formatVersion {
		return newerVersion(name, *version)
	}
	if err != nil {
		return memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "%s is damaged: %v", name, err)
	}
	return nil
}

func newerVersion(name string, version int) error {
	return memory.NewError(memory.CodeConflict, memory.KindVersionNewer, name,
		"%s has version %d, and this ltm knows %d", name, version, formatVersion)
}

// encodeJSON writes v with two spaces of indentation and a newline at the end.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// readVersioned reads one of the clone's own files. A missing one is empty; a damaged one is
// empty too and its error is returned beside.
func readVersioned[T any](root *os.Root, name string, empty T, decode func([]byte) (T, error)) (T, error) {
	if root == nil {
		return empty, nil
	}
	data, err := regular.Read(root, name, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if notOurs(err) {
		return empty, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "%s is damaged: %v", name, atomicfile.Cause(err))
	}
	if err != nil {
		return empty, storageError(err, "read", name)
	}
	v, err := decode(data)
	if err != nil {
		return empty, err
	}
	return v, nil
}

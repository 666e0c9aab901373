package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// formatVersion is the version of every JSON file of the store. A file of a newer version is refused and not changed.
const formatVersion = 1

const (
	statsFile = "stats.json"
	stateFile = "state.json"

	// damagedSuffix is added to the name of a damaged file when a new one replaces it.
	damagedSuffix = ".damaged"

	// maxJSONBytes is the size limit of an index, stats or state file. For [MaxFiles]
	// memories they have less than half of it.
	maxJSONBytes = 16 << 20

	// maxJSONValues is how many values such a file may have. A value can be as short as
	// two bytes, and take a hundred in memory.
	maxJSONValues = 500_000
)

// Counts is the work of a session as hooks saw it.
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
	Number    int       `json:"number"` // from 1, in the order of the sessions of this store
	StartedAt time.Time `json:"started_at"`
	LastSeen  time.Time `json:"last_seen"`
	Counts
	Compacted       bool       `json:"compacted"`
	DifficultyScore float64    `json:"difficulty_score"`
	EndedAt         *time.Time `json:"ended_at,omitempty"`

	// Work is the work in the client's transcript, as far as it was read; nil: it was not.
	Work       *memory.Work `json:"work,omitempty"`
	Boundaries int          `json:"boundaries,omitempty"` // compactions in it
	Transcript *Transcript  `json:"transcript,omitempty"`

	// Client is the process id of the client, or 0 if it is unknown. It tells which session a server belongs to.
	Client int `json:"client,omitempty"`

	// Lost means that the session was closed without an end.
	Lost bool `json:"lost,omitempty"`

	// Failed has hashes of the calls that failed in the current segment and have not
	// succeeded since. Nudged means that the model was told when one succeeded.
	Failed []uint32 `json:"failed,omitempty"`
	Nudged bool     `json:"nudged,omitempty"`

	// Segment has the counts at the last store: the work since then is the difficulty of the next one.
	Segment Segment `json:"segment"`

	// Agent is the agent that the session was started for; empty: none.
	Agent string `json:"agent,omitempty"`

	// Shown lists the memories that are in the session's context.
	Shown []memory.ID `json:"shown,omitempty"`

	// Earlier lists memories that were in it before it was compacted, and are not in Shown.
	Earlier []memory.ID `json:"earlier,omitempty"`

	// Recalled lists the files whose memories were read when the session edited them: it was told of those that are
	// about the file.
	Recalled []string `json:"recalled,omitempty"`
}

// Segment has the counts of a session at the start of the current piece of work.
type Segment struct {
	Counts
	Work memory.Work `json:"work,omitzero"` // in the transcript
}

// Transcript says how far the client's transcript of a session was read.
type Transcript struct {
	Path    string           `json:"path"`
	From    int64            `json:"from,omitempty"`    // bytes that it had before the session began
	Reading json.RawMessage  `json:"reading,omitempty"` // of package transcript
	Agents  map[string]int64 `json:"agents,omitempty"`  // files of subagents, and bytes read of them
}

// SetAgent records how many bytes of a subagent's file were read.
func (t *Transcript) SetAgent(name string, offset int64) {
	if t.Agents == nil {
		t.Agents = map[string]int64{}
	}
	t.Agents[name] = offset
}

// State is what this clone keeps: sessions, counters and settings.
type State struct {
	Version         int                        `json:"version"`
	SessionCount    int                        `json:"session_count"`
	CurrentSession  *Session                   `json:"current_session"` // the one seen last
	Sessions        map[string]*Session        `json:"sessions"`
	LastEviction    *time.Time                 `json:"last_eviction"`
	CompactionCount int                        `json:"compaction_count"`
	Days            string                     `json:"days,omitempty"` // see [State.ByDay]
	Config          map[string]json.RawMessage `json:"config"`
}

// Stats maps memories to their use in this clone.
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

// decodeVersioned decodes a JSON file into v and checks its version.
func decodeVersioned(name string, data []byte, v any, version *int) error {
	if n := bytes.Count(data, []byte(",")); n > maxJSONValues {
		return memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name,
			"%s is damaged: it holds more than %d values", name, maxJSONValues)
	}
	err := json.Unmarshal(data, v)
	if *version > formatVersion {
		return memory.NewError(memory.CodeConflict, memory.KindVersionNewer, name,
			"%s has version %d, and this ltm knows %d", name, *version, formatVersion)
	}
	if err != nil {
		return memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "%s is damaged: %v", name, err)
	}
	return nil
}

// encodeJSON returns v with two spaces of indentation and a newline at the end.
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

// readVersioned reads one of the clone's own files. A missing one is empty. For a damaged
// one it returns an empty value and an error.
func readVersioned[T any](root *os.Root, name string, empty T, decode func([]byte) (T, error)) (T, error) {
	if root == nil {
		return empty, nil
	}
	data, err := regular.Read(root, name, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if notOurs(err) {
		return empty, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "%s is damaged: %v", name,
			atomicfile.Cause(err))
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

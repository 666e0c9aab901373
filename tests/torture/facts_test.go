package torture_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// text is what matters about a file in memories/ or archives/.
type text struct {
	Phase      memory.Phase
	Summary    string
	Content    string
	Tags       string
	Difficulty float64
	Reason     string // why it was archived
	Conflicted bool
}

func textOf(m memory.Memory) text {
	return text{m.Phase, m.Summary, m.Content, strings.Join(m.Tags, " "), m.Difficulty, m.ArchivedReason, m.Conflicted}
}

// counters are those parts of state.json that must never decrease, and the settings.
type counters struct {
	Sessions    int `json:"session_count"`
	Compactions int `json:"compaction_count"`
	Session     map[string]struct {
		Failures  int  `json:"tool_failures"`
		Successes int  `json:"tool_successes"`
		Tokens    int  `json:"session_tokens"`
		Compacted bool `json:"compacted"`
	} `json:"sessions"`
	Config map[string]json.RawMessage `json:"config"`
}

// facts are the contents of a project. New memories have a different id in each run, so files are
// identified by topic.
type facts struct {
	memories map[string]text         // files in memories/, including stubs, by topic
	archives map[string]text         // files in archives/, by topic and version number
	topics   map[memory.ID]string    // of the files in memories/
	full     map[memory.ID][]string  // full texts, in any file
	foreign  map[string]bool         // files that count as not written in this clone
	bare     map[string]bool         // stubs whose text is in no archive
	phases   map[string]memory.Phase // by topic, in the view of this clone
	hidden   map[string]bool         // active, but superseded by another
	accesses map[string]int          // by topic
	counters counters
	packets  map[string]string // by goal: the packet without its id and time, what is noted, whether it is done
	others   map[string]string // all other files that people or programs own
	paths    map[string]bool   // files in the store's directory
}

// readFacts reads a project. Every file must be complete, whatever happened.
func readFacts(t *testing.T, p project) facts {
	t.Helper()
	f := facts{memories: map[string]text{}, archives: map[string]text{}, topics: map[memory.ID]string{},
		full: map[memory.ID][]string{}, foreign: map[string]bool{}, bare: map[string]bool{},
		phases: map[string]memory.Phase{}, hidden: map[string]bool{}, accesses: map[string]int{},
		packets: map[string]string{}, others: map[string]string{}, paths: map[string]bool{}}
	trust := readTrust(t, p)
	corrected, restored := map[memory.ID]bool{}, map[memory.ID]bool{}
	eachMemory(t, p, "memories", func(_ string, data []byte, m memory.Memory) {
		for _, id := range m.Supersedes {
			corrected[id] = corrected[id] || m.Phase.Active() && trust.Holds(m.ID, data)
		}
		restored[m.ID] = m.Restored
		f.add(f.memories, "memories", m.Topic, data, m, trust)
		f.topics[m.ID] = m.Topic
		f.phases[m.Topic] = m.Phase
	})
	eachMemory(t, p, "archives", func(name string, data []byte, m memory.Memory) {
		_, number, ok := memory.ParseArchiveName(name)
		require.True(t, ok, name)
		f.add(f.archives, "archives", fmt.Sprintf("%s, version %d", m.Topic, number), data, m, trust)
	})
	for id, topic := range f.topics {
		f.hidden[topic] = corrected[id] && !restored[id] && f.memories[topic].Phase.Active()
		if m := f.memories[topic]; m.Phase == memory.Removed && m.Reason != memory.ReasonErased &&
			len(f.full[id]) == 0 {
			f.bare[topic] = true
		}
	}
	f.readPackets(t, p)
	f.readOwn(t, p)
	f.readOthers(t, p)
	return f
}

// add adds a file of memories/ or archives/.
func (f facts) add(to map[string]text, folder, name string, data []byte, m memory.Memory, trust *store.Trust) {
	to[name] = textOf(m)
	if !m.IsStub() && !trust.Holds(m.ID, data) { // the text of a stub is in its archive
		f.foreign[folder+": "+name] = true
	}
	for _, side := range memfile.Sides(data) {
		if m := side.Memory; m.Phase == memory.Full {
			f.full[m.ID] = append(f.full[m.ID], m.Content)
		}
	}
}

// eachMemory reads the files of a directory of the store.
func eachMemory(t *testing.T, p project, folder string, fn func(name string, data []byte, m memory.Memory)) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(p.store(), folder))
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == brokenFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.store(), folder, e.Name()))
		require.NoError(t, err)
		file, err := memfile.Parse(data)
		require.NoError(t, err, "%s: %q", e.Name(), data)
		id, number, ok := memory.ParseArchiveName(e.Name())
		require.True(t, ok && (number == 0 || folder == "archives"), e.Name())
		require.Equal(t, file.Memory.ID, id)
		fn(e.Name(), data, file.Memory)
	}
}

// readTrust returns the record of what was written or approved in the clone.
func readTrust(t *testing.T, p project) *store.Trust {
	t.Helper()
	var trust *store.Trust
	require.NoError(t, store.New(p.places(), time.Now).View(func(v *store.View) (err error) {
		trust, err = v.Trust()
		return err
	}))
	return trust
}

// stats are the clone's own counters of memories.
type stats struct {
	Memories map[memory.ID]struct {
		Count int          `json:"access_count"`
		Phase memory.Phase `json:"phase"`
	} `json:"memories"`
}

// counted reads the counters in effect. Until the clone has a state of its own, those are the
// counters that a predecessor kept in the work tree, except its sessions.
func counted(t *testing.T, p project) (s stats, c counters) {
	t.Helper()
	dir := p.own()
	older := !exists(filepath.Join(dir, "state.json")) && (exists(filepath.Join(p.store(), "state.json")) ||
		exists(filepath.Join(p.store(), "stats.json")))
	if older {
		dir = p.store()
	}
	readJSON(t, filepath.Join(dir, "stats.json"), &s)
	readJSON(t, filepath.Join(dir, "state.json"), &c)
	if older {
		clear(c.Session)
	}
	return s, c
}

// readOwn reads the clone's own files.
func (f *facts) readOwn(t *testing.T, p project) {
	t.Helper()
	var s stats
	s, f.counters = counted(t, p)
	for id, st := range s.Memories {
		topic, ok := f.topics[id]
		if !ok {
			topic = string(id)
		} else if f.memories[topic].Reason == memory.ReasonErased {
			continue
		}
		if st.Count > 0 { // a memory that was only seen has no entry of its own
			f.accesses[topic] = st.Count
		}
		f.phases[topic] = min(max(f.phases[topic], st.Phase), memory.Removed)
	}
	for _, name := range []string{filepath.Join(p.store(), "index.json"), filepath.Join(p.store(), "config.json"),
		filepath.Join(p.own(), "init.json")} {
		var any map[string]any
		readJSON(t, name, &any)
	}
	requireWholeJournal(t, p)
}

// readOthers reads the files that are neither memories nor the clone's own.
func (f *facts) readOthers(t *testing.T, p project) {
	t.Helper()
	eachFile(t, p, func(name string) {
		inStore := strings.HasPrefix(name, "project/.claude/ltm/") &&
			!strings.HasPrefix(name, "project/.claude/ltm/.local/")
		if inStore {
			f.paths[strings.TrimPrefix(name, "project/.claude/ltm/")] = true
		}
		isOwn := inStore || strings.HasPrefix(name, "project/.claude/ltm/.local/") ||
			strings.HasPrefix(name, "project/.git/ltm/") || strings.HasPrefix(name, "home/ltm/")
		if isTemp(name) || isOwn && !isPeoples(path.Base(name)) {
			return
		}
		if f.isKey(name) {
			return
		}
		data, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
		require.NoError(t, err)
		text := strings.ReplaceAll(string(data), p.root, "ROOT")
		f.others[name] = regexp.MustCompile(`"store_id": "[0-9a-f]{32}"`).ReplaceAllString(text, `"store_id": "any"`)
	})
}

// eachFile calls fn with the path, relative to the root, of every file outside the directory for
// temporary files.
func eachFile(t *testing.T, p project, fn func(name string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.root, path)
		switch name = filepath.ToSlash(name); {
		case d.IsDir() && name == "tmp":
			return filepath.SkipDir
		case !d.IsDir():
			fn(name)
		}
		return err
	}))
}

// Files that were broken on purpose in the project that fix repairs.
const (
	brokenFile = "mem_0badf00d.md"
	brokenText = "<<<<<<< ours\n"
	brokenJSON = "{"
)

// isPeoples reports whether a file of the store is written by people or must be kept unchanged.
func isPeoples(name string) bool {
	return name == "config.json" || name == "README.md" || name == brokenFile || strings.Contains(name, ".damaged")
}

// readJSON decodes a file. A missing file, or one broken on purpose, counts as empty.
func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || slices.Contains([]string{brokenText, brokenJSON}, string(data)) {
		return
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, v), "%s: %s", path, data)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// temps lists the temporary files of a project.
func temps(t *testing.T, p project) []string {
	t.Helper()
	var found []string
	eachFile(t, p, func(name string) {
		if isTemp(name) {
			found = append(found, name)
		}
	})
	return found
}

// isTemp recognizes the name of a temporary file independently of the store: a dot, a file name,
// and a suffix.
func isTemp(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.HasPrefix(base, ".") && !slices.Contains([]string{".gitignore", ".gitattributes", ".mcp.json"}, base)
}

// ageCache makes the temporary files of the caches, and of a person's files for all projects, look
// old. They are written without the lock, so a young one may belong to a running process.
func ageCache(t *testing.T, p project) {
	t.Helper()
	for _, name := range temps(t, p) {
		if path.Base(path.Dir(name)) == "cache" || path.Base(path.Dir(name)) != "home" &&
			strings.HasPrefix(name, "home/") {
			old := time.Now().Add(-11 * time.Minute)
			require.NoError(t, os.Chtimes(filepath.Join(p.root, filepath.FromSlash(name)), old, old))
		}
	}
}

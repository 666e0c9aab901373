package torture_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/store"
)

// text is what matters of a memory's file.
type text struct {
	Phase   memory.Phase
	Summary string
	Content string
	Tags    string
}

// counters are the parts of state.json that may only grow, and the settings.
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

// facts are what stands in a project: memories by topic, counters, and every
// other file.
type facts struct {
	active, archived map[string]text
	files            int // of active memories
	counters         counters
	accesses         map[string]int // by topic
	others           map[string]string
}

// readFacts reads a project. Every file must be whole, whatever happened.
func readFacts(t *testing.T, p project) facts {
	t.Helper()
	f := facts{accesses: map[string]int{}, others: map[string]string{}}
	ids := map[memory.ID]string{}
	f.active = readFolder(t, filepath.Join(p.store(), "memories"), ids)
	f.files = len(ids)
	f.archived = readFolder(t, filepath.Join(p.store(), "archives"), ids)
	readJSON(t, filepath.Join(p.store(), "state.json"), &f.counters)
	var stats struct {
		Memories map[memory.ID]struct {
			Count int `json:"access_count"`
		} `json:"memories"`
	}
	readJSON(t, filepath.Join(p.store(), "stats.json"), &stats)
	for id, s := range stats.Memories {
		f.accesses[ids[id]] = s.Count
	}
	for _, name := range []string{"index.json", "archive_index.json", "config.json", ".init.json"} {
		var any map[string]any
		if data, err := os.ReadFile(filepath.Join(p.store(), name)); err == nil && string(data) != brokenIndex {
			readJSON(t, filepath.Join(p.store(), name), &any)
		}
	}
	require.NoError(t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(p.dir, path)
		name = filepath.ToSlash(name)
		if err != nil || isTemp(name) || strings.HasPrefix(name, ".claude/ltm/") && !isPeoples(d.Name()) {
			return err
		}
		data, err := os.ReadFile(path)
		f.others[name] = string(data)
		return err
	}))
	return f
}

// What people broke in a project that fix repairs.
const (
	brokenFile  = "mem_0badf00d.md"
	brokenIndex = "<<<<<<< ours\n"
)

// isPeoples says whether a file of the store is written by people, or is to stay
// as it is.
func isPeoples(name string) bool {
	return name == "config.json" || name == "README.md" || name == brokenFile
}

func readFolder(t *testing.T, dir string, ids map[memory.ID]string) map[string]text {
	t.Helper()
	found := map[string]text{}
	entries, err := os.ReadDir(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(t, err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Name() == brokenFile {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		file, err := memory.Parse(data)
		require.NoError(t, err, "%s: %q", e.Name(), data)
		m := file.Memory
		require.Equal(t, m.ID.File(), e.Name())
		found[m.Topic] = text{m.Phase, m.Summary, m.Content, strings.Join(m.Tags, " ")}
		ids[m.ID] = m.Topic
	}
	return found
}

// readJSON decodes a file; one that is missing is empty.
func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, v), "%s: %s", path, data)
}

// temps lists the temporary files of a project.
func temps(t *testing.T, p project) []string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isTemp(filepath.ToSlash(path)) {
			found = append(found, path)
		}
		return err
	}))
	return found
}

// isTemp tells a temporary file by its name: a dot, the name of a file, and a
// tail. It knows nothing of how the store tells them.
func isTemp(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case ".gitignore", ".gitattributes", ".lock", ".trust.json", ".log.jsonl", ".init.json", ".mcp.json", ".trust.json.damaged", ".state.json.damaged", ".stats.json.damaged":
		return false
	}
	return strings.HasPrefix(base, ".")
}

// requireBetween requires that each thing in now is as it was before or as it
// is after, that no thing is missing that both have, and that no full text is
// gone that before had, unless after has none either.
func requireBetween(t *testing.T, before, now, after facts) {
	t.Helper()
	requireOneOf(t, "memory", before.active, now.active, after.active)
	requireOneOf(t, "archive", before.archived, now.archived, after.archived)
	requireOneOf(t, "accesses of", before.accesses, now.accesses, after.accesses)
	requireOneOf(t, "file", before.others, now.others, after.others)
	if !sameCounters(now.counters, before.counters) {
		require.Equal(t, after.counters, now.counters)
	}
	for topic, m := range before.active {
		if m.Phase == memory.Full {
			require.True(t, now.active[topic].Content == m.Content || now.archived[topic].Content == m.Content || now.active[topic] == after.active[topic] && after.archived[topic].Content != m.Content,
				"the text of %q is gone", topic)
		}
	}
	for topic, m := range before.archived {
		require.Contains(t, []string{m.Content, after.archived[topic].Content}, now.archived[topic].Content, "the archive of %q", topic)
	}
}

func sameCounters(a, b counters) bool {
	one, err := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(one) == string(other)
}

func requireOneOf[V comparable](t *testing.T, what string, before, now, after map[string]V) {
	t.Helper()
	for name, v := range now {
		b, inBefore := before[name]
		a, inAfter := after[name]
		require.True(t, inBefore && v == b || inAfter && v == a, "%s %q is %v, not %v nor %v", what, name, v, b, a)
	}
	for name := range before {
		if _, stays := after[name]; stays {
			require.Contains(t, now, name, what)
		}
	}
}

// requireDone requires that all is as after an operation that was acknowledged.
func requireDone(t *testing.T, now, after facts) {
	t.Helper()
	require.Equal(t, after.active, now.active)
	require.Equal(t, after.archived, now.archived)
	require.Equal(t, after.others, now.others)
	require.Equal(t, after.counters, now.counters)
	require.Equal(t, after.accesses, now.accesses)
}

// requireServed requires that a new process finds and shows what the files say,
// whatever index and caches say.
func requireServed(t *testing.T, p project, now facts) {
	t.Helper()
	e := engine.New(engine.Options{Store: store.New(p.store(), time.Now), Version: "torture", Now: time.Now, LockWait: time.Second})
	ctx := context.Background()
	list, err := e.List(ctx, memory.ListFilter{Limit: 1000})
	require.NoError(t, err)
	require.Equal(t, now.files, list.Total)
	for _, entry := range list.Memories {
		m, ok := now.active[entry.Topic]
		require.True(t, ok, "%q is listed and not there", entry.Topic)
		d, err := e.Peek(ctx, string(entry.ID))
		require.NoError(t, err)
		require.Equal(t, m, text{d.Phase, d.Summary, d.Content, strings.Join(d.Tags, " ")})
		found, err := e.Recall(ctx, memory.Query{Text: entry.Topic, Limit: 100})
		require.NoError(t, err)
		require.Contains(t, topicsOf(found), entry.Topic)
	}
}

func topicsOf(r memory.Recall) []string {
	var topics []string
	for _, h := range r.Memories {
		topics = append(topics, h.Topic)
	}
	return topics
}

// ageCache lets time pass for the temporary files of the cache: it is written
// without the lock, so that a young one may belong to a living process.
func ageCache(t *testing.T, p project) {
	t.Helper()
	for _, path := range temps(t, p) {
		if filepath.Base(filepath.Dir(path)) == ".cache" {
			old := time.Now().Add(-11 * time.Minute)
			require.NoError(t, os.Chtimes(path, old, old))
		}
	}
}

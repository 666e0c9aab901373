package gitmatrix_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
	"ltm/memory/api"
)

// The memories of the base. Port and nodes are critical, so they never fade.
const (
	pool  = "pool"
	queue = "queue" // similar to pool
	again = "again" // similar to pool; forgotten and restored, so it has an archive
	port  = "port"
	nodes = "nodes"
	old   = "old" // similar to pool; forgotten
)

// side is one of the branches, in its own clone.
type side struct {
	project
	who string            // "ours", "theirs"
	ids map[string]string // by name
}

// correcting is the name of the operation that supersedes the target.
const correcting = "correct"

// operation is something that a person, a model or a session does to a memory, or to the forgotten
// memory old.
type operation struct {
	name string
	play func(s side, target string)

	// gone returns the marks of a base text that the operation removes permanently, because a
	// person asked for that.
	gone func(target string) []string

	view bool // changes no file
}

// operations lists all operations. Functions below play them.
func operations() []operation {
	content := func(target string) []string { return marks(target, "base")[1:] }
	late := func(target string) []string { return marks(target, "base")[2:] }
	every := func(target string) []string { return marks(target, "base") }
	return []operation{
		{name: "store", play: func(s side, _ string) { s.remember("new"+s.who, "A new topic of "+s.who) }},
		{name: "store similar",
			play: func(s side, _ string) { s.remember("similar"+s.who, "The pool as "+s.who+" sees it") }},
		{name: "import", play: func(s side, _ string) { s.importOne("imported" + s.who) }},
		{name: "review", play: func(s side, _ string) { s.review() }},
		{name: "update", play: func(s side, target string) { s.update(target) }, gone: content},
		{name: "edit", play: func(s side, target string) { s.edit(target) }, gone: late},
		{name: "pin", play: func(s side, target string) { s.pin(target) }},
		{name: "tag", play: func(s side, target string) { s.tag(target) }},
		{name: "forget", play: func(s side, target string) { s.forget(target) }},
		{name: "forget+restore", play: func(s side, target string) { s.forget(target); s.restore(target) }},
		{name: "forget+store similar", play: func(s side, target string) {
			s.forget(target)
			s.remember("similar"+s.who, "The pool as "+s.who+" sees it")
		}},
		{name: correcting, play: func(s side, target string) { s.correct(target) }},
		{name: "tidy --merge", play: func(s side, target string) { s.merge(target) }},
		{name: "correct+restore", play: func(s side, target string) { s.correct(target); s.restore(target) }},
		{name: "dispute", play: func(s side, target string) { s.dispute(target) }},
		{name: "forget all", play: func(s side, _ string) { s.forgetAll() }},
		{name: "fade 1", play: func(s side, target string) { s.fade(target, 1) }, view: true},
		{name: "fade 2", play: func(s side, target string) { s.fade(target, 2) }, view: true},
		{name: "fade 3", play: func(s side, target string) { s.fade(target, 3) }, view: true},
		{name: "fade files 1", play: func(s side, target string) { s.fadeFiles(); s.fade(target, 1) }},
		{name: "fade files 2", play: func(s side, target string) { s.fadeFiles(); s.fade(target, 2) }},
		{name: "fade files 3", play: func(s side, target string) { s.fadeFiles(); s.fade(target, 3) }},
		{name: "fade --write", play: func(s side, target string) { s.fade(target, 2); s.writeFading() }},
		{name: "prune", play: func(s side, target string) { s.prune(target) }, gone: every},
		{name: "forget --hard", play: func(s side, target string) { s.forgetHard(target) }, gone: every},
		{name: "restore old", play: func(s side, _ string) { s.restore(old) }},
		{name: "prune old", play: func(s side, _ string) { s.pruneForgotten(old) },
			gone: func(string) []string { return every(old) }},
		{name: "forget --hard old", play: func(s side, _ string) { s.forgetHard(old) },
			gone: func(string) []string { return every(old) }},
	}
}

// remember stores a memory.
func (s side) remember(name, topic string, flags ...string) {
	s.t.Helper()
	out := s.ltm(contentOf(name, s.who), append([]string{"remember", topic, "-", "--summary", summaryOf(name, s.who),
		"--tag", "base", "--difficulty", "0.1"}, flags...)...)
	ids := idsIn(out)
	require.NotEmpty(s.t, ids, out)
	s.ids[name] = firstID(out)
}

// importOne imports a memory, with the name and the texts of one that is stored.
func (s side) importOne(name string) {
	s.t.Helper()
	entry := map[string]any{"id": name, "region": "PROJECT", "kind": "LEARNINGS", "impact": "MEDIUM",
		"content": summaryOf(name, s.who), "original_content": contentOf(name, s.who), "created_at": "2026-01-02"}
	document, err := json.Marshal(map[string]any{"version": "1.0", "agent": map[string]any{"id": "a"},
		"memories": []any{entry}})
	require.NoError(s.t, err)
	out := s.ltm(string(document), "import", "-", "--trust", "--json")
	require.NotEmpty(s.t, idsIn(out), out)
	s.ids[name] = firstID(out)
}

// review accepts a rule that a session has.
func (s side) review() {
	s.t.Helper()
	dir := filepath.Join(s.home, ".claude", "projects", records.Folder(s.dir))
	require.NoError(s.t, os.MkdirAll(dir, 0o755))
	line := `{"type":"user","message":{"content":"Never close the pool of ` + s.who + ` by hand"}}` + "\n"
	require.NoError(s.t, os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(line), 0o644))
	var r api.Review
	s.json(&r, "review", "--sessions", "--yes")
	require.Len(s.t, r.Candidates, 1)
	require.Len(s.t, idsIn(s.ltm("", "review", "--accept", r.Candidates[0].ID)), 1)
}

func firstID(text string) string { return regexp.MustCompile(`mem_[0-9a-f]{8}`).FindString(text) }

// update changes a memory's content but not its summary.
func (s side) update(target string) {
	s.t.Helper()
	s.ltm(contentOf(target, s.who), "update", s.ids[target], "--content", "-")
}

// edit changes the last paragraph in the memory's file, as a person would in an editor.
func (s side) edit(target string) {
	s.t.Helper()
	path := filepath.Join(s.store(), "memories", s.ids[target]+".md")
	data, err := os.ReadFile(path)
	require.NoError(s.t, err)
	edited := strings.ReplaceAll(string(data), mark("late", target, "base"), mark("late", target, s.who))
	require.NotEqual(s.t, string(data), edited)
	require.NoError(s.t, os.WriteFile(path, []byte(edited), 0o644))
}

func (s side) pin(target string) { s.ltm("", "pin", s.ids[target]) }

// tag adds a tag to the one that every memory has.
func (s side) tag(target string) {
	s.ltm("", "update", s.ids[target], "--tag", "base", "--tag", label(target, s.who))
}

func (s side) forget(target string)  { s.ltm("", "forget", "--yes", s.ids[target]) }
func (s side) restore(target string) { s.ltm("", "restore", s.ids[target]) }

// correct stores a memory that supersedes another, which is archived.
func (s side) correct(target string) {
	s.t.Helper()
	s.remember("new"+s.who, "The pool, corrected by "+s.who, "--supersedes", s.ids[target])
}

// merge stores a memory and merges another one into it, whose text it does not take: a text must be in no other file.
func (s side) merge(target string) {
	s.t.Helper()
	s.remember("new"+s.who, "The pool, merged by "+s.who)
	s.ltm(contentOf("new"+s.who, s.who), "tidy", "--merge", s.ids["new"+s.who], s.ids[target], "--text", "-")
}

// dispute stores a memory that contradicts another, which stays as it is, and is related to one.
func (s side) dispute(target string) {
	s.t.Helper()
	s.remember("new"+s.who, "The pool, disputed by "+s.who, "--disputes", s.ids[target], "--related", s.ids[port])
}

func (s side) forgetAll() {
	s.t.Helper()
	for _, id := range s.listed() {
		s.ltm("", "forget", "--yes", id)
	}
}

func (s side) forgetHard(target string) { s.ltm("", "forget", s.ids[target], "--hard", "--yes") }

// fade moves a memory to a phase, step by step, by evicting with a lower limit. It accesses the
// other memories that can fade, so that they do not fade first.
func (s side) fade(target string, phase int) {
	s.t.Helper()
	others := slices.DeleteFunc([]string{pool, queue, again}, func(name string) bool { return name == target })
	for _, other := range others {
		for range 3 {
			s.call("get_memory", map[string]any{"id": s.ids[other]})
		}
	}
	s.ltm("", "config", "max_memories", "1")
	s.ltm("", "config", "eviction_batch_size", "1")
	for range phase {
		s.ltm("", "evict")
	}
	require.Equal(s.t, phase, s.phase(target), "the phase of %s", target)
	for _, other := range others {
		require.Equal(s.t, 0, s.phase(other), "the phase of %s", other)
	}
}

// fadeFiles makes this branch record phases in the files.
func (s side) fadeFiles() { s.ltm("", "config", "--shared", "fading", "files") }

func (s side) writeFading() { s.ltm("", "fade", "--write") }

// prune forgets a memory and permanently removes its archive.
func (s side) prune(target string) {
	s.t.Helper()
	s.forget(target)
	s.pruneForgotten(target)
}

func (s side) pruneForgotten(target string) {
	s.t.Helper()
	s.age(s.ids[target])
	s.ltm("", "archives", "prune", "--older-than", "30d", "--yes")
	require.NotContains(s.t, s.union(), mark("late", target, "base"), "prune kept it")
}

// age backdates the archiving of a memory: in its stub, and in its archive files' modification
// times.
func (s side) age(id string) {
	s.t.Helper()
	ago := time.Date(2025, 1, 15, 0, 0, 0, 0, time.UTC)
	stubs, err := filepath.Glob(filepath.Join(s.store(), "memories", id+".md"))
	require.NoError(s.t, err)
	for _, stub := range stubs {
		data, err := os.ReadFile(stub)
		require.NoError(s.t, err)
		aged := regexp.MustCompile(`(?m)^archived: .*$`).ReplaceAll(data,
			[]byte(`archived: "`+ago.Format(time.DateOnly)+`"`))
		if !slices.Equal(aged, data) {
			require.NoError(s.t, os.WriteFile(stub, aged, 0o644))
		}
	}
	archives, err := filepath.Glob(filepath.Join(s.store(), "archives", id+".*"))
	require.NoError(s.t, err)
	for _, archive := range archives {
		require.NoError(s.t, os.Chtimes(archive, ago, ago))
	}
}

// listed returns the ids of the listed memories.
func (s side) listed() []string {
	s.t.Helper()
	var list struct{ Memories []struct{ ID string } }
	s.json(&list, "list", "--limit", "1000")
	var ids []string
	for _, m := range list.Memories {
		ids = append(ids, m.ID)
	}
	return ids
}

// phase returns how far a memory has faded according to a listing; 3 if it is not listed.
func (s side) phase(name string) int {
	s.t.Helper()
	var list struct {
		Memories []struct {
			ID    string
			Phase int
		}
	}
	s.json(&list, "list", "--limit", "1000")
	for _, m := range list.Memories {
		if m.ID == s.ids[name] {
			return m.Phase
		}
	}
	return 3
}

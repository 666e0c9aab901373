package torture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
	"ltm/memory"
	"ltm/memory/api"
)

// operation is something that changes files, in a prepared project.
type operation struct {
	name    string
	plain   bool // in a project outside of git
	prepare func(project) (stdin string, args []string)

	// Accepted exit statuses of a second run after a complete first one.
	again []int
	// A second run counts or evicts again.
	adds bool
	// Reports whether it did everything: the end of a session leaves an eviction to the next one if
	// it takes too long, as on a busy machine.
	complete func(after facts) bool
	// The summary of a check of what a repair cannot resolve.
	leaves string
	// It permanently removes texts, or stubs.
	removes bool
	// All of its files change together, or none does.
	whole bool
}

// furnished prepares a furnished project, and a command on the first of its memories.
func furnished(args ...string) func(project) (string, []string) {
	return func(p project) (string, []string) { return "", on(furnish(p), args) }
}

// on replaces ID in arguments with the id of a memory.
func on(id memory.ID, args []string) []string {
	given := slices.Clone(args)
	for i := range given {
		if given[i] == "ID" {
			given[i] = string(id)
		}
	}
	return given
}

// furnish makes a project with memories, an archive, stats and an open session.
func furnish(p project) (first memory.ID) {
	p.run("", "config", "max_memories", "50")
	first = p.remember("one about pools", long("pools"), "--difficulty", "0.7")
	p.remember("two about queues", long("queues"), "--difficulty", "0.5", "--tag", "tracked")
	gone := p.remember("three about caches", long("caches"))
	p.run("", "forget", string(gone))
	p.run("", "update", string(first), "--difficulty", "0.7") // counts only an access
	p.run(payload("s1", `"source":"startup"`), "hook", "SessionStart")
	p.run(payload("s1", `"tool_response":"some output"`), "hook", "PostToolUse")
	p.run(payload("s1", `"error":"x"`), "hook", "PostToolUseFailure")
	return first
}

// Where fading is recorded.
const (
	inView  = "view"
	inFiles = "files"
)

// crowd makes a project in which an eviction moves a memory from each phase to the next, including
// one to Removed.
func crowd(p project, where string) {
	for i, about := range []string{"alpha", "beta", "gamma", "delta", "epsilon"} {
		p.remember("memory "+about, long(about), "--difficulty", fmt.Sprint(0.1*float64(i+1)))
	}
	p.run("", "config", "--shared", "fading", where)
	p.run("", "config", "max_memories", "2")
	p.run("", "config", "eviction_batch_size", "2")
	p.run("", "evict") // alpha and beta: whole → hint
	p.run("", "config", "eviction_batch_size", "1")
	p.run("", "evict") // alpha: hint → abstract
	p.run("", "config", "eviction_batch_size", "3")
	p.run(payload("s1", `"source":"startup"`), "hook", "SessionStart")
}

// inCrowd prepares a crowd, and a command on the memory that has faded furthest.
func inCrowd(where string, args ...string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		crowd(p, where)
		return "", on(p.find("alpha"), args)
	}
}

// find returns the id of the memory with this word in its topic.
func (p project) find(keyword string) memory.ID {
	p.t.Helper()
	var list api.Listing
	p.json(&list, "list", "--keyword", keyword)
	require.Len(p.t, list.Memories, 1)
	return list.Memories[0].ID
}

func hookOn(event, rest string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		furnish(p)
		return payload("s1", rest), []string{"hook", event}
	}
}

// operations lists every operation that writes.
func operations() []operation {
	return slices.Concat(storing(), fadingAway(), repairing(), settingUp(), inSessions(), takingOver(), extending(),
		importing(), takingBack(), correcting(), signed(), handingOver())
}

// storing changes one memory at a time.
func storing() []operation {
	return []operation{
		{name: "remember", again: []int{4}, prepare: func(p project) (string, []string) {
			furnish(p)
			return long("stores"), []string{"remember", "a new one", "-", "--difficulty", "0.4", "--tag", "fresh"}
		}},
		{name: "first remember", again: []int{4}, prepare: func(project) (string, []string) {
			return long("stores"), []string{"remember", "the very first", "-", "--difficulty", "0.4"}
		}},
		{name: "first remember outside of git", plain: true, again: []int{4},
			prepare: func(project) (string, []string) {
				return long("stores"), []string{"remember", "the very first", "-", "--difficulty", "0.4"}
			}},
		{name: "update", adds: true, prepare: func(p project) (string, []string) {
			return "Wholly new text.", []string{"update", string(furnish(p)), "--content", "-", "--tag", "new"}
		}},
		{name: "update outside of git", plain: true, adds: true, prepare: func(p project) (string, []string) {
			return "Wholly new text.", []string{"update", string(furnish(p)), "--content", "-"}
		}},
		{name: "update of tags", adds: true, prepare: furnished("update", "ID", "--tag", "new,newer")},
		{name: "edit", adds: true, prepare: edit},
		{name: "pin", prepare: furnished("pin", "ID")},
		{name: "verify", adds: true, prepare: func(p project) (string, []string) {
			id := furnish(p)
			file := filepath.Join(p.dir, "pool.go")
			require.NoError(p.t, os.WriteFile(file, []byte("package db\n"), 0o600))
			p.run("", "update", string(id), "--ref", "pool.go")
			require.NoError(p.t, os.WriteFile(file, []byte("package pool\n"), 0o600))
			return "", []string{"verify", string(id)}
		}},
		{name: "unpin", prepare: func(p project) (string, []string) {
			id := string(furnish(p))
			p.run("", "pin", id)
			return "", []string{"unpin", id}
		}},
		{name: "access", adds: true, prepare: furnished("update", "ID", "--difficulty", "0.7")}, // its current value
		{name: "forget", again: []int{3}, prepare: furnished("forget", "ID")},
		{name: "forget for good", removes: true, prepare: func(p project) (string, []string) {
			id := string(furnish(p))
			p.run("Changed once.", "update", id, "--content", "-")
			return "", []string{"forget", "--hard", "--yes", id}
		}},
		{name: "restore", again: []int{4}, prepare: func(p project) (string, []string) {
			id := furnish(p)
			p.run("", "forget", string(id))
			return "", []string{"restore", string(id), "--importance", "important"}
		}},
	}
}

// record writes the client's record of a session, in which a person stated a rule.
func (p project) record(session string) {
	dir := filepath.Join(p.root, "home", ".claude", "projects", records.Folder(p.dir))
	require.NoError(p.t, os.MkdirAll(dir, 0o755))
	line := `{"type":"user","message":{"content":"Never edit files below gen/ by hand"}}` + "\n"
	require.NoError(p.t, os.WriteFile(filepath.Join(dir, session+".jsonl"), []byte(line), 0o644))
}

// candidate proposes what the records have, and returns the id of the first candidate.
func (p project) candidate() string {
	var r api.Review
	p.json(&r, "review", "--sessions", "--yes")
	require.NotEmpty(p.t, r.Candidates)
	return r.Candidates[0].ID
}

// extending adds to memories and changes parts of them.
func extending() []operation {
	return []operation{
		{name: "achievements", whole: true, prepare: func(p project) (string, []string) {
			furnish(p)
			for _, subject := range []string{"feat: add login", "perf: read once", "fix!: refuse empty names"} {
				p.write("code.txt", subject)
				p.git("add", "code.txt")
				p.git("commit", "--quiet", "-m", subject)
			}
			return "", []string{"achievements", "--all", "--yes"}
		}},
		{name: "review that drops", again: []int{2, 3}, prepare: func(p project) (string, []string) {
			furnish(p)
			p.record("s1")
			return "", []string{"review", "--drop", p.candidate()}
		}},
		{name: "review that accepts", adds: true, again: []int{2, 3, 4}, prepare: func(p project) (string, []string) {
			furnish(p)
			p.record("s1")
			return "", []string{"review", "--accept", p.candidate()}
		}},
		{name: "update that appends", adds: true, again: []int{4}, prepare: func(p project) (string, []string) {
			return "## More\n\nAnd one thing more.", []string{"update", string(furnish(p)), "--append", "-"}
		}},
		{name: "update of the summary", adds: true, prepare: furnished("update", "ID", "--summary",
			"What it is about.")},
		{name: "update of some tags", adds: true, prepare: furnished("update", "ID", "--add-tag", "new", "--remove-tag",
			"old", "--importance", "low")},
		{name: "update that appends to a reduced memory", adds: true, again: []int{4},
			prepare: inCrowd(inFiles, "update", "ID", "--append", "One thing more.")},
		{name: "update of a reduced memory's summary", adds: true,
			prepare: inCrowd(inFiles, "update", "ID", "--summary", "What it is about.")},
	}
}

// edit prepares a person saving a changed text.
func edit(p project) (string, []string) {
	id := furnish(p)
	p.write("draft.md", strings.Replace(p.read(".claude/ltm/memories/"+id.File()), "The first paragraph",
		"What a person wrote", 1))
	return "", []string{"edit", string(id), "--from", "draft.md"}
}

// fadingAway moves memories to later phases and back, and removes archives.
func fadingAway() []operation {
	return []operation{
		{name: "evict", adds: true, prepare: inCrowd(inView, "evict")},
		{name: "evict in the files", adds: true, prepare: inCrowd(inFiles, "evict")},
		{name: "fade --write", prepare: inCrowd(inView, "fade", "--write")},
		{name: "access of a faded memory", adds: true, prepare: inCrowd(inView, "update", "ID", "--difficulty", "0.1")},
		{name: "restore of a faded memory", again: []int{4}, prepare: inCrowd(inView, "restore", "ID")},
		{name: "restore of a reduced memory", again: []int{4}, prepare: inCrowd(inFiles, "restore", "ID")},
		{name: "update of a reduced memory", adds: true, prepare: inCrowd(inFiles, "update", "ID", "--content",
			"Wholly new text.")},
		{name: "forget of a reduced memory", again: []int{3}, prepare: inCrowd(inFiles, "forget", "ID")},
		{name: "archives prune", removes: true, prepare: func(p project) (string, []string) {
			twice := string(furnish(p))
			p.run("Changed once.", "update", twice, "--content", "-")
			p.run("", "forget", twice)
			p.ageStubs()
			return "", []string{"archives", "prune", "--older-than", "30d", "--yes"}
		}},
	}
}

// ageStubs makes the memories of a project look archived years ago, as if both files of each had
// come with a pull, and approves them.
func (p project) ageStubs() {
	p.t.Helper()
	then := time.Date(2020, 2, 2, 0, 0, 0, 0, time.UTC)
	for name, text := range p.stubs() {
		p.write(".claude/ltm/memories/"+name, aged(text))
		archives, err := filepath.Glob(filepath.Join(p.store(), "archives", strings.TrimSuffix(name, ".md")+"*"))
		require.NoError(p.t, err)
		for _, archive := range archives {
			require.NoError(p.t, os.Chtimes(archive, then, then))
		}
		p.run("", "trust", strings.TrimSuffix(name, ".md"))
	}
}

// aged returns the stub as if its memory had been archived in 2020.
func aged(stub string) string {
	return regexp.MustCompile(`archived: "[0-9-]+"`).ReplaceAllString(stub, `archived: "2020-02-02"`)
}

// stubs returns the stubs of a project by file name.
func (p project) stubs() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	eachMemory(p.t, p, "memories", func(name string, data []byte, m memory.Memory) {
		if m.IsStub() {
			found[name] = string(data)
		}
	})
	require.NotEmpty(p.t, found)
	return found
}

// repairing is what fix does, and a person's decisions about trust and settings.
func repairing() []operation {
	trusting := func(args ...string) func(project) (string, []string) {
		return func(p project) (string, []string) {
			id := furnish(p)
			p.run("", "trust", "--revoke", string(id), string(p.find("queues")))
			return "", on(id, args)
		}
	}
	return []operation{
		{name: "fix", again: []int{1}, leaves: "1 unreadable archive;", prepare: breakProject},
		{name: "fix of damaged counters", prepare: func(p project) (string, []string) {
			furnish(p)
			require.NoError(p.t, os.WriteFile(filepath.Join(p.own(), "stats.json"), []byte(brokenJSON), 0o644))
			return "", []string{"fix"}
		}},
		{name: "fix that recovers a text from git", prepare: func(p project) (string, []string) {
			loseText(p)
			return "", []string{"fix"}
		}},
		{name: "fix that brings back what a work tree left", prepare: func(p project) (string, []string) {
			leaveBehind(p)
			return "", []string{"fix"}
		}},
		{name: "fix that resolves merges", prepare: leaveMerges},
		{name: "resolve", again: []int{4}, prepare: func(p project) (string, []string) {
			id := furnish(p)
			text := p.read(".claude/ltm/memories/" + id.File())
			p.write(".claude/ltm/memories/"+id.File(), conflict(text,
				strings.ReplaceAll(text, "Detail", "Another detail")))
			return "", []string{"resolve", string(id), "--both"}
		}},
		{name: "trust", prepare: trusting("trust", "ID")},
		{name: "trust --all", prepare: trusting("trust", "--all", "--yes")},
		{name: "trust --revoke", prepare: furnished("trust", "--revoke", "ID")},
		{name: "config", prepare: furnished("config", "memories_to_load", "7")},
		{name: "config trust", prepare: furnished("config", "trust", "all")},
		{name: "config for all", prepare: func(p project) (string, []string) {
			furnish(p)
			p.run("", "config", "--shared", "max_memories", "60")
			return "", []string{"config", "--shared", "memories_to_load", "7"}
		}},
		{name: "config for all taken back", prepare: func(p project) (string, []string) {
			furnish(p)
			p.run("", "config", "--shared", "max_memories", "60")
			return "", []string{"config", "--shared", "--reset", "max_memories"}
		}},
		{name: "config track_index", prepare: furnished("config", "--shared", "track_index", "on")},
		{name: "remember with track_index", again: []int{4}, prepare: func(p project) (string, []string) {
			furnish(p)
			p.run("", "config", "--shared", "track_index", "on")
			return long("stores"), []string{"remember", "a new one", "-", "--difficulty", "0.4"}
		}},
	}
}

// settingUp sets a project up and reverts that.
func settingUp() []operation {
	owned := func(p project) {
		p.write("CLAUDE.md", "# Rules\n\nUse tabs.\n")
		p.write(".mcp.json", `{"mcpServers":{"other":{"command":"other"}}}`+"\n")
	}
	return []operation{
		{name: "init", prepare: func(p project) (string, []string) {
			owned(p)
			return "", []string{"init"}
		}},
		{name: "init with a store", prepare: furnished("init")},
		{name: "init --undo", prepare: func(p project) (string, []string) {
			owned(p)
			p.run("", "init")
			return "", []string{"init", "--undo"}
		}},
		{name: "init --undo with a store", prepare: func(p project) (string, []string) {
			owned(p)
			p.run("", "init")
			furnish(p)
			return "", []string{"init", "--undo"}
		}},
	}
}

// inSessions is what hooks do.
func inSessions() []operation {
	return []operation{
		{name: "SessionStart", adds: true, prepare: hookOn("SessionStart", `"source":"startup"`)},
		{name: "SessionStart of a new session", adds: true, prepare: func(p project) (string, []string) {
			furnish(p)
			return payload("s2", `"source":"startup"`), []string{"hook", "SessionStart"}
		}},
		{name: "UserPromptSubmit", adds: true, prepare: func(p project) (string, []string) {
			furnish(p)
			p.remember("retries of the payment gateway",
				"The payment gateway refuses retries without an idempotency key.")
			return payload("s2", `"prompt":"why does the payment gateway refuse retries without an idempotency key?"`),
				[]string{"hook", "UserPromptSubmit"}
		}},
		{name: "PostToolUse", adds: true, prepare: hookOn("PostToolUse", `"tool_response":"more output"`)},
		{name: "PreCompact", adds: true, prepare: hookOn("PreCompact", `"trigger":"manual"`)},
		{name: "SessionEnd", adds: true, prepare: hookOn("SessionEnd", `"reason":"other"`)},
		{name: "SessionEnd with an old stub", adds: true, removes: true, prepare: func(p project) (string, []string) {
			furnish(p)
			p.ageStubs()
			return payload("s1", `"reason":"other"`), []string{"hook", "SessionEnd"}
		}},
		{name: "SessionEnd with an eviction", adds: true, prepare: endOfCrowd(inView),
			complete: func(after facts) bool { return after.phases["memory gamma"] == memory.Hint }},
		{name: "SessionEnd with an eviction in the files", adds: true, prepare: endOfCrowd(inFiles),
			complete: func(after facts) bool { return after.memories["memory gamma"].Phase == memory.Hint }},
		{name: "SessionEnd with decay", adds: true, prepare: endOfDecay(inView),
			complete: func(after facts) bool { return after.phases["one about pools"] == memory.Hint }},
		{name: "SessionEnd with decay in the files", adds: true, prepare: endOfDecay(inFiles),
			complete: func(after facts) bool { return after.memories["one about pools"].Phase == memory.Hint }},
	}
}

// endOfDecay prepares the end of a session after years in which nothing was opened.
func endOfDecay(where string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		furnish(p)
		for _, about := range []string{"pools", "queues"} {
			id := p.find(about)
			path := ".claude/ltm/memories/" + id.File()
			p.write(path, regexp.MustCompile(`created_at: "[^"]+"`).ReplaceAllString(p.read(path),
				`created_at: "2020-02-02T00:00:00Z"`))
			p.run("", "trust", string(id))
		}
		p.write(".git/ltm/stats.json", regexp.MustCompile(`"accessed_at": "[^"]+",\s*`).ReplaceAllString(
			p.read(".git/ltm/stats.json"), ""))
		p.run("", "config", "--shared", "fading", where)
		p.run("", "config", "decay", "human")
		return payload("s1", `"reason":"other"`), []string{"hook", "SessionEnd"}
	}
}

func endOfCrowd(where string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		crowd(p, where)
		return payload("s1", `"reason":"other"`), []string{"hook", "SessionEnd"}
	}
}

// takingOver is the first change to a store that a predecessor left.
func takingOver() []operation {
	inherited := func(stdin string, args ...string) func(project) (string, []string) {
		return func(p project) (string, []string) {
			id := furnish(p)
			p.makeOlder()
			return stdin, on(id, args)
		}
	}
	return []operation{
		{name: "take-over by remember", again: []int{4}, prepare: inherited(long("stores"), "remember", "a new one",
			"-", "--difficulty", "0.4")},
		{name: "take-over by remember outside of git", plain: true, again: []int{4},
			prepare: inherited(long("stores"), "remember", "a new one", "-", "--difficulty", "0.4")},
		{name: "take-over by update", adds: true, prepare: inherited("Wholly new text.", "update", "ID", "--content",
			"-")},
		{name: "take-over by trust --all", prepare: inherited("", "trust", "--all", "--yes")},
		{name: "take-over by config", prepare: inherited("", "config", "memories_to_load", "7")},
		{name: "take-over by SessionStart", adds: true, prepare: inherited(payload("s2", `"source":"startup"`), "hook",
			"SessionStart")},
		{name: "take-over by PostToolUse", adds: true, prepare: inherited(payload("s2",
			`"tool_response":"more output"`), "hook", "PostToolUse")},
	}
}

// makeOlder converts a project's store to one of the predecessor's: counters and the index are next
// to the memories, and it is not known who wrote them.
func (p project) makeOlder() {
	p.t.Helper()
	for _, name := range []string{"stats.json", "state.json"} {
		require.NoError(p.t, os.Rename(filepath.Join(p.own(), name), filepath.Join(p.store(), name)))
	}
	require.NoError(p.t, os.RemoveAll(p.own()))
	require.NoError(p.t, os.RemoveAll(p.person()))
	p.write(".claude/ltm/index.json", `{"version": 1, "memories": {}}`+"\n")
	p.write(".claude/ltm/.gitignore", "/state.json\n/stats.json\n.*\n!.gitignore\n!.gitattributes\n")
}

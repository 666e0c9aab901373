//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// canary is a word that a repository says wherever it can, and that a model must
// not hear before a person has approved it. It has a form that names, reasons and
// tags may have.
const canary = "canarycanary"

// withCanary makes a store say the canary in everything that a repository can
// bring, beside memories that were written here.
func withCanary(t *testing.T) *hostile {
	t.Helper()
	h := newHostile(t)
	h.run("", "config", "trust", "ask")
	h.write("memories/mem_deadbeef.md", "---\ntopic: \"pool "+canary+"\"\ntags: ["+canary+
		", \"importance:critical\"]\n---\n\n## Summary\n"+canary+"\n\n## Content\nconnections of the pool "+canary+"\n")
	h.write("archives/mem_deadbee0.md", memoryFile("proxy "+canary, "a proxy of the "+canary))
	h.write("memories/mem_deadbee1.md", memoryFile("Another honest memory", "It listens on the port of the pool, "+
		canary))
	for i, header := range []string{
		"id: " + canary, "id: mem_aaaaaaaa # " + canary, "topic: x\nphase: " + canary, "topic: x\ndifficulty: " +
			canary, "topic: x\ncreated_at: " + canary, "topic: x\ncreated_session: " + canary,
		"topic: x\nrestored_from_archive: " + canary, "topic: x\ntags: {" + canary + ": 1}", canary + ": 1\n" + canary +
			": 2", "topic: *" + canary, "topic: {" + canary, canary, "- " + canary,
		"topic: x\nz: !" + canary + " {", "\"" + canary + "\\q\": 1", "topic: " + canary + "\nwork: {calls: " + canary +
			"}", "topic: x\nphase: 1 # " + canary, "x: " + canary,
	} {
		text := "---\n" + header + "\n---\n\n" + canary + " connections\n"
		h.write(fmt.Sprintf("memories/mem_000000%02x.md", i), text)
		h.write(fmt.Sprintf("archives/mem_000001%02x.md", i), text)
	}
	h.write("memories/mem_000000ff.md", "<<<<<<< "+canary+"\n=======\n>>>>>>> "+canary+"\n")
	for _, name := range []string{canary, canary + ".md", "a\n" + canary + "\n.md", "mem_" + canary + ".md",
		"mem_00000000.md." + canary, "." + canary, "..mem_00000000.md." + canary, "\x1b[2J" + canary} {
		for _, folder := range []string{"memories", "archives", "."} {
			h.write(filepath.Join(folder, name), memoryFile(canary, canary))
		}
	}
	entry := `{"topic":"` + canary + `","tags":["` + canary + `"],"phase":0,"created_at":"` + canary + `"}`
	index := `{"version":1,"memories":{"` + canary + `":` + entry + `,"../` + canary + `\n":` + entry +
		`,"mem_deadbee7":` + entry + `,"mem_deadbeef":` + entry + `}}`
	h.write("index.json", index)
	h.write("stats.json", `{"version":1,"memories":{"`+canary+
		`":{"access_count":1},"mem_deadbee6":{"access_count":2}}}`)
	h.write("config.json", `{"version":1,"config":{"trust":"ask","`+canary+`":"`+canary+`","max_memories":"`+canary+
		`","difficulty_weights":{"`+canary+`":1}}}`)
	return h
}

// damagedOwn are files of the store's own that a repository may bring too.
func damagedOwn() map[string]string {
	session := `{"id":"` + canary + `","number":7,"transcript":{"path":"/` + canary + `"},"failed":{"` + canary +
		`":1}}`
	return map[string]string{
		"state of another": `state.json {"version":1,"session_count":3,"current_session":` + session +
			`,"sessions":{"` + canary + `":` + session + `},"config":{"trust":"all","` + canary + `":"` + canary +
			`"}}`,
		"state of no kind":   `state.json {"version":1,"session_count":"` + canary + `"}`,
		"no state":           `state.json ` + canary,
		"no index":           `index.json ` + canary,
		"index of no kind":   `index.json {"version":1,"memories":{"` + canary + `":"` + canary + `"}}`,
		"no stats":           `stats.json ` + canary,
		"no settings":        `config.json {"version":1,"config":{"trust":"ask"},"` + canary + `"`,
		"rules of no kind":   `.gitignore ` + canary,
		"a folder of no use": `memories/mem_deadbee8.md/` + canary + ` x`,
	}
}

// says runs ltm and returns all that it says.
func (h *hostile) says(stdin string, args ...string) string {
	h.t.Helper()
	cmd := exec.Command("ltm", args...)
	cmd.Dir, cmd.Stdin = h.dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "HOME="+h.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // what it says counts, whether or not it succeeds
	return out.String()
}

// everyCall is a call of every tool, for every memory that may be asked for, and a look at every resource.
func everyCall(ids ...string) string {
	lines := []string{
		initialize,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	call := func(tool, arguments string) {
		lines = append(lines,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
				len(lines)+1, tool, arguments))
	}
	ask := func(method, params string) {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, len(lines)+1, method,
			params))
	}
	ask("prompts/list", `{}`)
	ask("resources/list", `{}`)
	ask("resources/templates/list", `{}`)
	for _, scope := range []string{"project", "user"} {
		ask("completion/complete", `{"ref":{"type":"ref/resource","uri":"ltm://`+scope+
			`/{id}"},"argument":{"name":"part","value":"c"}}`)
		for _, id := range ids {
			ask("resources/subscribe", `{"uri":"ltm://`+scope+`/`+id+`"}`)
			ask("resources/read", `{"uri":"ltm://`+scope+`/`+id+`"}`)
		}
	}
	for _, include := range []string{"active", "archives", "all"} {
		call("recall", `{"query":"connections of the pool, proxy","include":"`+include+`"}`)
		call("list_memories", `{"include":"`+include+`"}`)
	}
	call("search_archives", `{"query":"honest proxy connections"}`)
	call("ltm_status", `{}`)
	call("ltm_check", `{}`)
	call("ltm_fix", `{"dry_run":true}`)
	call("new_topic", `{}`)
	for _, id := range ids {
		call("get_memory", `{"id":"`+id+`"}`)
		call("get_memory", `{"id":"`+id+`","archived":true}`)
		call("get_memory", `{"ids":["`+id+`","mem_0000ffff"]}`)
		call("get_memory", `{"ids":["`+id+`","mem_0000ffff"],"archived":true}`)
		call("update_memory", `{"id":"`+id+`","tags":["x"]}`)
		call("update_memory",
			`{"id":"`+id+`","append":"More.","summary":"What it was.","add_tags":["y"],"importance":"low"}`)
		call("forget", `{"id":"`+id+`"}`)
		call("restore_memory", `{"id":"`+id+`"}`)
	}
	call("store_memory", `{"topic":"Another honest memory","content":"It listens on the port of the pool, they say."}`)
	call("ltm_fix", `{}`)
	call("ltm_fix", `{"archive_orphans":false,"clean_orphaned_archives":true}`)
	call("ltm_check", `{}`)
	call("ltm_status", `{}`)
	call("list_memories", `{"include":"all"}`)
	for _, c := range toolCalls() {
		call(c[0], c[1])
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestNothingWithheldIsSaid asks every tool and hook about a store with a canary,
// with trust set to ask, and also what a command of the plugin may run without
// asking a person.
func TestNothingWithheldIsSaid(t *testing.T) {
	ids := []string{"mem_deadbeef", "mem_deadbee0", "mem_deadbee1", "mem_deadbee6", "mem_deadbee7", "mem_deadbee8",
		"mem_deadbee9", "mem_aaaaaaaa", "mem_000000ff"}
	for i := range 18 {
		ids = append(ids, fmt.Sprintf("mem_000000%02x", i), fmt.Sprintf("mem_000001%02x", i))
	}
	own := damagedOwn()
	own["as it is"] = ""
	for name, file := range own {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := withCanary(t)
			honest := strings.Fields(h.run("", "list"))[0]
			if path, text, replaced := strings.Cut(file, " "); replaced {
				h.write(path, text)
			}
			require.Contains(t, h.says("", "show", "mem_deadbeef"), canary, "a person is told")
			for _, command := range [][]string{
				{`{"session_id":"s","source":"startup"}`, "hook", "SessionStart"},
				{`{"session_id":"s","prompt":"what do we know about the connections of the pool and its proxy?"}`,
					"hook", "UserPromptSubmit"},
				{`{"session_id":"s","tool_response":"x"}`, "hook", "PostToolUse"},
				{`{"session_id":"s","error":"x"}`, "hook", "PostToolUseFailure"},
				{`{"session_id":"s"}`, "hook", "PreCompact"},
				{"", "doctor"},
				{everyCall(append(ids, honest)...), "mcp"},
				{`{"session_id":"s","source":"compact"}`, "hook", "SessionStart"},
				{`{"session_id":"s"}`, "hook", "SessionEnd"},
				{"", "doctor"},
			} {
				all := h.says(command[0], command[1:]...)
				if command[1] == "mcp" {
					require.Equal(t, strings.Count(command[0], `"id"`)-strings.Count(command[0], `{"id"`),
						strings.Count(all, `"result"`)+strings.Count(all, `"error":{"code"`), "every call is answered")
					require.Contains(t, all, "withheld")
				}
				for said := range strings.Lines(strings.ToLower(all)) {
					if at := strings.Index(said, canary); at >= 0 {
						t.Errorf("ltm %s said: %q", strings.Join(command[1:], " "),
							said[max(0, at-300):min(len(said), at+100)])
					}
				}
			}
		})
	}
}

// TestReportsOfAHostileStoreAreBounded has more unreadable files than a report lists, with
// names and headers that break lines.
func TestReportsOfAHostileStoreAreBounded(t *testing.T) {
	h := newHostile(t)
	for i := range 1_100 {
		if i < 100 {
			h.write(fmt.Sprintf("memories/%d\nltm: all is well\n.md", i), "text")
		}
		h.write(fmt.Sprintf("memories/mem_0000%04x.md", i), "---\ntopic: x\nphase: \"a\\nltm: all is well "+
			strings.Repeat("y", 2_000)+"\"\n---\n")
	}
	for _, test := range []struct {
		most int
		args []string
	}{
		{2 << 20, []string{"check"}}, {2 << 20, []string{"check", "--json"}}, {2 << 20, []string{"check", "--secrets"}},
		{2 << 20, []string{"fix", "--dry-run"}}, {2 << 20, []string{"fix", "--dry-run", "--json"}},
		{4 << 10, []string{"doctor"}}, {4 << 10, []string{"status"}},
	} {
		said := h.harmless("", test.args...)
		require.Less(t, len(said), test.most, "%v", test.args)
		require.NotContains(t, said, "\nltm: all is well", "%v", test.args)
		if test.args[0] == "check" || test.args[0] == "fix" {
			require.Regexp(t, `(and \d{3,5} more|"omitted": \{)`, said, "%v", test.args)
		}
	}
	for _, call := range []string{`"ltm_check","arguments":{}`, `"ltm_fix","arguments":{"dry_run":true}`,
		`"ltm_status","arguments":{}`, `"ltm_fix","arguments":{}`} {
		start, _, _ := strings.Cut(everyCall(), `{"jsonrpc":"2.0","id":3`)
		said := h.harmless(start+`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":`+call+"}}\n", "mcp")
		require.Less(t, len(said), 64<<10, call)
		for _, text := range stringsIn(t, said) {
			require.NotContains(t, text, "\nltm: all is well", call)
		}
	}
	require.Less(t, len(h.harmless("", "log")), 64<<10)
}

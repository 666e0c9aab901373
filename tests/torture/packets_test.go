package torture_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
	"ltm/packet"
)

// readPackets reads the packets. Each file is a whole packet.
func (f *facts) readPackets(t *testing.T, p project) {
	t.Helper()
	f.readPacketsIn(t, filepath.Join(p.own(), "drafts"), ", a draft")
	f.readPacketsIn(t, filepath.Join(p.store(), "packets"), "")
}

func (f *facts) readPacketsIn(t *testing.T, dir, what string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "[^.]*.json"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		read, err := packet.Parse(data)
		require.NoError(t, err, "%s: %q", name, data)
		base := strings.TrimSuffix(filepath.Base(name), ".json")
		require.Equal(t, read.ID, base)
		var notes api.PacketBeside
		readJSON(t, filepath.Join(dir, "notes", base+".json"), &notes)
		marks, err := filepath.Glob(filepath.Join(dir, "done", base+".*"))
		require.NoError(t, err)
		read.ID, read.ParentID, read.CreatedAt = "", strings.Repeat("x", len(read.ParentID)), ""
		text, err := json.Marshal(read)
		require.NoError(t, err)
		f.packets[read.Goal] = fmt.Sprintf("%s on %q, done: %t%s", text, notes.Branch, len(marks) > 0, what)
	}
}

// handOver makes a furnished project with two packets, of which the second continues the first, and
// returns the second's id.
func handOver(p project) string {
	furnish(p)
	p.run("", writing("Keep the pool")...)
	p.run("", append(writing("Keep the pool small"), "--parent", packetIDs(p)[0])...)
	return packetIDs(p)[0]
}

// writing returns the arguments that write a packet.
func writing(goal string) []string {
	return []string{"write", "--goal", goal, "--next", "Measure it.", "--criterion", "It is small.", "--check",
		"make test: passed"}
}

// packetIDs lists the packets, the newest first.
func packetIDs(p project) []string {
	p.t.Helper()
	var list api.PacketList
	p.json(&list, "packet", "ls")
	var ids []string
	for _, e := range list.Packets {
		ids = append(ids, e.ID)
	}
	return ids
}

// drafted makes a furnished project with the record of a session whose check fails, and returns the payload of a hook.
func drafted(p project) string {
	furnish(p)
	record := filepath.Join(p.root, "home", ".claude", "projects", "p", "s7.jsonl")
	require.NoError(p.t, os.MkdirAll(filepath.Dir(record), 0o755))
	require.NoError(p.t, os.WriteFile(record, []byte(
		`{"type":"user","message":{"content":"Keep the gauge right."}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"make test"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"Exit code 2"}]}}
`), 0o644))
	return payload("s7", `"compact_summary":"It is half done."`)
}

// handingOver writes, keeps, closes and removes packets.
func handingOver() []operation {
	// handed prepares two packets, and a command on the second.
	handed := func(args ...string) func(project) (string, []string) {
		return func(p project) (string, []string) { return "", append(args, handOver(p)) }
	}
	after := func(prepare func(project) (string, []string)) func(project) (string, []string) {
		return func(p project) (string, []string) {
			stdin, args := prepare(p)
			p.run(stdin, args...)
			return "", []string{"undo"}
		}
	}
	const pulled = `{"ltm_version":"0.1","id":"01K3Q8ZJ6M4T2V9XWBDN7RHE02","created_at":"2026-08-28T09:15:30Z",` +
		`"goal":"Keep the clock.","next_step":"Run the test."}`
	undone := operation{adds: true, again: []int{3, 4}, prepare: after(handed("packet", "rm", "--yes"))}
	return []operation{
		undone.redo("redo of packet rm"),
		{name: "first write", prepare: func(project) (string, []string) { return "", writing("Keep the pool") }},
		{name: "write", prepare: func(p project) (string, []string) {
			return "", append(writing("Keep the queue"), "--parent", handOver(p))
		}},
		{name: "keep of a packet", prepare: func(p project) (string, []string) {
			handOver(p)
			return pulled, []string{"write", "--from", "-"}
		}},
		{name: "PreCompact with a draft", adds: true, prepare: func(p project) (string, []string) {
			return drafted(p), []string{"hook", "PreCompact"}
		}},
		{name: "PostCompact", adds: true, prepare: func(p project) (string, []string) {
			stdin := drafted(p)
			p.run(stdin, "hook", "PreCompact")
			return stdin, []string{"hook", "PostCompact"}
		}},
		{name: "SessionEnd with a draft", adds: true, prepare: func(p project) (string, []string) {
			return drafted(p), []string{"hook", "SessionEnd"}
		}},
		{name: "packet keep", prepare: func(p project) (string, []string) {
			p.run(drafted(p), "hook", "PreCompact")
			return "", []string{"packet", "keep", packetIDs(p)[0]}
		}},
		{name: "packet done", prepare: handed("packet", "done")},
		{name: "packet done --undo", prepare: func(p project) (string, []string) {
			id := handOver(p)
			p.run("", "packet", "done", id)
			return "", []string{"packet", "done", "--undo", id}
		}},
		{name: "packet rm", again: []int{3}, prepare: handed("packet", "rm", "--yes")},
		{name: "undo of packet done", adds: true, again: []int{3, 4}, prepare: after(handed("packet", "done"))},
		{name: "undo of packet rm", adds: true, again: []int{3, 4}, prepare: undone.prepare},
	}
}

//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

var update = flag.Bool("update", false, "write transcripts that the client made into engine/transcript/testdata")

// answer is the number of tokens of each answer of the scripted model.
const answer = 20

// record follows the transcript of the last session, as hooks would.
type record struct {
	p     *project
	path  string
	raw   []byte
	state transcript.State
	work  transcript.Work
}

func (p *project) record() *record {
	p.t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.home, ".claude/projects/*/"+p.current+".jsonl"))
	require.NoError(p.t, err)
	require.Len(p.t, paths, 1)
	return &record{p: p, path: paths[0]}
}

// grow reads what was appended to the transcript, and requires that nothing else changed.
func (r *record) grow() {
	t := r.p.t
	t.Helper()
	raw, err := os.ReadFile(r.path)
	require.NoError(t, err)
	require.Greater(t, len(raw), len(r.raw))
	require.True(t, bytes.HasPrefix(raw, r.raw), "an earlier part of the transcript was changed")
	require.True(t, r.state.Fits(int64(len(raw))))
	work, next, err := transcript.Claude.Read(context.Background(), bytes.NewReader(raw[r.state.Offset:]), r.state, 0)
	require.NoError(t, err)
	require.EqualValues(t, len(raw), next.Offset)
	r.raw, r.state, r.work = raw, next, r.work.Add(work)
}

// subagents reads the transcripts of the session's subagents.
func (r *record) subagents() (raw []byte, work transcript.Work) {
	t := r.p.t
	t.Helper()
	walk := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		one, err := os.ReadFile(path)
		require.NoError(t, err)
		raw, work = append(raw, one...), work.Add(whole(t, one))
		return nil
	}
	require.NoError(t, filepath.WalkDir(transcript.SubagentsFolder(r.path), walk))
	return raw, work
}

// calls removes the length of results, which differs between versions.
func calls(w transcript.Work) transcript.Work {
	w.Main.ResultChars, w.Subagents.ResultChars = 0, 0
	return w
}

// whole reads a whole transcript at once.
func whole(t *testing.T, raw []byte) transcript.Work {
	t.Helper()
	work, _, err := transcript.Claude.Read(context.Background(), bytes.NewReader(raw), transcript.State{}, 0)
	require.NoError(t, err)
	return work
}

func TestTranscriptShowsTheWork(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin = ""
		p.write("a.txt", "hello\nworld\n")
		edit := func(before string) step {
			return tool("Edit", input{"file_path": p.path("a.txt"), "old_string": before, "new_string": "there"})
		}
		p.claude("work",
			bash("echo one"),
			bash("false"), // fails
			tool("Read", input{"file_path": p.path("a.txt")}),
			edit("nowhere"),                                 // fails: the tool's validation refuses it
			edit("world"),                                   // retry
			tool("no_such_tool", input{"x": 1}),             // fails
			together(text("Again."), bash("false --again")), // retry; fails
			// two fail
			together(text("All at once."), bash("echo a"), bash("exit 3"),
				tool("Read", input{"file_path": p.path("missing.txt")})),
			tool("Agent", input{"description": "look around", "prompt": "look around",
				"subagent_type": "general-purpose", "run_in_background": false}),
			/**/ bash("echo sub"),
			/**/ bash("false"), // fails; not a retry of the session's own failure
			/**/ bash("false"), // retry; fails
			/**/ text("seen"),
			text("end"),
		)
		r := p.record()
		r.grow()
		begun := transcript.Counts{Calls: 11, Failures: 1 + 1 + 1 + 1 + 2, Retries: 2, OutputTokens: 10 * answer}
		require.Equal(t, transcript.Work{Main: begun}, calls(r.work))

		p.resume("go on", bash("echo resumed"), text("ok"))
		r.grow()
		p.resume("/compact keep the facts")
		r.grow()
		p.resume("go on", bash("echo after"), full(bash("echo full")), text("ok"))
		r.grow()
		more := transcript.Counts{Calls: 1 + 2, OutputTokens: (2 + 3) * answer, Compactions: 1 + 1}
		require.Equal(t, transcript.Work{Main: begun.Add(more)}, calls(r.work))
		require.Equal(t, r.work, whole(t, r.raw), "read at once")
		p.keep("session", r.raw)

		raw, subs := r.subagents()
		require.Equal(t, transcript.Work{Subagents: transcript.Counts{Calls: 3, Failures: 2, Retries: 1,
			OutputTokens: 4 * answer}}, calls(subs))
		p.keep("subagent", raw)
	})
}

func TestTranscriptOfForkBeginsWithCopies(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin = ""
		p.claude("work", bash("echo one"), bash("false"), text("ok"))
		parent := p.record()
		parent.grow()
		before := parent.raw
		p.session(p.dir, []string{"-p", "other way", "--resume", p.current, "--fork-session"},
			[]step{bash("false"), text("ok")})
		now, err := os.ReadFile(parent.path)
		require.NoError(t, err)
		require.Equal(t, string(before), string(now))

		paths, err := filepath.Glob(filepath.Join(filepath.Dir(parent.path), "*.jsonl"))
		require.NoError(t, err)
		require.Len(t, paths, 2)
		for _, path := range paths {
			if path == parent.path {
				continue
			}
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, transcript.Counts{Calls: 2 + 1, Failures: 1 + 1, Retries: 1,
				OutputTokens: (3 + 2) * answer}, calls(whole(t, raw)).Main)
		}
	})
}

func TestTranscriptTellsRefusalFromFailure(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin, p.asks = "", true
		p.write("a.txt", "hello\n")
		p.claude("work",
			tool("Write", input{"file_path": p.path("b.txt"), "content": "x"}), // no one grants permission
			tool("Write", input{"file_path": p.path("b.txt"), "content": "x"}), // not a retry: nothing had failed
			bash("rm -rf ../x"), // blocked, or not granted
			tool("Read", input{"file_path": p.path("a.txt")}),
			tool("Read", input{"file_path": p.path("missing.txt")}), // fails
			text("end"),
		)
		r := p.record()
		r.grow()
		require.Equal(t, transcript.Work{Main: transcript.Counts{Calls: 5, Refused: 3, Failures: 1,
			OutputTokens: 6 * answer}}, calls(r.work))
		p.keep("refused", r.raw)
	})
}

// keep saves a neutralized transcript for the unit tests of the reader.
func (p *project) keep(name string, raw []byte) {
	p.t.Helper()
	if !*update {
		return
	}
	out := neutral(string(raw), [][2]string{{p.dir, "/home/dev/shop"}, {p.home, "/home/dev"},
		{filepath.Dir(p.dir), "/home/dev"}})
	for _, private := range []string{filepath.Dir(p.dir), "/tmp/", "/root", "Co-Authored-By"} {
		if i := strings.Index(out, private); i >= 0 {
			require.Fail(p.t, "not neutral", "%.300s", out[max(0, i-100):])
		}
	}
	require.Less(p.t, len(out), 200_000)
	require.Equal(p.t, whole(p.t, raw), whole(p.t, []byte(out)), "neutralizing changes the counts")
	path := filepath.Join("../../engine/transcript/testdata", name+"-"+p.version+".jsonl")
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(out), 0o644))
}

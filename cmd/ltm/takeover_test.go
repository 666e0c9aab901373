package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// site is a project with one wrong line, which its check finds, and unfinished work on it.
type site struct {
	t        *testing.T
	dir      string
	config   string
	wrong    string // the file
	commands map[string]func() string
}

// newSite makes a project of about so many files, with what its README says.
func newSite(t *testing.T, files int, readme string) *site {
	t.Helper()
	top := t.TempDir()
	s := &site{t: t, dir: filepath.Join(top, "shop"), config: filepath.Join(top, "config"), wrong: "db/pool.txt"}
	s.write("README.md", readme)
	s.write("check.sh", "# looks at max_conns\n")
	s.write(s.wrong, "max_conns 5\n")
	for i := range files {
		s.write(fmt.Sprintf("%s/part%03d.txt", []string{"api", "cart", "mail"}[i%3], i), "nothing of interest\n")
	}
	s.commands = map[string]func() string{"sh check.sh": func() string {
		if strings.Contains(s.read(s.wrong), "max_conns 20") {
			return "ok"
		}
		return s.wrong + ": max_conns is 5, and should be 20"
	}}
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, ".claude", "ltm"), 0o755))
	return s
}

func (s *site) write(name, text string) {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
}

func (s *site) read(name string) string {
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	require.NoError(s.t, err)
	return string(data)
}

// names lists the files of the project.
func (s *site) names() []string {
	var names []string
	require.NoError(s.t, filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".claude" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(s.dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	}))
	return names
}

// ltm runs the program in the project.
func (s *site) ltm(stdin string, args ...string) string {
	s.t.Helper()
	var out, errors bytes.Buffer
	env := map[string]string{"CLAUDE_PROJECT_DIR": s.dir, "HOME": filepath.Dir(s.dir), "CLAUDE_CONFIG_DIR": s.config,
		"LTM_USER_DIR": filepath.Join(s.config, "none"), "PATH": os.Getenv("PATH")}
	status := run(context.Background(), args, strings.NewReader(stdin), &out, &errors,
		func(name string) string { return env[name] })
	require.Zero(s.t, status, "%s", errors.String())
	return out.String()
}

// starts returns what a session is given at its start.
func (s *site) starts(session, source string) string {
	var answer struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	out := s.ltm(fmt.Sprintf(`{"session_id":%q,"source":%q}`, session, source), "hook", "SessionStart")
	if out != "" {
		require.NoError(s.t, json.Unmarshal([]byte(out), &answer))
	}
	return answer.HookSpecificOutput.AdditionalContext
}

// recorded writes the client's record of a session that has found the failure, and fills its context.
func (s *site) recorded(session string) {
	path := filepath.Join(s.config, "projects", "-shop", session+".jsonl")
	require.NoError(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(s.t, os.WriteFile(path, []byte(
		`{"type":"user","message":{"content":"Make the shop work under load."}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Bash",`+
			`"input":{"command":"sh check.sh"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"Exit code 1"}]}}
`), 0o644))
	s.ltm(fmt.Sprintf(`{"session_id":%q,"transcript_path":%q}`, session, path), "hook", "PreCompact")
}

// worker goes on with the work by fixed rules. It knows what it was given and what it has read, and
// nothing else: least of all where the wrong line is.
type worker struct {
	*site
	known   []string // the newest last
	actions int      // calls of tools
	done    map[string]bool
}

// act counts an action, once, and reports whether it is a new one.
func (w *worker) act(what string) bool {
	if w.done[what] {
		return false
	}
	w.done[what] = true
	w.actions++
	return true
}

func (w *worker) learn(text string) { w.known = append(w.known, text) }

// step does the first that applies: go on with a packet that it was told of; edit the file that the
// check complains about, once it has seen it; run a command that is named; read a file that is named,
// by the newest text first; list the files.
func (w *worker) step() (edited bool) {
	all := strings.Join(w.known, "\n")
	if m := regexp.MustCompile(`packet (\w+) \(resume_packet`).FindStringSubmatch(all); m != nil && w.act("resume") {
		w.learn(w.ltm("", "resume", m[1]))
		return false
	}
	m := regexp.MustCompile(`(\S+): (\w+) is (\d+), and should be (\d+)`).FindStringSubmatch(all)
	if m != nil && w.done[m[1]] && w.act("edit") {
		w.write(m[1], strings.Replace(w.read(m[1]), m[2]+" "+m[3], m[2]+" "+m[4], 1))
		return true
	}
	for _, text := range slices.Backward(w.known) {
		for command, run := range w.commands {
			if strings.Contains(text, command) && w.act(command) {
				w.learn(run())
				return false
			}
		}
		for _, name := range w.names() {
			if !strings.Contains(text, name) || !w.act(name) {
				continue
			}
			w.learn(w.read(name))
			if strings.HasSuffix(name, ".sh") {
				w.learn("It can be run: sh " + name)
			}
			return false
		}
	}
	require.True(w.t, w.act("list"), "the worker knows no more")
	w.learn(strings.Join(w.names(), "\n"))
	return false
}

// reach returns the number of actions up to the edit that makes the check pass.
func (s *site) reach(given ...string) int {
	w := &worker{site: s, known: given, done: map[string]bool{}}
	for range 1000 {
		if w.step() {
			require.Equal(s.t, "ok", s.commands["sh check.sh"]())
			s.write(s.wrong, "max_conns 5\n")
			return w.actions
		}
	}
	require.Fail(s.t, "the worker gave up")
	return 0
}

// TestTakingOverTakesFewerActions counts what the same worker does until the first right edit: in a
// session that starts cold, in one that is told of a packet, and after a compaction, with and without
// what ltm adds then. Cold, the number grows with the project, unless the first file that the worker
// reads tells of the check.
func TestTakingOverTakesFewerActions(t *testing.T) {
	const ask, summary = "Go on with the work.", "The session looked into why the shop fails under load."
	for _, c := range []struct {
		files  int
		readme string
		cold   int
	}{{6, "A shop. check.sh says whether it works.\n", 6}, {150, "A shop. check.sh says whether it works.\n", 6},
		{6, "A shop.\n", 6 + 4}, {30, "A shop.\n", 6 + 20}, {150, "A shop.\n", 6 + 100}} {
		s := newSite(t, c.files, c.readme)
		cold := s.reach(ask, s.starts("s1", "startup"))
		compacted := s.reach(summary, s.starts("s1", "compact"), ask)

		s.recorded("s1")
		kept := s.reach(summary, s.starts("s1", "compact"), ask)
		drafted := s.reach(ask, s.starts("s2", "startup"))

		s = newSite(t, c.files, c.readme)
		s.ltm("", "write", "--goal", "The shop works under load.", "--next", "Run sh check.sh and do what it says.",
			"--criterion", "sh check.sh passes.")
		handed := s.reach(ask, s.starts("s2", "startup"))

		t.Logf("%d files: %d actions cold, %d with a packet, %d with a draft; after a compaction %d, with a draft %d",
			len(s.names()), cold, handed, drafted, compacted, kept)
		require.Equal(t, []int{4, 4, 4}, []int{handed, drafted, kept}, "resume, check, read, edit")
		require.Equal(t, []int{c.cold, c.cold}, []int{cold, compacted})
	}
}

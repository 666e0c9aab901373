package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// project is a scratch project for processes of the real program.
type project struct {
	t   *testing.T
	dir string
	env []string // beside that of the test
}

func newProject(t *testing.T) project {
	t.Helper()
	p := project{t: t, dir: t.TempDir(), env: []string{"LTM_USER_DIR=" + filepath.Join(t.TempDir(), "person"),
		"XDG_CONFIG_HOME=" + t.TempDir()}}
	require.NoError(t, exec.Command("git", "init", "-q", p.dir).Run())
	return p
}

// try runs ltm in the project.
func (p project) try(stdin string, args ...string) (stdout string, err error) {
	cmd := exec.Command("ltm", args...)
	cmd.Dir = p.dir
	cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR="), p.env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("ltm %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

func (p project) run(stdin string, args ...string) string {
	p.t.Helper()
	out, err := p.try(stdin, args...)
	require.NoError(p.t, err)
	return out
}

func (p project) json(v any, args ...string) {
	p.t.Helper()
	require.NoError(p.t, json.Unmarshal([]byte(p.run("", append(args, "--json")...)), v))
}

// onlyID returns the id of the project's only memory.
func (p project) onlyID() string {
	p.t.Helper()
	var list api.Listing
	p.json(&list, "list")
	require.Len(p.t, list.Memories, 1)
	return string(list.Memories[0].ID)
}

// TestProcessesLoseNothing runs eight processes at a time, each of which stores,
// updates and counts, while another one reads. Every acknowledged memory must be
// there and whole, and every counted call counted.
func TestProcessesLoseNothing(t *testing.T) {
	const workers, rounds = 8, 30
	p := newProject(t)
	first := p.run("", "remember", "first", "content")
	require.Contains(t, first, "stored")

	stop := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() { p.readUntil(stop) })

	var work sync.WaitGroup
	ids := make([]map[memory.ID]string, workers)
	for w := range workers {
		ids[w] = map[memory.ID]string{}
		work.Go(func() { p.work(w, rounds, ids[w]) })
	}
	work.Wait()
	close(stop)
	reader.Wait()

	for _, mine := range ids {
		require.Len(t, mine, rounds)
		for id, content := range mine {
			data, err := os.ReadFile(filepath.Join(p.dir, ".claude/ltm/memories", id.File()))
			require.NoError(t, err)
			file, err := memfile.Parse(data)
			require.NoError(t, err)
			require.Equal(t, content, file.Memory.Content)
		}
	}
	var state struct {
		Sessions map[string]struct {
			Successes int `json:"tool_successes"`
		} `json:"sessions"`
	}
	data, err := os.ReadFile(filepath.Join(p.dir, ".git/ltm/state.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &state))
	for w := range workers {
		require.Equal(t, rounds, state.Sessions[fmt.Sprint("worker", w)].Successes, "worker %d", w)
	}
	var check api.CheckReport
	p.json(&check, "check")
	require.True(t, check.OK, check.Summary)
	var list api.Listing
	p.json(&list, "list", "--limit", "1000")
	require.Equal(t, 1+workers*rounds, list.Total)
	for _, pattern := range []string{".claude/ltm/*/.*", ".claude/ltm/.*", ".git/ltm/.*", ".git/ltm/*/.*"} {
		left, err := filepath.Glob(filepath.Join(p.dir, pattern))
		require.NoError(t, err)
		require.Empty(t, left, "temporary files")
	}
}

// persist runs ltm until it is not the lock that stops it: on a busy machine a
// process may wait for longer than it should, and then it changes nothing and
// says so, which is what it promises.
func (p project) persist(stdin string, args ...string) (string, error) {
	for {
		out, err := p.try(stdin, args...)
		if err == nil || !strings.Contains(err.Error(), "held the lock") {
			return out, err
		}
	}
}

// work counts a tool call in each round, stores a memory and updates it.
func (p project) work(w, rounds int, ids map[memory.ID]string) {
	payload := fmt.Sprintf(`{"session_id":"worker%d","tool_response":"x"}`, w)
	for i := range rounds {
		_, err := p.persist(payload, "hook", "PostToolUse")
		var out string
		if err == nil {
			out, err = p.persist(fmt.Sprintf("text of %d in round %d", w, i), "remember",
				fmt.Sprintf("worker %d round %d", w, i), "-", "--json")
		}
		var r api.Receipt
		if err == nil {
			err = json.Unmarshal([]byte(out), &r)
		}
		content := fmt.Sprintf("changed text of %d in round %d", w, i)
		if err == nil {
			_, err = p.persist(content, "update", string(r.ID), "--content", "-")
		}
		if err != nil {
			p.t.Errorf("%v", err)
			return
		}
		ids[r.ID] = content
	}
}

// readUntil lists and checks as fast as it can: no reader may see a broken file.
func (p project) readUntil(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		out, err := p.try("", "check", "--json")
		var r api.CheckReport
		if jsonErr := json.Unmarshal([]byte(out), &r); jsonErr != nil {
			p.t.Errorf("%v: %v", err, jsonErr)
			return
		}
		if len(r.UnreadableFiles) > 0 {
			p.t.Errorf("a reader saw %v", r.UnreadableFiles)
			return
		}
	}
}

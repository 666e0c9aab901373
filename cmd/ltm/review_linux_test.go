package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
	"ltm/memory/api"
	"ltm/store"
)

// reviewed is a project with four candidates, and what answers their topics.
func reviewed(t *testing.T) (p project, topics func() []string) {
	t.Helper()
	p = newProject(t)
	home := t.TempDir()
	p.env = append(p.env, "HOME="+home)
	dir := filepath.Join(home, ".claude", "projects", records.Folder(p.dir))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for i, rule := range []string{"Never edit files below gen/", "Always run the linter first", "Never rebase main",
		"Always sign commits"} {
		line := `{"type":"user","message":{"content":"` + rule + `"}}` + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".jsonl"), []byte(line), 0o644))
	}
	p.run("", "remember", "Pool", "It has twenty connections.")
	p.run("", "review", "--sessions", "--yes")
	return p, func() (all []string) {
		var r api.Review
		p.json(&r, "review")
		for _, c := range r.Candidates {
			all = append(all, c.Topic)
		}
		return all
	}
}

func (p project) listed() (topics []string) {
	p.t.Helper()
	var listed api.Listing
	p.json(&listed, "list")
	for _, m := range listed.Memories {
		topics = append(topics, m.Topic)
	}
	return topics
}

// TestReviewOnATerminal answers the question about each candidate by its key.
func TestReviewOnATerminal(t *testing.T) {
	p, topics := reviewed(t)
	all := topics()
	require.Len(t, all, 4)
	env := append(p.env, "VISUAL=", "EDITOR="+script(t, t.TempDir(), "editor", `sed -i '1s/.*/Edited rule/' "$1"`))

	out := p.typed("q\n", 200, env, "review")
	require.Contains(t, out, "1 of 4: "+all[0])
	require.NotContains(t, out, "2 of 4")
	require.Equal(t, all, topics(), "leaving changes nothing")

	out = p.typed("x\nA\ne\nd\n\n", 200, env, "review")
	require.Contains(t, out, "4 of 4: "+all[3])
	require.Equal(t, all[3:], topics(), "Enter leaves it for another time")
	require.ElementsMatch(t, []string{"Pool", all[0], "Edited rule"}, p.listed())
	p.run("", "review", "--sessions", "--yes")
	require.Equal(t, all[3:], topics(), "what was dropped or edited is not proposed again")
}

// TestManyOldSessions have more candidates than are kept. It says so, and comes to the older ones in time.
func TestManyOldSessions(t *testing.T) {
	p := newProject(t)
	home := t.TempDir()
	p.env = append(p.env, "HOME="+home)
	dir := filepath.Join(home, ".claude", "projects", records.Folder(p.dir))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for i := range store.MaxPending + 2 {
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		line := fmt.Sprintf(`{"type":"user","message":{"content":"Never edit files below gen%d/"}}`+"\n", i)
		require.NoError(t, os.WriteFile(path, []byte(line), 0o644))
		at := time.Now().Add(time.Duration(i-100) * time.Hour)
		require.NoError(t, os.Chtimes(path, at, at))
	}
	p.run("", "init")
	out := p.typed("y\nq\n", 200, p.env, "review", "--sessions")
	require.Contains(t, out, "62 candidates, of which the newest 60 are kept")
	var r api.Review
	p.json(&r, "review")
	require.Equal(t, "Never edit files below gen2/", r.Candidates[0].Topic)
	drop := []string{"review"}
	for _, c := range r.Candidates {
		drop = append(drop, "--drop", c.ID)
	}
	p.run("", drop...)
	require.NotContains(t, p.typed("y\nq\n", 200, p.env, "review", "--sessions"), "are kept")
	p.json(&r, "review")
	require.Len(t, r.Candidates, 2)
}

// TestReviewIsInterrupted at a later candidate, and by an editor that leaves only a topic: what was decided stays, and
// nothing is lost.
func TestReviewIsInterrupted(t *testing.T) {
	p, topics := reviewed(t)
	all := topics()
	out, err := p.dialog([][2]string{{"1 of 4", "d\n"}, {"2 of 4", "a\n"}, {"3 of 4", ctrlC}}, 200, p.env, "review")
	require.Error(t, err)
	require.Contains(t, out, "ltm: interrupted")
	require.NotContains(t, out, "nothing was changed")
	require.Equal(t, all[2:], topics())
	require.ElementsMatch(t, []string{"Pool", all[1]}, p.listed())

	out, err = p.dialog([][2]string{{"1 of 2", ctrlC}}, 200, p.env, "review")
	require.Error(t, err)
	require.Contains(t, out, "ltm: interrupted; nothing was changed")
	require.Equal(t, all[2:], topics())

	env := append(p.env, "VISUAL=", "EDITOR="+script(t, t.TempDir(), "editor", `echo 'Only a topic' > "$1"`),
		"TMPDIR="+t.TempDir()) // it keeps the text
	out = p.typed("e\nq\n", 200, env, "review")
	require.Regexp(t, `the text is empty.*your text is saved in `, out)
	require.Contains(t, out, "2 of 2", "the questions go on")
	require.Equal(t, all[2:], topics())
	require.ElementsMatch(t, []string{"Pool", all[1]}, p.listed())
}

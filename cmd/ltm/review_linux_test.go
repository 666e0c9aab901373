package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/records"
	"ltm/memory/api"
)

// TestReviewOnATerminal answers the question about each candidate by its key.
func TestReviewOnATerminal(t *testing.T) {
	p := newProject(t)
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
	topics := func() (all []string) {
		var r api.Review
		p.json(&r, "review")
		for _, c := range r.Candidates {
			all = append(all, c.Topic)
		}
		return all
	}
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
	var listed api.Listing
	p.json(&listed, "list")
	var stored []string
	for _, m := range listed.Memories {
		stored = append(stored, m.Topic)
	}
	require.ElementsMatch(t, []string{"Pool", all[0], "Edited rule"}, stored)
	p.run("", "review", "--sessions", "--yes")
	require.Equal(t, all[3:], topics(), "what was dropped or edited is not proposed again")
}

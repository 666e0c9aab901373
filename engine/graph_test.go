package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// linked writes memories, each given as "DIGIT KEY DIGITS, KEY DIGITS": "1 supersedes 23, related 4".
func linked(f *fixture, texts ...string) {
	f.t.Helper()
	f.remember("Something", "so that there is a store", 0.3)
	for _, text := range texts {
		digit, links, _ := strings.Cut(text, " ")
		var keys string
		for link := range strings.SplitSeq(links, ", ") {
			if key, to, ok := strings.Cut(link, " "); ok {
				keys += key + ":\n"
				for _, digit := range to {
					keys += fmt.Sprintf("  - %s\n", numbered(string(digit)))
				}
			}
		}
		file := fmt.Sprintf("---\ntopic: Topic %s\n%s---\nText.\n", digit, keys)
		require.NoError(f.t, os.WriteFile(f.memoryFile(numbered(digit)), []byte(file), 0o644))
	}
}

func numbered(digit string) memory.ID { return memory.ID("mem_aaaaaaa" + digit) }

// drawing is a graph as text: its nodes, links and cycles by their last digits.
func drawing(g api.Graph) string {
	var parts []string
	last := func(id memory.ID) string { return string(id[len(id)-1:]) }
	for _, n := range g.Nodes {
		state := map[api.NodeState]string{api.NodeArchived: "-", api.NodeMissing: "?"}[n.State]
		parts = append(parts, last(n.ID)+state)
	}
	for _, l := range g.Links {
		parts = append(parts, last(l.From)+string(l.Kind[:1])+last(l.To))
	}
	for _, c := range g.Cycles {
		cycle := "("
		for _, id := range c.IDs {
			cycle += last(id)
		}
		parts = append(parts, cycle+")")
	}
	return strings.Join(append(parts, fmt.Sprint("+", g.Unlinked)), " ")
}

func TestGraph(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		id    string
		want  string
	}{
		"no links":            {nil, "", "+1"},
		"a chain":             {[]string{"1 supersedes 2", "2 supersedes 3", "3"}, "", "1 2 3 1s2 2s3 +1"},
		"one of two":          {[]string{"1 related 2", "2", "3 disputes 4", "4"}, "2", "1 2 1r2 +3"},
		"one without links":   {[]string{"1 related 2", "2", "3"}, "3", "3 +3"},
		"named, and not here": {[]string{"1 related 2"}, "", "1 2? 1r2 +1"},
		"both say it":         {[]string{"1 related 2, disputes 2", "2 related 1, disputes 1"}, "", "1 2 1d2 1r2 +1"},
		"each supersedes": {[]string{"1 supersedes 2", "2 supersedes 1", "3 related 1"}, "3",
			"1 2 3 1s2 2s1 3r1 (12) +1"},
		"another's cycle":  {[]string{"1 supersedes 2", "2 supersedes 1", "3 related 4", "4"}, "3", "3 4 3r4 +3"},
		"a link to itself": {[]string{"1 supersedes 1", "2 related 12"}, "", "1 2 2r1 +1"},
		"only to itself":   {[]string{"1 supersedes 1"}, "", "+2"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			linked(f, c.texts...)
			id := c.id
			if id != "" {
				id = string(numbered(id))
			}
			g, err := f.Graph(f.ctx, id)
			require.NoError(t, err)
			require.Equal(t, c.want, drawing(g))
		})
	}
}

// TestAGraphHasArchives under the reason for which they were archived, with their links.
func TestAGraphHasArchives(t *testing.T) {
	f := newEngine(t)
	linked(f, "1 supersedes 2, related 3", "2 related 4", "3", "4")
	for _, digit := range []string{"2", "3"} {
		_, err := f.Forget(f.ctx, string(numbered(digit)))
		require.NoError(t, err)
	}
	require.NoError(t, os.Remove(f.memoryFile(numbered("3")))) // its archive has no stub
	g, err := f.Graph(f.ctx, string(numbered("4")))
	require.NoError(t, err)
	require.Equal(t, "1 2- 3- 4 1s2 1r3 2r4 +1", drawing(g))
	require.Equal(t, "Topic 2", g.Nodes[1].Topic)
	require.Equal(t, "forgotten", g.Nodes[1].ArchivedReason)
	require.Equal(t, "Topic 3", g.Nodes[2].Topic)
	require.Empty(t, g.Nodes[2].ArchivedReason)

	before := files(t, f.dir)
	_, err = f.Graph(f.ctx, "")
	require.NoError(t, err)
	require.Equal(t, before, files(t, f.dir))
	_, err = f.Graph(f.ctx, "mem_bbbbbbbb")
	require.Equal(t, memory.KindMemoryUnknown, memory.KindOf(err))
	_, err = f.Graph(f.ctx, "1; rm")
	require.Equal(t, memory.KindIDMalformed, memory.KindOf(err))
	_, err = newEngine(t).Graph(f.ctx, "mem_bbbbbbbb")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func nodeID(n int) memory.ID { return memory.ID(fmt.Sprintf("mem_%08x", n)) }

// topical is a graph of two linked memories, the first of which has a topic.
func topical(topic string) api.Graph {
	return api.Graph{
		Nodes: []api.GraphNode{{ID: nodeID(1), Topic: topic, State: api.NodeActive},
			{ID: nodeID(2), Topic: "Old", State: api.NodeArchived, ArchivedReason: "forgotten"}},
		Links:    []api.GraphLink{{From: nodeID(1), To: nodeID(2), Kind: api.LinkSupersedes}},
		Unlinked: 2,
	}
}

// tree returns a graph as trees.
func tree(t *testing.T, g api.Graph, first memory.ID, width string) []string {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdout: &out, color: colorNever, getenv: func(name string) string {
		return map[string]string{"COLUMNS": width}[name]
	}}
	if width != "" {
		a.color = colorAlways
	}
	require.NoError(t, a.printTree(g, first))
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestGraphsAreDrawn(t *testing.T) {
	g := topical("Pool size")
	require.Equal(t, []string{
		"mem_00000001 Pool size",
		"└─ supersedes mem_00000002 Old (forgotten)",
		"",
		"2 other memories in sight are not linked with these",
	}, tree(t, g, "", ""))
	require.Equal(t, "└─ superseded by mem_00000001 Pool size", tree(t, g, nodeID(2), "")[1])
	require.Equal(t, []string{
		"digraph ltm {",
		"  rankdir=LR;",
		"  node [shape=box];",
		`  mem_00000001 [label="Pool size\nmem_00000001"];`,
		`  mem_00000002 [label="Old\nmem_00000002", style=dashed];`,
		`  mem_00000001 -> mem_00000002 [label="supersedes"];`,
		"  // 2 other memories in sight are not linked with these",
		"}",
	}, dotLines(g))
	require.Equal(t, []string{
		"flowchart LR",
		`  mem_00000001["Pool size<br>mem_00000001"]`,
		`  mem_00000002["Old<br>mem_00000002"]`,
		"  mem_00000001 ==>|supersedes| mem_00000002",
		"  classDef archived stroke-dasharray:5 5,color:#888",
		"  class mem_00000002 archived",
		"  %% 2 other memories in sight are not linked with these",
	}, mermaidLines(g))
	require.Contains(t, strings.Join(tree(t, g, "", "80"), "\n"), "\x1b[2mmem_00000002 Old (forgotten)\x1b[0m")
}

// TestATreeHasEachMemoryAndEachLinkOnce in a net with cycles.
func TestATreeHasEachMemoryAndEachLinkOnce(t *testing.T) {
	var g api.Graph
	for i := range 6 {
		g.Nodes = append(g.Nodes, api.GraphNode{ID: nodeID(i), Topic: "T", State: api.NodeActive})
		for j := range 6 {
			if i != j {
				g.Links = append(g.Links, api.GraphLink{From: nodeID(i), To: nodeID(j), Kind: api.LinkSupersedes})
			}
		}
	}
	g.Cycles = []api.GraphCycle{{IDs: []memory.ID{nodeID(0), nodeID(5)}}}
	require.Equal(t, "mem_00000001, mem_00000001", joinIDs(slices.Repeat([]memory.ID{nodeID(1)}, 2)))
	require.Regexp(t, `^(mem_00000001, ){9}mem_00000001 and 90 more$`,
		joinIDs(slices.Repeat([]memory.ID{nodeID(1)}, 100)))
	lines := tree(t, g, "", "")
	text := strings.Join(lines, "\n")
	require.Equal(t, 30, strings.Count(text, "─ supersede"))
	require.Equal(t, 6, strings.Count(text, " T"))
	require.Equal(t, "these supersede each other: mem_00000000, mem_00000005", lines[len(lines)-1])
	for i, line := range lines[:len(lines)-2] {
		if strings.Contains(line, "├─ ") { // goes on below
			at := len([]rune(line[:strings.Index(line, "├─ ")]))
			next := []rune(lines[i+1])
			require.Contains(t, "├└│", string(next[at]), "%s\n%s", line, lines[i+1])
		}
	}
}

// TestALongChainIsNotIndentedForever and no line is wider than a narrow screen.
func TestALongChainIsNotIndentedForever(t *testing.T) {
	const n = 20_000
	var g api.Graph
	for i := range n {
		g.Nodes = append(g.Nodes, api.GraphNode{ID: nodeID(i), Topic: "Topic", State: api.NodeActive})
		if i > 0 {
			g.Links = append(g.Links, api.GraphLink{From: nodeID(i), To: nodeID(i - 1), Kind: api.LinkSupersedes})
		}
	}
	lines := tree(t, g, "", "")
	require.Equal(t, n, strings.Count(strings.Join(lines, "\n"), " Topic"), "each once")
	for _, line := range lines {
		require.Less(t, len(line), 120)
	}
	for _, width := range []string{"20", "25", "40"} {
		for _, line := range tree(t, g, "", width)[:50] {
			line = regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(line, "")
			require.LessOrEqual(t, fmt.Sprint(len([]rune(line))), width, line)
		}
	}
}

// FuzzGraph has topics that try to leave their place in each format.
func FuzzGraph(f *testing.F) {
	dot := regexp.MustCompile(`^  mem_00000001 \[label="(?:[^"\\]|\\\\|\\")*\\nmem_00000001"\];$`)
	mermaid := regexp.MustCompile(`^  mem_00000001\["(?:[A-Za-z0-9 .,:()'!?-]|#\d{2,3};|[^\x00-\x7f])*<br>mem_00000001"\]$`)
	hidden := regexp.MustCompile(`[\x00-\x1f\x7f-\x9f\x{2028}\x{2029}\x{202a}-\x{202e}]`)
	f.Fuzz(func(t *testing.T, topic string) {
		g := topical(topic)
		plain := topical("plain")
		for name, lines := range map[string][2][]string{
			"dot": {dotLines(g), dotLines(plain)}, "mermaid": {mermaidLines(g), mermaidLines(plain)},
			"tree": {tree(t, g, "", ""), tree(t, plain, "", "")},
		} {
			require.Len(t, lines[0], len(lines[1]), name)
			for i, line := range lines[0] {
				require.NotRegexp(t, hidden, line)
				if !strings.Contains(lines[1][i], "plain") {
					require.Equal(t, lines[1][i], line)
				}
			}
		}
		require.Regexp(t, dot, dotLines(g)[3])
		require.Regexp(t, mermaid, mermaidLines(g)[1])
		require.True(t, strings.HasPrefix(tree(t, g, "", "")[0], "mem_00000001 "))
	})
}

package page_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// chain returns a graph of memories each of which replaces the one before it.
func chain(n int) (g api.Graph) {
	for i := range n {
		topic := fmt.Sprintf("Topic %d <b>", i)
		g.Nodes = append(g.Nodes, api.GraphNode{ID: nodeID(i), Topic: topic, State: api.NodeActive})
		if i > 0 {
			g.Links = append(g.Links, api.GraphLink{From: nodeID(i), To: nodeID(i - 1), Kind: api.LinkSupersedes})
		}
	}
	return g
}

func nodeID(i int) memory.ID { return memory.ID(fmt.Sprintf("mem_%08d", i)) }

func TestGraphOpensOnTheNeighborsOfOneMemory(t *testing.T) {
	f := someMemories()
	f.graph = chain(6)
	f.graph.Nodes[5].State = api.NodeMissing
	site, _ := newSite(t, f)
	v := enter(t, site)
	require.Equal(t, 2, strings.Count(v.get("/graph?of=mem_00000000").Body.String(), "<circle"))
	two := v.get("/graph?of=mem_00000000&depth=2").Body.String()
	require.Equal(t, 3, strings.Count(two, "<circle"))
	require.Equal(t, 2, strings.Count(two, "<line"))
	require.Contains(t, two, "<td>supersedes</td>")
	require.NotContains(t, two, "<b>")
	first := regexp.MustCompile(`translate\(0 0\)" data-id="(\w+)"`).FindStringSubmatch(two)
	require.Equal(t, "mem_00000000", first[1], "it is in the middle")
	require.Equal(t, 3, strings.Count(v.get("/graph").Body.String(), "<circle"), "of one with most links")
	all := v.get("/graph?all").Body.String()
	require.Equal(t, 6, strings.Count(all, "<circle"))
	require.Contains(t, all, `class="missing"`)
	require.Equal(t, all, v.get("/graph?all").Body.String(), "it is drawn the same each time")
	require.Equal(t, http.StatusNotFound, v.get("/graph?of=mem_99999999").Code)
	require.Equal(t, v.get("/graph?of=mem_00000002").Body.String(), v.get("/graph?of=%20MEM_00000002").Body.String())
}

// TestGraphIsFiltered keeps the memory in the middle, what matches, and the links of the kind between those.
func TestGraphIsFiltered(t *testing.T) {
	f := someMemories()
	f.graph = chain(4)
	f.graph.Nodes[1].Category, f.graph.Links[1].Kind = memory.Learnings, api.LinkDisputes
	site, _ := newSite(t, f)
	v := enter(t, site)
	for address, want := range map[string][2]int{
		"all": {4, 3}, "all&kind=learnings": {0, 0}, "all&link=disputes": {2, 1},
		"of=mem_00000000&depth=2&kind=learnings": {2, 1}, "of=mem_00000000&link=disputes": {1, 0},
		"all&tag=none": {0, 0}} {
		page := v.get("/graph?" + address).Body.String()
		require.Equal(t, want[0], strings.Count(page, "<circle"), address)
		require.Equal(t, want[1], strings.Count(page, "<line"), address)
		if want[1] == 0 {
			require.Contains(t, page, "No links match the filter.", address)
		}
	}
	require.Contains(t, v.get("/graph?of=mem_00000001&depth=2&link=disputes").Body.String(),
		`href="?of=mem_00000002&amp;link=disputes"`, "what is near keeps the filter")
}

func TestGraphWithoutLinksTeaches(t *testing.T) {
	site, _ := newSite(t, someMemories())
	require.Contains(t, enter(t, site).get("/graph").Body.String(), "Nothing to draw yet")
}

// TestGraphIsBounded draws at most 500 memories and 2,000 links, says how many more there are, and keeps the memory in
// the middle and those with most links.
func TestGraphIsBounded(t *testing.T) {
	f := someMemories()
	f.graph = chain(1200)
	for i := range 700 { // the last one is a hub
		f.graph.Links = append(f.graph.Links, api.GraphLink{From: nodeID(1199), To: nodeID(i), Kind: api.LinkRelated})
	}
	site, _ := newSite(t, f)
	v := enter(t, site)
	for _, path := range []string{"/graph?all", "/graph", "/graph?of=mem_00001199&depth=2"} {
		page := v.get(path).Body.String()
		require.Equal(t, 500, strings.Count(page, "<circle"), path)
		require.LessOrEqual(t, strings.Count(page, "<line"), 2000, path)
		require.Contains(t, page, `href="?of=mem_00001199"`, path)
		require.Contains(t, page, "Showing 500 of ", path)
		require.Contains(t, page, "around <a href=\"./memory/mem_00001199\"", path)
	}
	require.Contains(t, v.get("/graph?all").Body.String(), "Showing 500 of 1,200 around")
	require.Contains(t, v.get("/graph?of=mem_00000900").Body.String(), "3 memories, 2 links.")

	f.graph = chain(80)
	for i := range 80 {
		for j := range i - 1 {
			f.graph.Links = append(f.graph.Links, api.GraphLink{From: nodeID(i), To: nodeID(j), Kind: api.LinkRelated})
		}
	}
	for i := range 25 {
		f.graph.Cycles = append(f.graph.Cycles, api.GraphCycle{IDs: []memory.ID{nodeID(i), nodeID(i + 1)}})
	}
	for i := range 40 {
		f.graph.Cycles[0].IDs = append(f.graph.Cycles[0].IDs, nodeID(i))
	}
	page := v.get("/graph?all").Body.String()
	require.Equal(t, 2000, strings.Count(page, "<line"))
	require.Contains(t, page, "1,160 links are not drawn.")
	cycles := between(t, page, `aria-labelledby="cycles"`, "</section>")
	require.Equal(t, 20, strings.Count(cycles, "<li>"))
	require.Contains(t, cycles, "and 30 more</li>")
	require.Contains(t, cycles, "5 more such groups")
}

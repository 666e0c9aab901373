package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// The forms of a graph.
const (
	graphTree    = "tree"
	graphDOT     = "dot"
	graphMermaid = "mermaid"
	graphJSON    = "json"
)

func graphFormats() []string { return []string{graphTree, graphDOT, graphMermaid, graphJSON} }

const (
	// labelChars is how much of a topic a node of a drawing has.
	labelChars = 60

	// mostInCycle is how many memories of a cycle are named.
	mostInCycle = 10
)

func (a *app) graphCommand() *cobra.Command {
	c := &cobra.Command{Use: "graph [ID]", Args: arguments(1)}
	format := c.Flags().String("format", graphTree, "tree, dot (for Graphviz), mermaid or json")
	c.RunE = func(c *cobra.Command, given []string) error {
		if !slices.Contains(graphFormats(), *format) {
			return invalid("allowed: "+strings.Join(graphFormats(), ", "), "%q is not a format of graphs", *format)
		}
		e, id := a.engine(lockWait), ""
		if len(given) > 0 {
			var err error
			if e, id, err = a.oneID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		graph, err := e.Graph(c.Context(), id)
		if err != nil {
			return err
		}
		switch {
		case a.asJSON || *format == graphJSON:
			return a.printJSON(graph)
		case *format == graphDOT:
			return a.println(dotLines(graph)...)
		case *format == graphMermaid:
			return a.println(mermaidLines(graph)...)
		}
		return a.printTree(graph, memory.ID(id))
	}
	return c
}

// graphRemarks says what a drawing does not show: cycles by name, and how many memories have no links.
func graphRemarks(g api.Graph) []string {
	var remarks []string
	for _, cycle := range g.Cycles {
		remarks = append(remarks, "these supersede each other: "+joinIDs(cycle.IDs))
	}
	switch {
	case g.Unlinked == 1:
		remarks = append(remarks, "1 other memory in sight is not linked with these")
	case g.Unlinked > 1:
		remarks = append(remarks, fmt.Sprintf("%d other memories in sight are not linked with these", g.Unlinked))
	}
	return remarks
}

// joinIDs lists ids, at most mostInCycle of them.
func joinIDs(ids []memory.ID) string {
	text := memory.JoinIDs(ids[:min(len(ids), mostInCycle)])
	if more := len(ids) - mostInCycle; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// nodeLabel is the topic of a memory in a drawing.
func nodeLabel(n api.GraphNode) string {
	if n.State == api.NodeMissing {
		return "(missing)"
	}
	return markedTopic(safe.ClipLine(n.Topic, labelChars), n.Foreign)
}

// dotLines draws a graph for Graphviz.
func dotLines(g api.Graph) []string {
	lines := []string{"digraph ltm {", "  rankdir=LR;", "  node [shape=box];"}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, n := range g.Nodes {
		style := ""
		if n.State != api.NodeActive {
			style = ", style=dashed"
		}
		lines = append(lines, fmt.Sprintf(`  %s [label="%s\n%s"%s];`, n.ID, escaped.Replace(nodeLabel(n)), n.ID, style))
	}
	for _, l := range g.Links {
		style := ""
		switch l.Kind {
		case api.LinkDisputes:
			style = ", color=red"
		case api.LinkRelated:
			style = ", dir=none"
		}
		lines = append(lines, fmt.Sprintf(`  %s -> %s [label="%s"%s];`, l.From, l.To, l.Kind, style))
	}
	lines = append(lines, each(graphRemarks(g), func(remark string) string { return "  // " + remark })...)
	return append(lines, "}")
}

// mermaidLines draws a graph for Mermaid.
func mermaidLines(g api.Graph) []string {
	lines, dashed := []string{"flowchart LR"}, []string(nil)
	for _, n := range g.Nodes {
		lines = append(lines, fmt.Sprintf(`  %s["%s<br>%s"]`, n.ID, mermaidText(nodeLabel(n)), n.ID))
		if n.State != api.NodeActive {
			dashed = append(dashed, string(n.ID))
		}
	}
	arrows := map[api.LinkKind]string{api.LinkSupersedes: "==>", api.LinkDisputes: "-->", api.LinkRelated: "---"}
	for _, l := range g.Links {
		lines = append(lines, fmt.Sprintf("  %s %s|%s| %s", l.From, arrows[l.Kind], l.Kind, l.To))
	}
	if len(dashed) > 0 {
		lines = append(lines, "  classDef archived stroke-dasharray:5 5,color:#888",
			"  class "+strings.Join(dashed, ",")+" archived")
	}
	return append(lines, each(graphRemarks(g), func(remark string) string { return "  %% " + remark })...)
}

// mermaidText escapes a label. Mermaid knows markdown, HTML, formulas and directives in labels, so
// every sign but the plainest becomes an entity.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		plain := r >= 0x80 || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if plain || strings.ContainsRune(" .,:-()'!?", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// deepestBranch is how far a tree is indented. Deeper nodes begin a tree of their own: a hostile chain is as long as
// there are files.
const deepestBranch = 8

// branch is a link as one of its two memories sees it.
type branch struct {
	says string
	to   memory.ID
	link int // its index in the graph
}

// treeWriter writes a graph as trees: each memory and each link once.
type treeWriter struct {
	screen  terminal.Screen
	nodes   map[memory.ID]api.GraphNode
	near    map[memory.ID][]branch
	drawn   map[memory.ID]bool
	used    []bool      // links
	further []memory.ID // memories with branches that are too deep for their tree
	lines   []string
}

// printTree prints a graph as trees. The tree of a memory that was asked for comes first.
func (a *app) printTree(g api.Graph, first memory.ID) error {
	s := a.screen()
	if len(g.Nodes) == 0 {
		return a.println(wrapped(s, "no memory supersedes, disputes or relates to another")...)
	}
	w := newTreeWriter(s, g)
	if first != "" {
		w.tree(first)
	}
	for _, id := range w.roots(g) {
		if !w.drawn[id] {
			w.tree(id)
		}
	}
	for _, remark := range graphRemarks(g) {
		w.lines = append(append(w.lines, ""), wrapped(s, remark)...)
	}
	return a.println(w.lines...)
}

// wrapped returns the lines of a text: for programs one.
func wrapped(s terminal.Screen, text string) []string {
	if !s.Rich {
		return []string{text}
	}
	return terminal.Wrap(text, s.Width)
}

func newTreeWriter(s terminal.Screen, g api.Graph) *treeWriter {
	w := &treeWriter{screen: s, nodes: map[memory.ID]api.GraphNode{}, near: map[memory.ID][]branch{},
		drawn: map[memory.ID]bool{}, used: make([]bool, len(g.Links))}
	for _, n := range g.Nodes {
		w.nodes[n.ID] = n
	}
	back := map[api.LinkKind]string{api.LinkSupersedes: "superseded by", api.LinkDisputes: "disputed by",
		api.LinkRelated: "related"}
	for i, l := range g.Links {
		w.near[l.From] = append(w.near[l.From], branch{string(l.Kind), l.To, i})
	}
	for i, l := range g.Links { // what a memory says itself comes first
		w.near[l.To] = append(w.near[l.To], branch{back[l.Kind], l.From, i})
	}
	return w
}

// roots returns all memories, those first that begin trees: the newest of a chain, and then active
// ones. Others are left only of cycles.
func (w *treeWriter) roots(g api.Graph) []memory.ID {
	old := map[memory.ID]bool{}
	for _, l := range g.Links {
		if l.Kind == api.LinkSupersedes {
			old[l.To] = true
		}
	}
	var ids []memory.ID
	for _, fits := range []func(api.GraphNode) bool{
		func(n api.GraphNode) bool { return !old[n.ID] && n.State == api.NodeActive },
		func(n api.GraphNode) bool { return !old[n.ID] && n.State != api.NodeActive },
		func(n api.GraphNode) bool { return old[n.ID] },
	} {
		for _, n := range g.Nodes {
			if fits(n) {
				ids = append(ids, n.ID)
			}
		}
	}
	return ids
}

// tree writes the tree of a memory, and then those of branches that were too deep for it.
func (w *treeWriter) tree(root memory.ID) {
	for todo := []memory.ID{root}; len(todo) > 0; todo = append(todo[1:], w.further...) {
		w.further = nil
		if len(w.lines) > 0 {
			w.lines = append(w.lines, "")
		}
		w.drawn[todo[0]] = true
		w.lines = append(w.lines, w.line("", todo[0], ""))
		w.branches(todo[0], "", 1)
	}
}

// branches writes the links of a memory that are not written yet, and takes all of them before it follows the first.
func (w *treeWriter) branches(at memory.ID, indent string, depth int) {
	mine := w.unused(at)
	for _, b := range mine {
		w.used[b.link] = true
	}
	for i, b := range mine {
		fork, next := "├─ ", "│  "
		if i == len(mine)-1 {
			fork, next = "└─ ", "   "
		}
		before := indent + fork + b.says + " "
		switch isNew := !w.drawn[b.to]; {
		case !isNew:
			w.lines = append(w.lines, w.line(before, b.to, " (above)"))
		case depth == deepestBranch && len(w.unused(b.to)) > 0:
			w.drawn[b.to] = true
			w.further = append(w.further, b.to)
			w.lines = append(w.lines, w.line(before, b.to, " (below)"))
		default:
			w.drawn[b.to] = true
			w.lines = append(w.lines, w.line(before, b.to, ""))
			w.branches(b.to, indent+next, depth+1)
		}
	}
}

func (w *treeWriter) unused(at memory.ID) []branch {
	return slices.DeleteFunc(slices.Clone(w.near[at]), func(b branch) bool { return w.used[b.link] })
}

// line returns the line of a memory. One that is not in sight is faint. Where a memory is written
// says where else it is.
func (w *treeWriter) line(before string, id memory.ID, where string) string {
	text, n := string(id), w.nodes[id]
	switch {
	case where != "":
		text += where
	case n.State == api.NodeMissing:
		text += " (missing)"
	default:
		text += " " + markedTopic(safe.ClipLine(n.Topic, memory.MaxTopicChars), n.Foreign)
		if n.State == api.NodeArchived {
			text += " (" + memory.State(memory.Removed, true, n.ArchivedReason) + ")"
		}
	}
	if w.screen.Rich {
		cut := terminal.Truncate(before+text, w.screen.Width)
		rest, whole := strings.CutPrefix(cut, before)
		if !whole {
			return cut
		}
		text = rest
	}
	if n.State != api.NodeActive {
		text = w.screen.Dim(text)
	}
	return before + text
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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

// graphRemarks says what a drawing does not show: cycles by name, and how many memories have no
// links.
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
	for _, n := range g.Nodes {
		style := ""
		if n.State != api.NodeActive {
			style = ", style=dashed"
		}
		lines = append(lines, fmt.Sprintf(`  %s [label="%s\n%s"%s];`, n.ID, dotText(nodeLabel(n)), n.ID, style))
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
	for _, remark := range graphRemarks(g) {
		lines = append(lines, "  // "+remark)
	}
	return append(lines, "}")
}

// dotText escapes a text between double quotes, in which a backslash begins an escape.
func dotText(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }

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
	for _, remark := range graphRemarks(g) {
		lines = append(lines, "  %% "+remark)
	}
	return lines
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

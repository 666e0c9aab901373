package memfile

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"ltm/memory"
)

// formatWork returns the work on one line.
func formatWork(w *memory.Work) string {
	if w == nil {
		return "{}"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{calls: %d, failures: %d, retries: %d, tokens: %d, compacted: %t", w.Calls, w.Failures, w.Retries,
		w.Tokens, w.Compacted)
	if w.AgentCalls > 0 {
		fmt.Fprintf(&b, ", agent_calls: %d, agent_failures: %d", w.AgentCalls, w.AgentFailures)
	}
	if w.Source != "" {
		b.WriteString(", source: " + w.Source)
	}
	return b.String() + "}"
}

// readWork reads what [formatWork] wrote. It returns nil for anything else, which stays in the file
// unchanged: it must not make the memory unreadable.
func readWork(n *yaml.Node) *memory.Work {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	w := &memory.Work{}
	numbers := map[string]*int{"calls": &w.Calls, "failures": &w.Failures, "retries": &w.Retries, "tokens": &w.Tokens,
		"agent_calls": &w.AgentCalls, "agent_failures": &w.AgentFailures}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode {
			return nil
		}
		if to := numbers[key]; to != nil {
			v, err := strconv.ParseUint(value.Value, 10, 31)
			if err != nil {
				return nil
			}
			*to = int(v)
			continue
		}
		switch {
		case key == "compacted" && (value.Value == "true" || value.Value == "false"):
			w.Compacted = value.Value == "true"
		case key == "source" && (value.Value == memory.SourceTranscript || value.Value == memory.SourceHooks):
			w.Source = value.Value
		default:
			return nil
		}
	}
	if *w == (memory.Work{}) {
		return nil
	}
	return w
}

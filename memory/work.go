package memory

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Work is what was counted while something was learned: the ground for its
// difficulty.
type Work struct {
	Calls         int    `json:"calls"`     // of tools, failed ones included
	Failures      int    `json:"failures"`  // calls that failed
	Retries       int    `json:"retries"`   // calls for what had failed just before
	Tokens        int    `json:"tokens"`    // that the model wrote and tools gave back; from hooks an estimate
	Compacted     bool   `json:"compacted"` // the context overflowed in this work
	AgentCalls    int    `json:"agent_calls,omitempty"`
	AgentFailures int    `json:"agent_failures,omitempty"`
	Source        string `json:"source"` // [SourceTranscript] or [SourceHooks]
}

// Where a [Work] was counted.
const (
	SourceTranscript = "transcript" // the client's own record of the session: complete
	SourceHooks      = "hooks"      // what hooks saw: some failures fire none
)

// Minus returns the counts of w that are not in earlier, an earlier state of the
// same session.
func (w Work) Minus(earlier Work) Work {
	w.Calls = max(0, w.Calls-earlier.Calls)
	w.Failures = max(0, w.Failures-earlier.Failures)
	w.Retries = max(0, w.Retries-earlier.Retries)
	w.Tokens = max(0, w.Tokens-earlier.Tokens)
	w.AgentCalls = max(0, w.AgentCalls-earlier.AgentCalls)
	w.AgentFailures = max(0, w.AgentFailures-earlier.AgentFailures)
	return w
}

// yaml returns the work on one line.
func (w *Work) yaml() string {
	if w == nil {
		return " {}"
	}
	var b strings.Builder
	fmt.Fprintf(&b, " {calls: %d, failures: %d, retries: %d, tokens: %d, compacted: %t", w.Calls, w.Failures, w.Retries, w.Tokens, w.Compacted)
	if w.AgentCalls > 0 {
		fmt.Fprintf(&b, ", agent_calls: %d, agent_failures: %d", w.AgentCalls, w.AgentFailures)
	}
	if w.Source != "" {
		b.WriteString(", source: " + w.Source)
	}
	return b.String() + "}"
}

// readWork reads what yaml wrote. Anything else says nothing, and stays in the
// file as it is: no memory is worth less for it.
func readWork(n *yaml.Node) *Work {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	w := &Work{}
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
		case key == "source" && (value.Value == SourceTranscript || value.Value == SourceHooks):
			w.Source = value.Value
		default:
			return nil
		}
	}
	if *w == (Work{}) {
		return nil
	}
	return w
}

// sameWork compares two that may be missing.
func sameWork(a, b *Work) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

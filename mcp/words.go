package mcp

import (
	_ "embed"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
)

// stepsText is what a model does next, by the kind of what happened: a line for each. Where only a person can do it, no
// command is named: a model could run one.
//
//go:embed steps.txt
var stepsText string

// nextSteps is what a model does next.
func nextSteps() advice.Table {
	steps := advice.Common()
	for line := range strings.Lines(stepsText) {
		if kind, step, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			steps[memory.Kind(kind)] = step
		}
	}
	return steps
}

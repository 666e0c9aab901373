package main

import (
	_ "embed"
	"strings"
)

// exampleText lists the commands, each followed by the examples in its help.
//
//go:embed examples.txt
var exampleText string

// examples returns the examples by command, as the help shows them.
func examples() map[string]string {
	found := map[string]string{}
	command := ""
	for line := range strings.SplitSeq(strings.TrimSpace(exampleText), "\n") {
		switch {
		case !strings.HasPrefix(line, " "):
			command = line
		case found[command] == "":
			found[command] = line
		default:
			found[command] += "\n" + line
		}
	}
	return found
}

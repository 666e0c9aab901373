// Package helptext gives commands the texts of a file.
package helptext

import (
	"strings"

	"github.com/spf13/cobra"
)

// Set gives a command and those below it their texts. The file has a part for each: a line with "# " and the command,
// one with what it does, then perhaps a blank line and the whole text, and "Examples:" with the examples. Commands
// keep the texts that it does not have.
func Set(root *cobra.Command, file string) {
	for part := range strings.SplitSeq("\n"+file, "\n# ") {
		path, text, _ := strings.Cut(part, "\n")
		words := strings.Fields(path)
		if len(words) == 0 {
			continue
		}
		c, _, err := root.Find(words[1:])
		if err != nil || c.CommandPath() != path {
			continue
		}
		text, examples, _ := strings.Cut(text, "Examples:\n")
		short, long, _ := strings.Cut(text, "\n\n")
		c.Example = strings.TrimRight(examples, "\n")
		if short != "" { // cobra has texts of its own commands
			c.Short, c.Long = strings.TrimSpace(short), strings.TrimSpace(long)
		}
	}
}

// Package completion makes completions safe for shells to evaluate.
package completion

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
)

// Offered returns the candidates that a shell may be offered, each perhaps with a tab and a description. Tags, agents
// and ids of packets come from the repository, and shells' scripts evaluate the line with the candidate in it when they
// are asked for the next one. So a candidate has only letters, digits, ._-/@:+ and the comma that ltm puts between
// tags, and does not look like an option.
func Offered(candidates []string) []string {
	return slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		word, _, _ := strings.Cut(c, "\t")
		return strings.HasPrefix(word, "-") || strings.ContainsFunc(word, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/@:+,", r)
		})
	})
}

// What the script for fish evaluates: the words before the last, without their quotes.
const (
	fishWords = "$args[2..-1]"
	fishSafe  = "(string join ' ' -- (string escape -- $args[2..-1]) '')"
)

// HardenFish makes "completion fish", which cobra has added, print a script that quotes what it evaluates.
func HardenFish(root *cobra.Command) {
	c, _, err := root.Find([]string{"completion", "fish"})
	if err != nil || c.Name() != "fish" {
		return
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		bare, err := c.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		var script bytes.Buffer
		if err := root.GenFishCompletion(&script, !bare); err != nil {
			return err
		}
		before, after, found := strings.Cut(script.String(), fishWords+" $lastArg\"")
		if !found {
			return errors.New("the script for fish has another form than expected")
		}
		_, err = fmt.Fprint(root.OutOrStdout(), before, "\"", fishSafe, "\" $lastArg\"", after)
		return err
	}
}

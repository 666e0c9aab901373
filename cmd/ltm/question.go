package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory"
)

// questionWords moves what looks like a short flag of ltm recall but is not one behind "--", where it is a word: -redis
// in "ltm recall pool -redis". Before the first word it stays, because it may be a mistyped flag.
func questionWords(root *cobra.Command, args []string) []string {
	c, rest, err := root.Find(args)
	if err != nil || c.CommandPath() != "ltm recall" {
		return args
	}
	c.InitDefaultHelpFlag()
	kept, words, begun, value := []string{c.Name()}, []string{"--"}, false, false
	for i, arg := range rest {
		known, takes := shortFlags(c, arg)
		switch {
		case value:
			value = false
		case arg == "--":
			return slices.Concat(kept, words, rest[i+1:])
		case strings.HasPrefix(arg, "--"):
			f := c.Flag(arg[2:])
			value = f != nil && f.NoOptDefVal == ""
		case known:
			value = takes
		case begun && strings.HasPrefix(arg, "-"):
			words = append(words, arg)
			continue
		default:
			begun = true
		}
		kept = append(kept, arg)
	}
	return append(kept, words...)
}

// shortFlags reports whether an argument consists of short flags of c, and whether the last of them takes the next
// argument as its value.
func shortFlags(c *cobra.Command, arg string) (known, takesNext bool) {
	letters, ok := strings.CutPrefix(arg, "-")
	for i := range len(letters) {
		f := c.Flags().ShorthandLookup(letters[i : i+1])
		if f == nil {
			return false, false
		}
		if f.NoOptDefVal == "" {
			return true, i+1 == len(letters)
		}
	}
	return ok && letters != "", false
}

// question returns the arguments as one question, or standard input for "-".
func (a *app) question(given []string) (string, error) {
	if len(given) != 1 || given[0] != fromInput {
		return strings.Join(given, " "), nil
	}
	a.sayReading("the question")
	data, err := a.readInput(memory.MaxQueryBytes + 1)
	return strings.TrimSpace(string(data)), err
}

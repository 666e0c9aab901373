// Conveval measures how much of the known evidence for questions a conversation memory finds, without a model.
//
//	go run ./tools/conveval FILE.json...
//
// docs/conversation-eval.md explains the files and the figures.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"ltm/tools/conveval/eval"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintln(stderr, "usage: conveval FILE.json...")
		return 1
	}
	for _, name := range args {
		if err := evaluate(name, stdout); err != nil {
			fmt.Fprintf(stderr, "conveval: %s: %v\n", name, err)
			return 1
		}
	}
	return 0
}

func evaluate(name string, w io.Writer) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	set, err := eval.Parse(data)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n  evidence: %d parts name no turn, %d were mended; %d questions have none left\n",
		name, set.Malformed, set.Mended, set.Without); err != nil {
		return err
	}
	if err := eval.Measure(set, false).Print(w, "each user", set.Categories); err != nil {
		return err
	}
	return eval.Measure(set, true).Print(w, "all in one pile", set.Categories)
}

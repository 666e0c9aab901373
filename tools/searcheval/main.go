// Searcheval measures how well search answers questions with known answers.
//
//	go run ./tools/searcheval [-min SCORE] [-v] FILE.json...
//
// Package eval documents the files and the figures.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"ltm/tools/searcheval/eval"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("searcheval", flag.ContinueOnError)
	flags.SetOutput(stderr)
	minScore := flags.Float64("min", eval.MinScore, "the `score` from which a find counts where there is no answer")
	verbose := flags.Bool("v", false, "list the questions whose answer is not first")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: searcheval [-min SCORE] [-v] FILE.json...")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 1
	}
	if flags.NArg() == 0 {
		flags.Usage()
		return 1
	}
	for _, name := range flags.Args() {
		if err := evaluate(name, *minScore, *verbose, stdout); err != nil {
			fmt.Fprintf(stderr, "searcheval: %v\n", err)
			return 1
		}
	}
	return 0
}

func evaluate(name string, minScore float64, verbose bool, w io.Writer) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	task, err := eval.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r := eval.Measure(task, minScore)
	fmt.Fprintf(w, "%s: ", name)
	if err := r.Print(w); err != nil || !verbose {
		return err
	}
	for _, m := range r.Misses {
		if _, err := fmt.Fprintln(w, "  "+m); err != nil {
			return err
		}
	}
	return nil
}

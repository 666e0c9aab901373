package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// report is the result of the tests of one package.
type report struct {
	pkg    string
	took   time.Duration
	passed int
	skips  []skip
	broken []string          // the tests that failed
	begun  map[string]bool   // unfinished tests: one of them hangs or ended the process
	text   map[string]string // what each test printed; "" is the key of all other output
	left   []string          // the tests and scripts that the table leaves out
	slow   []string          // the tests that took long, with their seconds
	err    error             // how the process ended
}

// slowTest is how many seconds a test may take without being named.
const slowTest = 10

// skip is a test that did not run, and why.
type skip struct{ test, reason string }

func (r report) failed() bool { return r.err != nil || len(r.broken) > 0 }

// event is a line of test2json's output.
type event struct {
	Action string
	Test   string
	Output string

	Elapsed float64 // seconds
}

// readEvents reads the output of tests.
func readEvents(ctx context.Context, pkg string, out io.Reader) (report, error) {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "go", "tool", "test2json")
	cmd.Stdin = out
	lines, err := cmd.Output()
	if err != nil {
		return report{}, fmt.Errorf("reading the output of the tests: %w", err)
	}
	r := report{pkg: pkg, begun: map[string]bool{}, text: map[string]string{}}
	decoder := json.NewDecoder(bytes.NewReader(lines))
	for {
		var e event
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			return r, nil
		} else if err != nil {
			return report{}, err
		}
		r.note(e)
	}
}

func (r *report) note(e event) {
	if e.Test != "" && e.Action != "output" {
		r.begun[e.Test] = e.Action != "pass" && e.Action != "skip" && e.Action != "fail"
	}
	if e.Test != "" && e.Elapsed >= slowTest {
		r.slow = append(r.slow, fmt.Sprintf("%s %.0f s", e.Test, e.Elapsed))
	}
	switch {
	case e.Action == "output":
		r.text[e.Test] += e.Output
	case e.Test == "":
	case e.Action == "pass":
		r.passed++
	case e.Action == "skip":
		r.skips = append(r.skips, skip{e.Test, reasonIn(r.text[e.Test])})
	case e.Action == "fail":
		r.broken = append(r.broken, e.Test)
	}
}

// reasonIn returns the last message of a test before it was skipped.
func reasonIn(text string) string {
	said := regexp.MustCompile(`(?m)^ *\S+\.go:\d+: (.*)$`).FindAllStringSubmatch(text, -1)
	if len(said) == 0 {
		return "without a reason"
	}
	return strings.TrimSpace(said[len(said)-1][1])
}

// String returns one line for the package, one for each test that did not run, and the full output
// of failures.
func (r report) String() string {
	var b strings.Builder
	verdict := "ok"
	if r.failed() {
		verdict = "FAIL"
	}
	fmt.Fprintf(&b, "%-5s %-18s %6.1f s  %d passed, %d skipped\n", verdict, r.pkg, r.took.Seconds(), r.passed,
		len(r.skips))
	for _, s := range r.skips {
		fmt.Fprintf(&b, "      skipped %s: %s\n", s.test, s.reason)
	}
	if len(r.slow) > 0 {
		fmt.Fprintf(&b, "      slow: %s\n", strings.Join(r.slow, ", "))
	}
	if len(r.left) > 0 {
		fmt.Fprintf(&b, "      left to -all, %d tests and scripts: %s\n", len(r.left), strings.Join(r.left, " "))
	}
	if !r.failed() {
		return b.String()
	}
	for _, test := range r.broken {
		b.WriteString(r.text[test])
	}
	for _, test := range slices.Sorted(maps.Keys(r.begun)) {
		if r.begun[test] {
			fmt.Fprintf(&b, "did not end: %s", r.text[test])
		}
	}
	fmt.Fprintf(&b, "%s%v\n", r.text[""], r.err)
	return b.String()
}

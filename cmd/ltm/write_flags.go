package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory/api"
	"ltm/packet/form"
)

// writeFlags are the parts of a packet that flags give.
type writeFlags struct {
	goal, next, parent                     string
	criteria, constraints, questions, tags []string
	decisions, attempts, methods, checks   []string
}

func (f *writeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.goal, "goal", "", "the lasting aim, in one sentence")
	flags.StringVar(&f.next, "next", "", "the first thing that the next session does")
	flags.StringArrayVar(&f.criteria, "criterion", nil, "what can be observed when the work is done; may be repeated")
	flags.StringArrayVar(&f.constraints, "constraint", nil, "what the work has to keep to; may be repeated")
	flags.StringArrayVar(&f.decisions, "decision", nil,
		"a `CHOICE`: 'WHAT: WHY', or 'WHAT; why: WHY; rules out: WHAT ELSE; locked'; may be repeated")
	flags.StringArrayVar(&f.attempts, "tried", nil,
		"an `ATTEMPT`: 'WHAT; failed; learned: LESSON; confidence: high'; may be repeated")
	flags.StringArrayVar(&f.questions, "question", nil, "what is open; may be repeated")
	flags.StringArrayVar(&f.methods, "method", nil,
		"a `RECIPE`: 'NAME; when: WHEN IT HELPS; how: WHAT TO DO'; may be repeated")
	tagFlag(c, &f.tags, "tag of lower-case letters, digits and hyphens; repeat the flag, or separate tags with commas")
	flags.StringVar(&f.parent, "parent", "", "the `ID` of the packet that this one continues")
	flags.StringArrayVar(&f.checks, "check", nil,
		"a command that was run, and its `RESULT`: 'make test: passed'; may be repeated")
}

// none reports whether no part was given.
func (f *writeFlags) none() bool {
	return f.goal == "" && f.next == "" && f.parent == "" && len(f.criteria)+len(f.constraints)+len(f.questions)+
		len(f.tags)+len(f.decisions)+len(f.attempts)+len(f.methods)+len(f.checks) == 0
}

// apply adds what the flags give to a draft. The error lists all flags that cannot be read.
func (f *writeFlags) apply(d *api.PacketDraft) error {
	p := &d.Packet
	for _, scalar := range []struct {
		given string
		to    *string
	}{{f.goal, &p.Goal}, {f.next, &p.NextStep}, {f.parent, &p.ParentID}} {
		if scalar.given != "" {
			*scalar.to = scalar.given
		}
	}
	p.SuccessCriteria = append(p.SuccessCriteria, f.criteria...)
	p.Constraints = append(p.Constraints, f.constraints...)
	p.OpenQuestions = append(p.OpenQuestions, f.questions...)
	p.Tags = append(p.Tags, f.tags...)
	var faults []string
	p.Decisions = append(p.Decisions, readFlags("decision", f.decisions, form.Decision, &faults)...)
	p.Attempts = append(p.Attempts, readFlags("tried", f.attempts, form.Attempt, &faults)...)
	p.Methods = append(p.Methods, readFlags("method", f.methods, form.Method, &faults)...)
	run := readFlags("check", f.checks, form.ReadCheck, &faults)
	d.Checks = append(d.Checks, packetChecks(nil, run)...)
	if len(faults) > 0 {
		return listed("what the flags give", faults)
	}
	return nil
}

// readFlags reads the texts of a flag, and notes what is wrong with them.
func readFlags[T any](name string, texts []string, read func(string) (T, []form.Fault), faults *[]string) []T {
	var all []T
	for i, text := range texts {
		value, wrong := read(text)
		for _, f := range wrong {
			which := ""
			if len(texts) > 1 {
				which = fmt.Sprintf(" (%d of %d)", i+1, len(texts))
			}
			*faults = append(*faults, fmt.Sprintf("--%s%s %s", name, which, f.Message))
		}
		all = append(all, value)
	}
	return all
}

// packetChecks returns the results of checks with their times: those of before, or now.
func packetChecks(before []api.PacketCheck, checks []form.Check) []api.PacketCheck {
	var all []api.PacketCheck
	for _, c := range checks {
		at := time.Now()
		for _, old := range before {
			if old.Command == c.Command && old.Passed == c.Passed {
				at = old.At
			}
		}
		all = append(all, api.PacketCheck{Command: c.Command, Passed: c.Passed, At: at.UTC().Truncate(time.Second)})
	}
	return all
}

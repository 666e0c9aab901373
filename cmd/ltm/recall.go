package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine/find"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

func (a *app) recallCommand() *cobra.Command {
	var q api.Query
	c := &cobra.Command{Use: "recall QUESTION... | -", Args: arguments(anyNumber, "a question")}
	c.Flags().IntVar(&q.Limit, "limit", 10, "maximum number of memories to show, 1 to 1000")
	tagFlag(c, &q.Tags, "only memories with this tag; if repeated, with all of them")
	kindFlag(c, &q.Category, onlyOfKind)
	agentFlag(c, &q.Agent, onlyOfAgent)
	c.Flags().Float64Var(&q.MinScore, "min-score", 0, "leave out memories with a lower score, 0 to 1")
	c.Flags().BoolVar(&q.Explain, "explain", false, "show how each score is calculated")
	include := includeFlags(c)
	c.RunE = func(c *cobra.Command, given []string) (err error) {
		if q.Include, err = include(); err != nil {
			return err
		}
		if q.Text, err = a.question(given); err != nil {
			return err
		}
		if err := checkRange("--limit", q.Limit, 1, 1000); err != nil {
			return err
		}
		if q.MinScore < 0 || q.MinScore > 1 {
			return invalid("--min-score takes a number from 0 to 1", "%v is not a score", q.MinScore)
		}
		done := a.progress("searching the memories")
		q.Asked = !a.asJSON
		e := a.shelves(lockWait)
		q.Scope = a.scope
		r, err := e.Recall(c.Context(), q)
		e.CountAccesses(c.Context())
		done()
		return answer(a, r, err, func(r api.Recall) error { return a.printHits(q.Text, r) })
	}
	return c
}

func (a *app) printHits(question string, r api.Recall) error {
	if len(r.Memories) == 0 {
		fmt.Fprintln(a.stderr, clean(advice.Join("nothing found", say(r.Note))))
		return nil
	}
	if r.Nearest {
		fmt.Fprintln(a.stderr, r.Note[:1])
		r.Note = r.Note[1:]
	}
	if len(r.Note) > 0 {
		defer fmt.Fprintln(a.stderr, clean(say(r.Note)))
	}
	if s := a.screen(); s.Rich {
		return a.printHitTable(s, question, r)
	}
	for _, h := range r.Memories {
		row := []string{string(h.ID), score(h.Score), cell(h.Topic), field(h.Summary), field(string(h.Importance)),
			h.State()}
		if err := a.println(strings.Join(withScope(row, h.Whose), "\t")); err != nil {
			return err
		}
		a.printExplanation(h)
	}
	return nil
}

// printHitTable prints hits for people: a line for each, and below it the passage that answers.
func (a *app) printHitTable(s terminal.Screen, question string, r api.Recall) error {
	marks := find.Marker(question, r.Taken)
	mark := func(text string) string { return s.Highlight(text, marks(text)) }
	now := time.Now()
	rows := each(r.Memories, func(h api.Hit) []string {
		return []string{string(h.ID), score(h.Score), h.State(), score(h.Priority), levelText(h.Importance, h.Marks),
			h.Category.Short(), age(now, h.CreatedAt), scopedTopic(h.Topic, h.Whose)}
	})
	lines := s.Table(withMarks([]terminal.Column{
		idColumn(s), {Title: "SCORE", Right: true}, {Title: "STATE", Spare: true},
		{Title: "PRIO", Spare: true, Right: true}, {Title: levelTitle, Spare: true},
		{Title: kindTitle, Spare: true}, {Title: "AGE", Spare: true, Right: true, Style: s.Dim},
		{Title: "TOPIC", Style: mark},
	}, rows))
	if err := a.println(lines[0]); err != nil {
		return err
	}
	for i, h := range r.Memories {
		if err := a.println(append(lines[i+1:i+2:i+2], s.Indented(clean(h.Summary), mark)...)...); err != nil {
			return err
		}
		a.printExplanation(h)
	}
	if r.Total > len(r.Memories) && !r.Nearest {
		return a.println(s.Dim(fmt.Sprintf("%d of %d", len(r.Memories), r.Total)))
	}
	return nil
}

func (a *app) printExplanation(h api.Hit) {
	if h.Alias != "" {
		fmt.Fprintln(a.stdout, "    alias: "+cell(h.Alias))
	}
	if h.Learned != "" {
		fmt.Fprintln(a.stdout, "    learned alias: "+cell(h.Learned))
	}
	if h.Explanation != "" {
		fmt.Fprintln(a.stdout, "    "+strings.ReplaceAll(clean(h.Explanation), "\n", "\n    "))
	}
}

// checkRange refuses a number that is out of bounds.
func checkRange(flag string, v, least, most int) error {
	if v < least || v > most {
		return invalid(fmt.Sprintf("%s takes a whole number from %d to %d", flag, least, most), "%d is out of range", v)
	}
	return nil
}

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

package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

func (a *app) tidyCommand() *cobra.Command {
	var merge, apart, list, yes bool
	var g api.Merging
	c := &cobra.Command{Use: "tidy [ID...]"}
	c.Flags().BoolVar(&merge, "merge", false, "merge the memories into the first one")
	c.Flags().BoolVar(&apart, "not-same", false, "remember in this clone that they do not say the same")
	c.Flags().BoolVar(&list, "list", false, "list the groups, also on a terminal")
	c.Flags().BoolVar(&yes, "yes", false, "with --merge: join the texts, without the editor")
	c.Flags().StringVar(&g.Text, "text", "", `with --merge: the text of all; "-" reads standard input`)
	c.Flags().StringVar(&g.Topic, "topic", "", "with --merge: the topic, instead of that of the first")
	c.RunE = func(c *cobra.Command, given []string) error {
		ctx := c.Context()
		switch {
		case merge && apart:
			return invalid("give one of them", "--merge and --not-same exclude each other")
		case !merge && (yes || g.Text != "" || g.Topic != ""):
			return invalid("", "--yes, --text and --topic go with --merge")
		case (merge || apart) && (len(given) < 2 || list):
			return invalid("", "--merge and --not-same take the ids of two memories or more, and not --list")
		case !merge && !apart && len(given) > 0:
			return invalid("", "ids go with --merge or --not-same")
		case c.Flags().Changed("text") && g.Text == "":
			return invalid("leave it out to join the texts", "--text is empty")
		case !merge && !apart:
			return a.tidy(ctx, list)
		}
		e, s, err := a.selectIDs(ctx, given)
		if err != nil {
			return err
		}
		if apart {
			return a.tellApart(ctx, e, s.ids)
		}
		if g.Text != "" {
			if g.Text, err = a.content(g.Text, true); err != nil {
				return err
			}
		}
		g.IDs = s.ids
		return a.merge(ctx, e, g, yes || g.Text != "" || !a.canCompose())
	}
	return c
}

// tidy lists what may need something or, on a terminal, asks about one group after the other.
func (a *app) tidy(ctx context.Context, list bool) error {
	e := a.engine(lockWait)
	done := a.progress("comparing the memories")
	t, err := e.Tidying(ctx)
	done()
	if err != nil || list || a.asJSON || !a.asks() {
		return answer(a, t, err, a.printTidying)
	}
	gone := map[string]bool{}
	for i, group := range t.Groups {
		left := slices.DeleteFunc(group.Memories, func(m api.TidyEntry) bool { return gone[string(m.ID)] })
		if len(left) < 2 {
			continue
		}
		var ids []string
		fmt.Fprintf(a.stderr, "\n%d of %d: %s\n", i+1, len(t.Groups), tidyWhy(group.Why))
		for _, m := range left {
			ids = append(ids, string(m.ID))
			fmt.Fprintf(a.stderr, "\n  %s  %s  %s (%s)\n  %s\n", m.ID, day(m.CreatedAt.Time),
				markedTopic(m.Topic, m.Foreign), m.Uses, cell(m.Summary))
		}
		used, leave, err := a.askGroup(ctx, e, ids, group.Why != api.TidyDisputed)
		if err != nil {
			used = nil
		}
		if err = a.refused(err, i > 0); leave || err != nil {
			return err
		}
		for _, id := range used {
			gone[id] = true
		}
	}
	t.Groups = []api.TidyGroup{}
	return a.printTidying(t)
}

// tidyWhy says why memories are in a group.
func tidyWhy(why string) string {
	switch why {
	case api.TidyDisputed:
		return "these dispute each other"
	case api.TidyOpposed:
		return "these say about the same, and may contradict each other"
	}
	return "these say about the same"
}

// askGroup asks about one group, and returns the memories that are settled. Only those that say the same can be told
// apart.
func (a *app) askGroup(ctx context.Context, e *engine.Engine, ids []string, same bool) (settled []string, leave bool,
	err error) {
	question, keys := "[m]erge into the newest, [c]orrect, ", "mc"
	if same {
		question, keys = question+"[n]ot the same, ", keys+"n"
	}
	key, leave, err := a.askKey(question, keys)
	switch key {
	case "m":
		err = a.merge(ctx, e, api.Merging{IDs: ids}, !a.canCompose())
	case "c":
		err = a.correctGroup(ctx, e, ids)
	case "n":
		return nil, false, a.tellApart(ctx, e, ids)
	default:
		return nil, leave, err
	}
	return ids, false, err
}

// merge merges memories, with their joined texts or what a person makes of them in the editor.
func (a *app) merge(ctx context.Context, e *engine.Engine, g api.Merging, plainly bool) error {
	merged := func() (api.Receipt, error) {
		r, err := e.Merge(ctx, g)
		if memory.KindOf(err) == memory.KindTextSecret {
			err = advice.With(err, "the store is committed to git: leave it out, with --text or in the editor")
		}
		return r, err
	}
	if plainly {
		r, err := merged()
		return answer(a, r, err, a.printReceipt)
	}
	asked := g
	asked.Text = "of both" // what a person writes may settle a dispute
	if _, err := e.MergeDraft(ctx, asked); err != nil {
		return err
	}
	for _, id := range g.IDs {
		_, file, err := e.File(ctx, id)
		if err != nil {
			return err
		}
		g.Files = append(g.Files, file)
	}
	again := func(topic string) string {
		return "ltm tidy --merge " + strings.Join(g.IDs, " ") + " --topic " + topic + " --text -"
	}
	return a.composeOf(ctx, e, g, again, func(topic, text string) (api.Receipt, error) {
		g.Topic, g.Text = topic, text
		return merged()
	})
}

// correctGroup stores what a person makes of memories as a new one that supersedes them.
func (a *app) correctGroup(ctx context.Context, e *engine.Engine, ids []string) error {
	if !a.canCompose() {
		return invalid("ltm correct ID TEXT does it without one", "a correction is written in an editor on a terminal")
	}
	old, err := e.Peek(ctx, ids[0])
	if err != nil {
		return err
	}
	d := api.Draft{Tags: old.Tags, Aliases: old.Aliases, Importance: old.Importance, Category: old.Category,
		Agent: old.Agent, Supersedes: ids, Told: true, SameTopic: true}
	again := func(topic string) string {
		return "ltm remember " + topic + " - --supersedes " + strings.Join(ids, ",")
	}
	return a.composeOf(ctx, e, api.Merging{IDs: ids}, again, func(topic, text string) (api.Receipt, error) {
		d.Topic, d.Content = topic, text
		return e.Remember(ctx, d)
	})
}

// composeOf opens the editor with the topic and the texts of memories, and passes on what a person makes of them.
func (a *app) composeOf(ctx context.Context, e *engine.Engine, g api.Merging, again func(topic string) string,
	use func(topic, text string) (api.Receipt, error)) error {
	begin := ""
	for i, id := range g.IDs {
		d, err := e.Peek(ctx, id)
		if err != nil {
			return err
		}
		if i == 0 {
			begin = d.Topic
		}
		begin += "\n\n" + d.Content
	}
	if d, err := e.MergeDraft(ctx, g); err == nil {
		begin = d.Topic + "\n\n" + d.Content // each line once
	}
	return a.composeTopic(begin, again, func(topic, text string) error {
		r, err := use(topic, text)
		return answer(a, r, err, a.printReceipt)
	})
}

func (a *app) tellApart(ctx context.Context, e *engine.Engine, ids []string) error {
	if err := e.TellApart(ctx, ids); err != nil {
		return err
	}
	text := "told apart: " + strings.Join(ids, ", ")
	if !a.asJSON {
		return a.println(text)
	}
	t, err := e.Tidying(ctx)
	return answer(a, t, advice.Partial(err), nil)
}

func (a *app) printTidying(t api.Tidying) error {
	var rows [][]string
	row := func(group, why string, m api.TidyEntry) {
		rows = append(rows, a.markedRow([]string{group, why, string(m.ID), day(m.CreatedAt.Time),
			strconv.Itoa(m.Uses.Shown), strconv.Itoa(m.Uses.Opened), strconv.Itoa(m.Uses.Named), cell(m.Topic)}, 7,
			m.Foreign))
	}
	for i, g := range t.Groups {
		for _, m := range g.Memories {
			row(strconv.Itoa(i+1), g.Why, m)
		}
	}
	for _, m := range t.Idle {
		row("-", "never opened", m)
	}
	if t.Left > 0 {
		fmt.Fprintf(a.stderr, "and %d more\n", t.Left)
	}
	return a.tableOr("nothing to tidy", "GROUP|WHY|ID|CREATED|SHOWN|OPENED|NAMED|TOPIC", rows)
}

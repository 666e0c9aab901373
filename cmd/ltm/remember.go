package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) rememberCommand() *cobra.Command {
	var d api.Draft
	var difficulty float64
	var links linkFlags
	c := &cobra.Command{
		Use:   "remember TOPIC [CONTENT | -]",
		Short: "Store a memory, from an argument, standard input or your editor",
		Long: `Store a memory. "-" reads the content from standard input. Without CONTENT, your editor ($VISUAL or
$EDITOR) opens if ltm runs on a terminal; otherwise the content is read from standard input.`,
		Args: arguments(2, aTopic),
	}
	c.Flags().StringVar(&d.Summary, "summary", "", "what it is about (default: the content's first paragraph)")
	tagFlag(c, &d.Tags, "tag; repeat the flag, or separate tags with commas (default: tags found in the text)")
	aliasFlag(c, &d.Aliases, "another name of it, or a question that it answers; may be repeated")
	importanceFlag(c, &d.Importance, "critical, important, normal or low")
	kindFlag(c, &d.Category, memory.CategoryNames+" (default none)")
	agentFlag(c, &d.Agent, "the agent for whose sessions the memory is (default all)")
	sure := sureFlag(c, "how sure it is, 0 to 1; below 0.7 is shown as unsure")
	links.add(c)
	refFlag(c, &d.Refs, "file that it speaks of: PATH, PATH:LINE, PATH:FIRST-LAST or PATH#SYMBOL; more are found in "+
		"the text")
	c.Flags().Float64Var(&difficulty, "difficulty", 0,
		"0 (easy) to 1 (very hard) (default: judged from the session's work, or 0.5 on a terminal)")
	c.Flags().BoolVar(&d.Redact, "redact", false, "mask credentials instead of refusing to store them")
	c.RunE = func(c *cobra.Command, given []string) error {
		d.Topic, d.Session = given[0], a.getenv("CLAUDE_CODE_SESSION_ID")
		d.AutoTag = len(d.Tags) == 0
		d.Told = d.Session == "" && (terminal.Is(a.stdin) || terminal.Is(a.stdout))
		d.Confidence, d.Refs = sure(), a.refsFromHere(d.Refs)
		if c.Flags().Changed("difficulty") {
			d.Difficulty = &difficulty
		}
		if err := links.find(c.Context(), a.engine(lockWait)); err != nil {
			return err
		}
		d.Supersedes, d.Disputes, d.Related = links.supersedes, links.disputes, links.related
		store := func(text string) error {
			d.Content = text
			return a.store(c.Context(), d)
		}
		if len(given) == 1 && a.canCompose() {
			return a.compose("", fmt.Sprintf("ltm remember %q -", d.Topic), store)
		}
		text, err := a.content(strings.Join(given[1:], ""), len(given) == 2)
		if err != nil {
			return err
		}
		return store(text)
	}
	return c
}

// store stores a memory and prints the receipt.
func (a *app) store(ctx context.Context, d api.Draft) error {
	e := a.engine(lockWait)
	first, place := !e.Exists(), a.place()
	r, err := e.Remember(ctx, d)
	if first && err == nil {
		a.tellStore(place)
	}
	return answer(a, r, err, a.printReceipt)
}

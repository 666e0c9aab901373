package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) rememberCommand() *cobra.Command {
	s := storing{app: a}
	c := &cobra.Command{Use: "remember TOPIC [CONTENT | -]", Args: arguments(2, aTopic)}
	s.addFlags(c, "judged from the session's work, or 0.5 on a terminal")
	d := &s.draft
	tagFlag(c, &d.Tags, "tag; repeat the flag, or separate tags with commas (default: tags found in the text)")
	aliasFlag(c, &d.Aliases, "another name of it, or a question that it answers; may be repeated")
	kindFlag(c, &d.Category, memory.CategoryNames+" (default none)")
	agentFlag(c, &d.Agent, "the agent for whose sessions the memory is (default all)")
	s.links.addSupersedes(c)
	refFlag(c, &d.Refs, "file that it speaks of: PATH, PATH:LINE, PATH:FIRST-LAST or PATH#SYMBOL; more are found in "+
		"the text")
	c.RunE = func(c *cobra.Command, given []string) error {
		d.Topic, d.AutoTag, d.Refs = given[0], len(d.Tags) == 0, a.refsFromHere(d.Refs)
		return s.run(c, a.engine(lockWait), given[1:], "", "ltm remember "+shellWord(d.Topic)+" -")
	}
	return c
}

// storing is what commands that store a memory have in common.
type storing struct {
	app   *app
	draft api.Draft
	links linkFlags
}

// addFlags adds the flags that mean the same for all of them. judged says what the difficulty is without its flag.
func (s *storing) addFlags(c *cobra.Command, judged string) {
	c.Flags().StringVar(&s.draft.Summary, "summary", "", "what it is about (default: the content's first paragraph)")
	importanceFlag(c, &s.draft.Importance, "critical, important, normal or low")
	numberFlag(c, &s.draft.Confidence, "confidence", "1", "how sure it is, 0 to 1; below 0.7 is shown as unsure")
	s.links.addOthers(c)
	numberFlag(c, &s.draft.Difficulty, "difficulty", "0", "0 (easy) to 1 (very hard) (default: "+judged+")")
	c.Flags().BoolVar(&s.draft.Redact, "redact", false, "mask credentials instead of refusing to store them")
}

// run stores what flags and the content say, which is an argument or comes from standard input or the editor. That
// opens with begin; again is the command that takes its text from standard input.
func (s *storing) run(c *cobra.Command, e *engine.Engine, content []string, begin, again string) error {
	a, d := s.app, &s.draft
	d.Session = a.getenv("CLAUDE_CODE_SESSION_ID")
	d.Told = d.Session == "" && (terminal.Is(a.stdin) || terminal.Is(a.stdout))
	if err := s.links.find(c.Context(), e); err != nil {
		return err
	}
	d.Supersedes, d.Disputes, d.Related = append(d.Supersedes, s.links.supersedes...), s.links.disputes, s.links.related
	store := func(text string) error {
		if d.Content = text; len(content) == 0 && begin != "" && strings.TrimSpace(text) == strings.TrimSpace(begin) {
			return invalid("", "the text is the same")
		}
		return a.store(c.Context(), *d)
	}
	if len(content) == 0 && a.canCompose() {
		return a.compose(begin, func(text string) (string, string) { return text, again }, store)
	}
	text, err := a.content(strings.Join(content, ""), len(content) == 1)
	if err != nil {
		return err
	}
	return store(text)
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

func (a *app) correctCommand() *cobra.Command {
	s := storing{app: a}
	c := &cobra.Command{Use: "correct ID [CONTENT | -]", Args: arguments(2, anID)}
	s.addFlags(c, "as of ltm remember")
	d := &s.draft
	c.Flags().StringVar(&d.Topic, "topic", "", "new topic")
	tagFlag(c, &d.Tags, `new tags; "" for none`)
	aliasFlag(c, &d.Aliases, `new aliases; "" for none`)
	kindFlag(c, &d.Category, "new kind: "+memory.CategoryNames+`; "" for none`)
	agentFlag(c, &d.Agent, `the agent for whose sessions it is; "" for all`)
	c.RunE = func(c *cobra.Command, given []string) error {
		e, old, err := a.corrected(c.Context(), given[0])
		if err != nil {
			return err
		}
		inherit(c, d, old)
		d.Supersedes = []string{string(old.ID)}
		return s.run(c, e, given[1:], old.Content, fmt.Sprintf("ltm correct %s -", old.ID))
	}
	return c
}

// corrected returns the memory to correct and its store, from the archives if it is only there.
func (a *app) corrected(ctx context.Context, given string) (*engine.Engine, api.Detail, error) {
	e, id, err := a.oneID(ctx, given)
	if err != nil {
		return nil, api.Detail{}, err
	}
	old, err := e.Peek(ctx, id)
	if memory.KindOf(err) == memory.KindOnlyArchived {
		old, err = e.PeekArchive(ctx, id)
	}
	return e, old, err
}

// inherit fills in what was not given from the memory that is corrected.
func inherit(c *cobra.Command, d *api.Draft, old api.Detail) {
	if d.SameTopic = c.Flags().Changed("topic"); !d.SameTopic {
		d.Topic = old.Topic
	}
	if !c.Flags().Changed("tag") {
		d.Tags = old.Tags
	}
	if !c.Flags().Changed("alias") {
		d.Aliases = old.Aliases
	}
	if !c.Flags().Changed("kind") {
		d.Category = old.Category
	}
	if !c.Flags().Changed("agent") {
		d.Agent = old.Agent
	}
	if d.Importance == "" && !slices.ContainsFunc(d.Tags, memory.IsImportanceTag) {
		d.Importance = old.Importance
	}
}

func (a *app) updateCommand() *cobra.Command {
	var tags []string
	var p api.Patch
	c := &cobra.Command{Use: "update ID", Args: arguments(1, anID)}
	textFlag(c, &p.Topic, "topic", "replace the topic")
	textFlag(c, &p.Content, "content", `replace the content; "-" reads standard input`)
	textFlag(c, &p.Append, "append", `add text to the content; "-" reads standard input`)
	textFlag(c, &p.Summary, "summary", `replace the summary; "" uses the content's first paragraph`)
	tagFlag(c, &tags, `replace the tags; "" removes them all`)
	c.Flags().Var(listValue{&p.AddTags, "tag"}, "add-tag", "add tags")
	c.Flags().Var(listValue{&p.RemoveTags, "tag"}, "remove-tag", "remove tags")
	aliases := patchAliases(c)
	importanceFlag(c, &p.Importance, "set the importance: critical, important, normal or low")
	kindFlags(c, &p)
	textFlag(c, &p.Agent, "agent", `set the agent for whose sessions the memory is; "" for all`)
	links := a.patchLinks(c, &p)
	numberFlag(c, &p.Difficulty, "difficulty", "0", "set the difficulty, 0 to 1")
	c.Flags().BoolVar(&p.Redact, "redact", false, "mask credentials instead of refusing to store them")
	c.RunE = func(c *cobra.Command, given []string) error {
		for _, text := range []**string{&p.Content, &p.Append} {
			if *text == nil {
				continue
			}
			read, err := a.content(**text, true)
			if err != nil {
				return err
			}
			*text = &read
		}
		if c.Flags().Changed("tag") {
			p.Tags = &tags
		}
		p.Aliases = aliases()
		if c.Flags().Changed("importance") && p.Importance == "" {
			_, err := memory.ParseImportance("")
			return err
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		if err := links(e); err != nil {
			return err
		}
		r, err := e.Update(c.Context(), id, p)
		return answer(a, r, err, a.printReceipt)
	}
	return c
}

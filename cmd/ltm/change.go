package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// receiptList is what changes of several memories print for programs.
type receiptList struct {
	Receipts []api.Receipt `json:"receipts"`
}

func (a *app) pinCommand() *cobra.Command {
	var as string
	c := &cobra.Command{Use: "pin ID...", Args: arguments(anyNumber, anID)}
	c.Flags().StringVar(&as, "as", string(memory.Critical), "importance to set: critical, important or low")
	c.RunE = func(c *cobra.Command, given []string) error {
		level, err := memory.ParseImportance(as)
		if err != nil {
			return err
		}
		return a.pin(c.Context(), given, level)
	}
	return c
}

func (a *app) unpinCommand() *cobra.Command {
	c := &cobra.Command{Use: "unpin ID...", Args: arguments(anyNumber, anID)}
	c.RunE = func(c *cobra.Command, given []string) error { return a.pin(c.Context(), given, memory.Normal) }
	return c
}

func (a *app) pin(ctx context.Context, given []string, level memory.Importance) error {
	return a.changeIDs(ctx, given, func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
		return e.Pin(ctx, ids, level)
	})
}

func (a *app) forgetCommand() *cobra.Command {
	var hard, yes bool
	c := &cobra.Command{Use: "forget ID...", Args: arguments(anyNumber, anID)}
	c.Flags().BoolVar(&hard, "hard", false, "permanently remove the text from the store; cannot be undone")
	c.Flags().BoolVar(&yes, "yes", false,
		"do not ask; without a terminal, required with --hard and for pinned memories")
	c.RunE = func(c *cobra.Command, given []string) error {
		if hard {
			if err := wholeIDs(given); err != nil {
				return err
			}
		}
		none := forgottenList{[]api.Forgotten{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			if err := a.confirmPinned(c.Context(), e, s.ids, hard || yes); err != nil {
				return err
			}
			forget := e.ForgetAll
			if hard {
				whose := "its"
				if len(s.ids) > 1 {
					whose = "their"
				}
				question := "Permanently remove " + strings.Join(s.ids, ", ") + " and all " + whose +
					" archived versions? Git history keeps what was committed."
				if err := a.agree(yes, question, "--hard removes the last copy in the store"); err != nil {
					return err
				}
				forget = eraseAll(e)
			}
			answers, err := forget(c.Context(), s.ids)
			if err != nil {
				return err
			}
			return printAnswers(a, s, answers, forgottenList{answers},
				func(r api.Forgotten) string { return say(r.Message) })
		})
	}
	return c
}

// eraseAll returns a function that erases memories one after another.
func eraseAll(e *engine.Engine) func(context.Context, []string) ([]api.Forgotten, error) {
	return func(ctx context.Context, ids []string) ([]api.Forgotten, error) {
		var done []api.Forgotten
		for _, id := range ids {
			r, err := e.Erase(ctx, id)
			if err != nil {
				if len(done) > 0 {
					err = advice.Partial(err)
				}
				return nil, err
			}
			done = append(done, r)
		}
		return done, nil
	}
}

func (a *app) tagCommand() *cobra.Command {
	list := func(c *cobra.Command, _ []string) error { return a.listTags(c) }
	c := &cobra.Command{Use: "tag", Args: onlyCommands, RunE: list}
	c.AddCommand(&cobra.Command{Use: "list", Aliases: []string{"ls"}, Args: noArguments(), RunE: list},
		a.tagRenameCommand(), a.tagChangeCommand("add", nil,
			func(e *engine.Engine, ctx context.Context, ids, tags []string) ([]api.Receipt, error) {
				return e.Retag(ctx, ids, tags, nil)
			}),
		a.tagChangeCommand("rm", []string{"remove"},
			func(e *engine.Engine, ctx context.Context, ids, tags []string) ([]api.Receipt, error) {
				return e.Retag(ctx, ids, nil, tags)
			}))
	return c
}

// tagReport is what the list of tags prints for programs.
type tagReport struct {
	Tags []api.TagCount `json:"tags"`
}

func (a *app) listTags(c *cobra.Command) error {
	tags, err := a.engine(lockWait).Tags(c.Context())
	return answer(a, tagReport{tags}, err, func(tagReport) error {
		return a.tableOr("no tags", "TAG|MEMORIES", each(tags, func(t api.TagCount) []string {
			return []string{cell(t.Tag), fmt.Sprint(t.Memories)}
		}))
	})
}

// tagChangeCommand returns tag add or tag rm.
func (a *app) tagChangeCommand(name string, aliases []string,
	change func(*engine.Engine, context.Context, []string, []string) ([]api.Receipt, error)) *cobra.Command {
	c := &cobra.Command{Use: name + " TAG ID...", Aliases: aliases, Args: arguments(anyNumber, aTag, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		tags := splitList(given[0])
		if len(tags) == 0 {
			return invalid("a tag is a word of at most 50 characters, several have commas between", "%q is not a tag",
				given[0])
		}
		return a.changeIDs(c.Context(), given[1:], func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
			return change(e, c.Context(), ids, tags)
		})
	}
	return c
}

func (a *app) tagRenameCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "rename OLD NEW [ID...]",
		Aliases: []string{"mv"},
		Args:    arguments(anyNumber, aTag, newName),
	}
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.changeIDs(c.Context(), given[2:], func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
			return e.RenameTag(c.Context(), given[0], given[1], ids)
		})
	}
	return c
}

// aliasFlag adds --alias to a command. A comma is part of an alias.
func aliasFlag(c *cobra.Command, aliases *[]string, help string) {
	c.Flags().StringArrayVar(aliases, "alias", nil, help)
}

// patchAliases adds --alias to a command that changes a memory, and returns what gives its value, or nil.
func patchAliases(c *cobra.Command) func() *[]string {
	var aliases []string
	aliasFlag(c, &aliases, `replace the aliases; "" removes them all`)
	return func() *[]string {
		if !c.Flags().Changed("alias") {
			return nil
		}
		return &aliases
	}
}

func (a *app) aliasCommand() *cobra.Command {
	c := &cobra.Command{Use: "alias ID [add|rm ALIAS...]", Args: arguments(anyNumber, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		add, remove, err := aliasChange(given[1:])
		if err != nil {
			return err
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		var all api.Aliases
		if len(add)+len(remove) == 0 {
			all, err = e.Aliases(c.Context(), id)
		} else {
			all, err = e.Realias(c.Context(), id, add, remove)
		}
		return answer(a, all, err, a.printAliases)
	}
	return c
}

// aliasChange returns the aliases to add or to remove.
func aliasChange(given []string) (add, remove []string, err error) {
	switch {
	case len(given) == 0:
		return nil, nil, nil
	case !slices.Contains([]string{"add", "rm", "remove"}, given[0]):
		return nil, nil, invalid(`say "add" or "rm", and then the aliases`, "%q is neither add nor rm", given[0])
	case len(given) == 1:
		return nil, nil, invalid("", "ltm alias %s needs an alias", given[0])
	case slices.ContainsFunc(given[1:], func(alias string) bool { return strings.TrimSpace(alias) == "" }):
		return nil, nil, invalid("name it, or leave it out", "an alias cannot be empty")
	case given[0] == "add":
		return given[1:], nil, nil
	}
	return nil, given[1:], nil
}

// completeAlias offers ids first, and then what to do.
func completeAlias(ids completer) completer {
	return func(given []string, begun string) []string {
		switch len(given) {
		case 0:
			return ids(given, begun)
		case 1:
			return fixed("add", "rm")(given, begun)
		}
		return nil
	}
}

func (a *app) printAliases(all api.Aliases) error {
	rows := each(all.Aliases, func(alias string) []string {
		return a.markedRow([]string{"written", cell(alias)}, 1, all.Foreign)
	})
	learned := each(all.Learned, func(alias string) []string { return []string{"learned", cell(alias)} })
	return a.tableOr("no aliases", "FROM|ALIAS", append(rows, learned...))
}

func (a *app) resolveCommand() *cobra.Command {
	var ours, theirs, both bool
	c := &cobra.Command{Use: "resolve ID --ours|--theirs|--both", Args: arguments(1, anID)}
	c.Flags().BoolVar(&ours, "ours", false, "keep our side")
	c.Flags().BoolVar(&theirs, "theirs", false, "keep their side")
	c.Flags().BoolVar(&both, "both", false, "keep the lines of both sides")
	c.RunE = func(c *cobra.Command, given []string) error {
		how, err := resolution(ours, theirs, both)
		if err != nil {
			return err
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := e.Resolve(c.Context(), id, how)
		if err != nil {
			return err
		}
		path := a.fromHere(filepath.Join(a.place().Store, "memories", r.ID.File()))
		r.Message = append(r.Message, memory.Remark{Text: "the conflict is resolved: git add " + path})
		return answer(a, r, nil, a.printReceipt)
	}
	return c
}

// resolution returns the one that the flags ask for.
func resolution(ours, theirs, both bool) (api.Resolution, error) {
	switch {
	case ours && !theirs && !both:
		return api.KeepOurs, nil
	case theirs && !ours && !both:
		return api.KeepTheirs, nil
	case both && !ours && !theirs:
		return api.KeepBoth, nil
	}
	return "", invalid(`"ltm edit ID" shows both sides`, "give one of --ours, --theirs and --both")
}

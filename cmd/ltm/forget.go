package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory/advice"
	"ltm/memory/api"
)

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

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/memory/api"
	"ltm/packet"
)

func (a *app) resumeCommand() *cobra.Command {
	var r api.ResumePacket
	var toClipboard bool
	c := &cobra.Command{Use: "resume [ID]", Args: arguments(1)}
	c.Flags().BoolVar(&toClipboard, "copy", false, "put the text into the clipboard instead of printing it")
	c.Flags().IntVar(&r.MaxChars, "max-chars", 0,
		fmt.Sprintf("maximum length of the packet's text, at least %d; 0 for all of it", packet.MinChars))
	c.RunE = func(c *cobra.Command, given []string) error {
		if r.MaxChars != 0 {
			if err := checkRange("--max-chars", r.MaxChars, packet.MinChars, 1<<20); err != nil {
				return err
			}
		}
		r.Session = a.getenv("CLAUDE_CODE_SESSION_ID")
		var err error
		if len(given) > 0 {
			r.ID = given[0]
		} else if r.ID, err = a.pickPacket(c.Context()); err != nil {
			return err
		}
		text, err := a.desk().Resume(c.Context(), r)
		if err != nil {
			return err
		}
		return a.printResumption(text, toClipboard)
	}
	return c
}

// printResumption prints or copies a text to resume from.
func (a *app) printResumption(r api.Resumption, toClipboard bool) error {
	if toClipboard {
		if err := a.copyText(r.Text); err != nil {
			return err
		}
		a.notice(fmt.Sprintf("copied the packet %s to the clipboard, if the terminal allows that (%s)", cell(r.ID),
			plural.Of(len([]rune(r.Text)), "character", "characters")))
	}
	switch {
	case a.asJSON:
		return a.printJSON(r)
	case toClipboard:
		return nil
	}
	if err := a.println(r.Text); err != nil {
		return err
	}
	if r.Left+r.Cut > 0 {
		a.notice(fmt.Sprintf("--max-chars left out %s and shortened %d",
			plural.Of(r.Left, "entry", "entries"), r.Cut))
	}
	return nil
}

// pickPacket lets a person choose between several packets on a terminal, and returns an id: "" for
// the newest.
func (a *app) pickPacket(ctx context.Context) (string, error) {
	if !a.asks() {
		return "", nil
	}
	open, err := a.openPackets(ctx)
	if err != nil || len(open) < 2 {
		return "", err
	}
	now := time.Now()
	lines := make([]string, 0, len(open))
	for _, p := range open {
		line := cell(p.ID) + "  " + age(now, p.CreatedAt) + "  " + cell(p.Goal)
		if p.Branch != "" {
			line += "  [" + cell(p.Branch) + "]"
		}
		lines = append(lines, line)
	}
	picked, err := a.pickByNumber(lines, "Number (Enter takes the first)")
	if err != nil || len(picked) == 0 {
		return "", err
	}
	return open[picked[0]].ID, nil
}

package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/memory/api"
	packets "ltm/packet/client"
)

func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{Use: "status", Args: noArguments()}
	line := c.Flags().Bool("line", false, "one short line, for the status line of Claude Code")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *line && a.asJSON {
			return invalid("ltm status --json has the same and more", "--line and --json exclude each other")
		}
		if *line {
			return a.statusLine(c.Context())
		}
		done := a.progress("reading the memories")
		read := a.engine(lockWait).Status
		if a.scope == "" {
			read = a.shelves(lockWait).Status
		}
		s, err := read(c.Context())
		done()
		if err != nil {
			return err
		}
		return answer(a, statusReport{s, a.waiting()}, nil, a.printStatus)
	}
	return c
}

func (a *app) printStatus(s statusReport) error {
	eviction := "never"
	if s.LastEviction != nil {
		eviction = s.LastEviction.Format(time.RFC3339)
	}
	lines := []string{
		fmt.Sprintf("store          %s (%s)", cell(s.StorePath), a.place().Why),
		fmt.Sprintf("this clone     %s", cell(s.ClonePath)),
		fmt.Sprintf("caches         %s", cell(s.CachePath)),
		fmt.Sprintf("memories       %d in sight (%d whole, %d hint, %d abstract), %d out of sight", s.TotalMemories,
			s.ByPhase.Full, s.ByPhase.Hint, s.ByPhase.Abstract, s.ByPhase.OutOfSight),
		fmt.Sprintf("importance     %d critical, %d important, %d low", s.ByImportance.Critical,
			s.ByImportance.Important, s.ByImportance.Low),
		fmt.Sprintf("archives       %d forgotten or superseded (ltm archives)", s.TotalArchived),
		fmt.Sprintf("elsewhere      %d memories and archives; trust is %v (ltm trust)", s.FromElsewhere,
			s.Config["trust"]),
		fmt.Sprintf("context        %s (ltm context)", budgetText(s.Config["context_style"], s.Context)),
		fmt.Sprintf("sessions       %d", s.SessionCount),
		fmt.Sprintf("last eviction  %s", eviction),
		fmt.Sprintf("size           %d bytes", s.StorageSizeBytes),
		fmt.Sprintf("version        %s", s.Version),
		fmt.Sprintf("health         %s", clean(say(s.Health))),
	}
	if s.Stale > 0 {
		lines = append(lines, fmt.Sprintf("stale          %d (ltm stale)", s.Stale))
	}
	if s.TotalPackets > 0 {
		lines = append(lines, fmt.Sprintf("packets        %d (%d done)", s.TotalPackets, s.DonePackets))
	}
	if s.User != nil {
		lines = append(lines, "your own       "+shelfLine(*s.User)+" (ltm user)")
	}
	return a.println(append(lines, waitingLines(s.Unsent)...)...)
}

// isStatusLine reports whether the arguments ask for the line alone. Then run does without the other
// commands, because the client draws the line again and again.
func isStatusLine(args []string) bool { return slices.Equal(args, []string{"status", "--line"}) }

// statusLine prints how many memories there are, and how many of them need a look. Without a store it
// prints nothing.
func (a *app) statusLine(ctx context.Context) error {
	s, err := a.engine(lockWait).StatusLine(ctx)
	if err != nil || !s.Exists {
		return err
	}
	text := "ltm: " + plural.Of(s.Memories, "memory", "memories")
	if s.Stale > 0 {
		text += fmt.Sprintf(", %d may be stale", s.Stale)
	}
	if s.HeldBack > 0 {
		text += fmt.Sprintf(", %d held back", s.HeldBack)
	}
	return a.println(text)
}

// statusReport is the answer of ltm status.
type statusReport struct {
	api.Status
	Unsent []packets.Waiting `json:"unsent,omitempty"` // packets that wait, and those that a server refused
}

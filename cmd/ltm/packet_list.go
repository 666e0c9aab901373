package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/internal/plural"
	"ltm/memory/api"
)

// packetFlags are the flags of a command that lists packets.
type packetFlags struct {
	filter api.PacketFilter
	since  string
	all    bool
	limit  int
}

// packetListing adds the flags of a list to a command, and returns what lists the packets that have
// a text.
func (a *app) packetListing(c *cobra.Command) func(ctx context.Context, text string) error {
	var f packetFlags
	c.Flags().StringVar(&f.filter.Tag, "tag", "", "only packets with this tag")
	c.Flags().StringVar(&f.filter.Project, "project", "", "only packets of the project with this `NAME`")
	c.Flags().StringVar(&f.filter.Parent, "parent", "", "only packets that continue the one with this `ID`")
	c.Flags().StringVar(&f.filter.Branch, "branch", "", "only packets that were written on this branch")
	c.Flags().StringVar(&f.since, "since", "",
		"only packets written since `WHEN`: an age (7d, 2w, 36h) or a date (2026-01-31)")
	c.Flags().IntVar(&f.limit, "limit", 50, "maximum number of packets to show, up to 100000; 0 for all")
	c.Flags().BoolVar(&f.all, "all", false, "also packets whose work is done")
	var l remoteListing
	l.add(c)
	return func(ctx context.Context, text string) error {
		f.filter.Text = text
		if err := l.check(&f); err != nil {
			return err
		}
		if l.remote {
			return a.listRemote(ctx, &l, f)
		}
		list, err := a.packets(ctx, f)
		return answer(a, list, err, a.printPackets)
	}
}

// packets lists packets, the newest first. Total counts those that the limit leaves out too.
func (a *app) packets(ctx context.Context, f packetFlags) (api.PacketList, error) {
	if err := checkRange("--limit", f.limit, 0, 100000); err != nil {
		return api.PacketList{}, err
	}
	if f.since != "" {
		var err error
		if f.filter.Since, err = sinceWhen(time.Now(), f.since); err != nil {
			return api.PacketList{}, err
		}
	}
	list, err := a.desk().List(ctx, f.filter)
	if err != nil {
		return api.PacketList{}, err
	}
	if !f.all {
		list.Packets = slices.DeleteFunc(list.Packets, func(p api.PacketEntry) bool { return p.Done })
	}
	list.Total = len(list.Packets)
	if f.limit > 0 {
		list.Packets = list.Packets[:min(f.limit, len(list.Packets))]
	}
	if list.Packets == nil {
		list.Packets = []api.PacketEntry{}
	}
	return list, nil
}

func (a *app) packetListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Args: noArguments()}
	list := a.packetListing(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return list(c.Context(), "") }
	return c
}

func (a *app) packetSearchCommand() *cobra.Command {
	c := &cobra.Command{Use: "search WORDS...", Args: arguments(anyNumber, someWords)}
	list := a.packetListing(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		text := strings.Join(given, " ")
		if strings.TrimSpace(text) == "" {
			return invalid("give words that the packet has", "there is nothing to search for")
		}
		return list(c.Context(), text)
	}
	return c
}

// The states of packets.
const (
	packetOpen      = "open"
	packetContinued = "continued"
	packetDone      = "done"
)

func packetState(p api.PacketEntry) string {
	switch {
	case p.Done:
		return packetDone
	case p.Continued:
		return packetContinued
	}
	return packetOpen
}

// packetAuthor returns who wrote a packet.
func packetAuthor(person, model string, drafted bool) string {
	parts := slices.DeleteFunc([]string{cell(person), cell(model)}, func(s string) bool { return s == "" })
	who := strings.Join(parts, " with ")
	if drafted {
		return strings.TrimSpace(who + " (drafted)")
	}
	return who
}

// printPackets prints a list of packets, and what of the store could not be read.
func (a *app) printPackets(list api.PacketList) error {
	if len(list.Packets) == 0 {
		fmt.Fprintln(a.stderr, "no packets")
	}
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(list.Packets))
	for _, p := range list.Packets {
		when := p.CreatedAt.UTC().Format(time.RFC3339)
		if s.Rich {
			when = age(now, p.CreatedAt)
		}
		rows = append(rows, []string{cell(p.ID), packetState(p), when, field(p.Branch),
			field(packetAuthor(p.Author, p.Model, p.Drafted)), cell(p.Goal)})
	}
	if len(rows) > 0 {
		err := a.rows(s, []terminal.Column{
			packetIDColumn(s), {Title: "STATE", Spare: true},
			{Title: "AGE", Right: true, Style: s.Dim}, {Title: "BRANCH", Most: 24, Spare: true},
			{Title: "AUTHOR", Most: 24, Spare: true}, {Title: "GOAL"},
		}, rows)
		if err != nil {
			return err
		}
	}
	if list.Total > len(list.Packets) {
		fmt.Fprintf(a.stderr, "%d of %d; --limit shows more\n", len(list.Packets), list.Total)
	}
	a.sayFaulty(list.Faulty)
	return nil
}

// packetIDColumn is the column of ids, which are whole if they are ULIDs or UUIDs.
func packetIDColumn(s terminal.Screen) terminal.Column {
	const uuid = 36
	return terminal.Column{Title: "ID", Style: s.Dim, Whole: true, Most: uuid}
}

// sayFaulty names the files that are not packets.
func (a *app) sayFaulty(faulty []api.PacketFault) {
	const most = 5
	for i, f := range faulty {
		if i == most {
			a.notice(fmt.Sprintf("and %s more", plural.Of(len(faulty)-most, "file", "files")))
			break
		}
		a.notice(fmt.Sprintf("%s cannot be read: %s", cell(f.File), cell(strings.Join(f.Faults, "; "))))
	}
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/completion"
	"ltm/cmd/internal/terminal"
	"ltm/engine/handoff"
	"ltm/internal/plural"
	"ltm/memory/api"
)

// The names of arguments in messages of the packet commands.
const (
	aPacket     = "the id of a packet"
	aPacketFile = "a file, or - for standard input"
)

func (a *app) packetCommand() *cobra.Command {
	c := &cobra.Command{Use: "packet", Args: onlyCommands}
	ls := &cobra.Command{Use: "ls", Args: noArguments()}
	for _, c := range []*cobra.Command{c, ls} {
		list := a.packetListing(c)
		c.RunE = func(c *cobra.Command, _ []string) error { return list(c.Context(), "") }
	}
	c.AddCommand(ls, a.packetShowCommand(), a.packetSearchCommand(), a.packetChainCommand(),
		a.packetDiffCommand(), a.packetValidateCommand(), a.packetFixCommand(), a.packetSchemaCommand(),
		a.packetDoneCommand(), a.packetKeepCommand(),
		a.packetRemoveCommand())
	return c
}

// desk opens the packets of the project's store.
func (a *app) desk() *handoff.Desk { return handoff.New(a.deskOptions(lockWait)) }

// deskOptions returns what every desk of the program is made with.
func (a *app) deskOptions(wait time.Duration) handoff.Options {
	return a.env().DeskOptions(a.storeAt(a.place()), a.place(), wait)
}

// writingDesk is desk for a command that writes a packet: it also knows who and what for.
func (a *app) writingDesk(ctx context.Context) *handoff.Desk {
	o := a.deskOptions(lockWait)
	o.Author, o.Project = a.git(a.place()).Person(ctx), a.env().WorkName(ctx, a.place())
	return handoff.New(o)
}

// openPackets lists the packets that can be resumed, the newest first: those of this branch, or all if it has none.
func (a *app) openPackets(ctx context.Context) ([]api.PacketEntry, error) {
	branch, _, _ := a.git(a.place()).Head(ctx)
	list, err := a.desk().List(ctx, api.PacketFilter{Open: true, Branch: branch})
	if err == nil && len(list.Packets) == 0 && branch != "" {
		list, err = a.desk().List(ctx, api.PacketFilter{Open: true})
	}
	return list.Packets, err
}

// completePackets offers the ids of packets with their goals, the newest first.
func (a *app) completePackets(before []string, begun string) []string {
	list, err := a.desk().List(context.Background(), api.PacketFilter{})
	if err != nil {
		return nil
	}
	var offers []string
	for _, p := range list.Packets {
		if strings.HasPrefix(p.ID, begun) && cell(p.ID) == p.ID && !strings.ContainsAny(p.ID, " \t") &&
			len(offers) < mostCompleted && !slices.Contains(before, p.ID) {
			offers = append(offers, p.ID+"\t"+cell(p.Goal))
		}
	}
	return offers
}

// completePacketTags offers the tags of packets, the most used first.
func (a *app) completePacketTags(_ []string, begun string) []string {
	list, err := a.desk().List(context.Background(), api.PacketFilter{})
	if err != nil {
		return nil
	}
	counts := map[string]int{}
	for _, p := range list.Packets {
		for _, tag := range p.Tags {
			counts[tag]++
		}
	}
	tags := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	return fixed(tags[:min(len(tags), mostCompleted)]...)(nil, begun)
}

// completePacketFiles offers ids of packets, and lets the shell add files.
func (a *app) completePacketFiles(c *cobra.Command, before []string, begun string) ([]string,
	cobra.ShellCompDirective) {
	if a.enter() != nil || a.setScope(c) != nil || len(before) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completion.Offered(a.completePackets(before, begun)), cobra.ShellCompDirectiveDefault
}

// isFile reports whether an argument names a file and not an id: there is a file of this name, or it
// has a separator or an extension of JSON and is not the whole id of a packet in the store.
func (a *app) isFile(ctx context.Context, given string) bool {
	if given == fromInput {
		return true
	}
	if info, err := os.Stat(given); err == nil {
		return !info.IsDir() || strings.ContainsAny(given, `/\`)
	}
	if !strings.ContainsAny(given, `/\`) && !strings.HasSuffix(strings.ToLower(given), ".json") {
		return false
	}
	detail, err := a.desk().Show(ctx, given)
	return err != nil || detail.Packet.ID != given
}

// packetFlags are the flags of a command that lists packets.
type packetFlags struct {
	filter api.PacketFilter
	since  string
	all    bool
	limit  int
}

// packetListing adds the flags of a list to a command, and returns what lists the packets that have a text.
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
	l.addHost(c, "list those on the server that you are signed in to")
	c.Flags().StringVarP(&l.team, "team", "t", "", "with --remote: those of this `TEAM`")
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

func (a *app) packetSearchCommand() *cobra.Command {
	c := &cobra.Command{Use: "search WORDS...", Args: arguments(anyNumber, "words to look for")}
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

func packetState(p api.PacketEntry) string {
	switch {
	case p.Done:
		return "done"
	case p.Continued:
		return "continued"
	case p.Draft:
		return "draft"
	}
	return "open"
}

// packetAuthor returns who wrote a packet.
func packetAuthor(p api.PacketEntry) string {
	parts := slices.DeleteFunc([]string{cell(p.Author), cell(p.Model)}, func(s string) bool { return s == "" })
	who := strings.Join(parts, " with ")
	if p.Drafted {
		return strings.TrimSpace(who + " (drafted)")
	}
	return who
}

// printPackets prints a list of packets, and what of the store could not be read.
func (a *app) printPackets(list api.PacketList) error {
	if len(list.Packets) == 0 {
		fmt.Fprintln(a.stderr, "no packets")
	}
	s := a.screen()
	rows := each(list.Packets, func(p api.PacketEntry) []string {
		return []string{cell(p.ID), packetState(p), when(s, p.CreatedAt), field(p.Branch), field(packetAuthor(p)),
			cell(p.Goal)}
	})
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

// packetChain is a packet with those that it continues and those that continue it.
type packetChain struct {
	ID      string            `json:"id"`
	Packets []api.PacketEntry `json:"packets"`           // the oldest first
	Missing string            `json:"missing,omitempty"` // what the first continues, if it is not here
	Cycle   []string          `json:"cycle,omitempty"`   // packets that continue each other in a circle
	Cut     bool              `json:"cut,omitempty"`     // the chain goes on before the first
}

func (a *app) packetChainCommand() *cobra.Command {
	c := &cobra.Command{Use: "chain ID", Args: arguments(1, aPacket)}
	c.RunE = func(c *cobra.Command, given []string) error {
		desk := a.desk()
		d, err := desk.Show(c.Context(), given[0])
		if err != nil {
			return err
		}
		chain, entries, err := desk.Chain(c.Context(), d.Packet.ID)
		if err != nil {
			return err
		}
		r := packetChain{ID: d.Packet.ID, Packets: entries, Missing: chain.Missing, Cycle: chain.Cycle, Cut: chain.Cut}
		return answer(a, r, nil, a.printChain)
	}
	return c
}

func (a *app) printChain(r packetChain) error {
	s := a.screen()
	rows := each(r.Packets, func(p api.PacketEntry) []string {
		here := "-"
		switch {
		case p.ID == r.ID:
			here = "*"
		case s.Rich:
			here = ""
		}
		return []string{here, cell(p.ID), packetState(p), when(s, p.CreatedAt), field(p.Parent), cell(p.Goal)}
	})
	err := a.rows(s, []terminal.Column{
		{Title: ""}, packetIDColumn(s), {Title: "STATE", Spare: true},
		{Title: "AGE", Right: true, Style: s.Dim}, {Title: "CONTINUES", Style: s.Dim, Spare: true}, {Title: "GOAL"},
	}, rows)
	if err != nil {
		return err
	}
	switch {
	case len(r.Cycle) == 1:
		a.notice(cell(r.Cycle[0]) + " continues itself")
	case len(r.Cycle) > 0:
		a.notice("these continue each other in a circle: " + strings.Join(each(r.Cycle, cell), " "))
	case r.Cut:
		a.notice("the chain is longer, and its beginning is not shown")
	case r.Missing != "":
		a.notice("the first one continues " + cell(r.Missing) + ", which is not here")
	}
	return nil
}

func (a *app) packetDoneCommand() *cobra.Command {
	c := &cobra.Command{Use: "done ID", Args: arguments(1, aPacket)}
	undo := c.Flags().Bool("undo", false, "the work is not done after all")
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.desk().Done(c.Context(), given[0], *undo)
		return answer(a, r, err, a.printPacketReceipt)
	}
	return c
}

func (a *app) packetKeepCommand() *cobra.Command {
	c := &cobra.Command{Use: "keep ID", Args: arguments(1, aPacket)}
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.desk().KeepDraft(c.Context(), given[0])
		return answer(a, r, err, a.printPacketReceipt)
	}
	return c
}

func (a *app) packetRemoveCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "rm ID", Args: arguments(1, aPacket)}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask; without a terminal, required")
	var l remoteListing
	l.addHost(c, "delete it on the server that you are signed in to")
	c.Flags().StringVarP(&l.team, "team", "t", "", "with --remote: the one of this `TEAM`")
	c.RunE = func(c *cobra.Command, given []string) error {
		if l.remote || l.host != "" || l.team != "" {
			return a.removeRemote(c.Context(), &l, given[0], yes)
		}
		d, err := a.desk().Show(c.Context(), given[0])
		switch {
		case err != nil:
			return err
		case d.Packet.ID != given[0]:
			return invalid("give the whole id: "+cell(d.Packet.ID),
				"what cannot be undone does not take the beginning of an id, such as %q", given[0])
		}
		question := fmt.Sprintf("Remove the packet %s (%s)? Git history keeps what was committed.", cell(d.Packet.ID),
			cell(d.Packet.Goal))
		if err := a.agree(yes, question, "this removes the last copy in the store"); err != nil {
			return err
		}
		r, err := a.desk().Remove(c.Context(), given[0])
		return answer(a, r, err, a.printPacketReceipt)
	}
	return c
}

// printPacketReceipt prints what a change of a packet did.
func (a *app) printPacketReceipt(r api.PacketReceipt) error {
	if err := a.println(clean(say(r.Message))); err != nil {
		return err
	}
	for _, note := range r.Notes {
		a.notice(say(note))
	}
	return nil
}

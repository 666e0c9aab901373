package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/completion"
	"ltm/engine/handoff"
	"ltm/memory/api"
)

// The names of arguments in messages of the packet commands.
const (
	aPacket     = "the id of a packet"
	aPacketFile = "a file, or - for standard input"
	twoPackets  = "the id or the file of a packet"
	someWords   = "words to look for"
)

func (a *app) packetCommand() *cobra.Command {
	c := &cobra.Command{Use: "packet", Args: onlyCommands}
	list := a.packetListing(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return list(c.Context(), "") }
	c.AddCommand(a.packetListCommand(), a.packetShowCommand(), a.packetSearchCommand(), a.packetChainCommand(),
		a.packetDiffCommand(), a.packetValidateCommand(), a.packetDoneCommand(), a.packetRemoveCommand())
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

// openPackets lists the packets that can be resumed, the newest first: those of this branch, or all
// if it has none.
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

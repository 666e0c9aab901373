package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

func (a *app) packetDoneCommand() *cobra.Command {
	c := &cobra.Command{Use: "done ID", Args: arguments(1, aPacket)}
	undo := c.Flags().Bool("undo", false, "the work is not done after all")
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.desk().Done(c.Context(), given[0], *undo)
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

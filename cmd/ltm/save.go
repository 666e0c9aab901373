package main

import (
	"context"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

// saveReceipt answers ltm save. Sent is missing if the packet was written but not sent.
type saveReceipt struct {
	Written api.PacketReceipt `json:"written"`
	Sent    *pushReceipt      `json:"sent,omitempty"`
}

func (a *app) saveCommand() *cobra.Command {
	w := &writing{app: a}
	c := &cobra.Command{Use: "save", Args: noArguments()}
	w.add(c)
	f := remoteFlagsOf(c)
	team := teamFlag(c, "send it to this `TEAM`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		var receipt *api.PacketReceipt
		if !w.dryRun {
			if _, err := a.remote(f); err != nil { // before anything is written
				return err
			}
			w.then = func(_ context.Context, r api.PacketReceipt) error {
				receipt = &r
				return nil
			}
		}
		if err := w.run(c.Context()); err != nil || receipt == nil {
			return err
		}
		return a.saved(c.Context(), f, *receipt, *team)
	}
	return c
}

// saved sends what was written, and prints both.
func (a *app) saved(ctx context.Context, f *remoteFlags, r api.PacketReceipt, team string) error {
	if !a.asJSON {
		if err := a.printPacketReceipt(r); err != nil {
			return err
		}
	}
	answer := saveReceipt{Written: r}
	sent, failure := a.push(ctx, f, outgoing{packet: r.Packet, stored: true}, team)
	if failure == nil {
		answer.Sent = &sent
	}
	switch {
	case a.asJSON:
		if err := a.printJSON(answer); err != nil {
			return err
		}
	case failure == nil:
		return a.printPush(sent)
	}
	return failure
}

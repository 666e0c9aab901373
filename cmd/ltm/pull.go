package main

import (
	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	packets "ltm/packet/client"
	"ltm/text/safe"
)

func (a *app) pullCommand() *cobra.Command {
	c := &cobra.Command{Use: "pull ID", Args: arguments(1, aPacket)}
	f := remoteFlagsOf(c)
	toStdout := c.Flags().Bool("stdout", false, "print it instead of keeping it")
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.asking(f, func(client *packets.Client, _ remote) error {
			got, err := client.Pull(c.Context(), given[0])
			if err != nil {
				return err
			}
			data, err := got.Packet.Canonical()
			if err != nil {
				return err
			}
			if *toStdout {
				data = append(data, '\n')
				if terminal.Is(a.stdout) {
					data = safe.JSON(data)
				}
				_, err := a.stdout.Write(data)
				return err
			}
			first, place := !a.storeAt(a.place()).Exists(), a.place()
			receipt, err := a.desk().Keep(c.Context(), data)
			if first && err == nil {
				a.tellStore(place)
			}
			return answer(a, receipt, err, a.printPacketReceipt)
		})
	}
	return c
}

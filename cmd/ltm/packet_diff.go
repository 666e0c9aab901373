package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/packet"
)

// packetDiff is how two packets differ.
type packetDiff struct {
	From    string         `json:"from"` // ids
	To      string         `json:"to"`
	Changes []packetChange `json:"changes"`
}

// packetChange is one difference.
type packetChange struct {
	Path string `json:"path"` // a JSON pointer: into the new packet, or the old one for what was removed
	Kind string `json:"kind"` // added, removed, changed or moved
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
}

func (a *app) packetDiffCommand() *cobra.Command {
	c := &cobra.Command{Use: "diff FROM TO", Args: arguments(2, twoPackets, twoPackets)}
	c.ValidArgsFunction = a.completePacketFiles
	c.RunE = func(c *cobra.Command, given []string) error {
		if given[0] == fromInput && given[1] == fromInput {
			return invalid("give it once", `"-" reads standard input, which can be read once`)
		}
		from, err := a.anyPacket(c.Context(), given[0])
		if err != nil {
			return err
		}
		to, err := a.anyPacket(c.Context(), given[1])
		if err != nil {
			return err
		}
		d := packetDiff{From: from.ID, To: to.ID, Changes: []packetChange{}}
		for _, change := range packet.Diff(&from, &to) {
			d.Changes = append(d.Changes, packetChange{change.Path, string(change.Kind), change.Old, change.New})
		}
		return answer(a, d, nil, a.printPacketDiff)
	}
	return c
}

// anyPacket returns a packet of the store or of a file.
func (a *app) anyPacket(ctx context.Context, given string) (packet.Packet, error) {
	if !a.isFile(ctx, given) {
		d, err := a.desk().Show(ctx, given)
		return d.Packet, err
	}
	data, err := a.readPacketFile(given)
	if err != nil {
		return packet.Packet{}, err
	}
	p, err := packet.ParseStored(data)
	if err != nil {
		return p, faultsError(cell(given), packetFaults(&p, err), nil)
	}
	return p, nil
}

func (a *app) printPacketDiff(d packetDiff) error {
	if len(d.Changes) == 0 {
		fmt.Fprintln(a.stderr, "no difference")
		return nil
	}
	s := a.screen()
	rows := make([][]string, 0, len(d.Changes))
	var lines []string
	for _, c := range d.Changes {
		rows = append(rows, []string{c.Kind, cell(c.Path), field(c.Old), field(c.New)})
		lines = append(lines, s.Bold(cell(c.Path))+" "+s.Dim(c.Kind))
		lines = append(append(lines, sided(s, "-", c.Old)...), sided(s, "+", c.New)...)
	}
	if !s.Rich {
		return a.tabs(rows)
	}
	return a.println(lines...)
}

// sided returns the lines of a value behind a sign.
func sided(s terminal.Screen, sign, value string) []string {
	if value == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(clean(value), "\n") {
		wrapped := terminal.Wrap(line, max(terminal.MinWidth, s.Width-2))
		if len(wrapped) == 0 {
			wrapped = []string{""}
		}
		for _, line := range wrapped {
			lines = append(lines, sign+" "+line)
		}
	}
	return s.Signed(lines)
}

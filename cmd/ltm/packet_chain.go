package main

import (
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
)

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
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(r.Packets))
	for _, p := range r.Packets {
		when, here := p.CreatedAt.UTC().Format(time.RFC3339), "-"
		if s.Rich {
			when, here = age(now, p.CreatedAt), ""
		}
		if p.ID == r.ID {
			here = "*"
		}
		rows = append(rows, []string{here, cell(p.ID), packetState(p), when, field(p.Parent), cell(p.Goal)})
	}
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
		text := "these continue each other in a circle:"
		for _, id := range r.Cycle {
			text += " " + cell(id)
		}
		a.notice(text)
	case r.Cut:
		a.notice("the chain is longer, and its beginning is not shown")
	case r.Missing != "":
		a.notice("the first one continues " + cell(r.Missing) + ", which is not here")
	}
	return nil
}

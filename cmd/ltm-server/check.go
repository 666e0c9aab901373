package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/packet"
)

// checkReport is what check found, for programs.
type checkReport struct {
	Packets  int           `json:"packets"`
	Problems []string      `json:"problems"`
	Models   []modelReport `json:"models,omitempty"`
}

// checkCommand reads the whole database.
func (a *app) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check",
		Short: "Check the database and the form of every packet",
		Long: "Check the database and the form of every packet, while the server runs. Nothing is changed. The exit " +
			"status is 1 if there is a problem.\n\n" +
			"With --models, each model that is configured is asked a short question.",
		Example: "  ltm-server check\n  ltm-server check --models --json",
		Args:    arguments(0),
	}
	a.options.models.register(c.Flags())
	ask := c.Flags().Bool("models", false, "ask the models, too, which costs a few tokens")
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		problems, err := s.Check(ctx)
		if err != nil {
			return failed("cannot check the database", err)
		}
		report := checkReport{Problems: append([]string{}, problems...)}
		if err := report.readAll(ctx, s); err != nil {
			return failed("cannot read all packets", err)
		}
		if *ask {
			report.askModels(ctx, a.options.models)
		}
		if *asJSON {
			err = a.printJSON(report)
		} else {
			err = a.println(report.lines()...)
		}
		if err == nil && len(report.Problems) > 0 {
			err = errQuiet
		}
		return err
	})
	return c
}

func (r *checkReport) lines() []string {
	var all []string
	for _, m := range r.Models {
		all = append(all, lines(nobody(), nil, [][]string{{m.line()}})...)
	}
	if len(r.Problems) == 0 {
		return append(all, plural.Of(r.Packets, "packet", "packets")+", no problems")
	}
	for _, problem := range r.Problems {
		all = append(all, lines(nobody(), nil, [][]string{{problem}})...)
	}
	return all
}

// readAll checks the form of every packet. It reads them as a backup has them.
func (r *checkReport) readAll(ctx context.Context, s database) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	dumped := make(chan error, 1)
	go func() {
		err := s.Dump(ctx, to)
		dumped <- errors.Join(err, to.CloseWithError(err))
	}()
	err := r.read(bufio.NewReader(from))
	_ = from.CloseWithError(io.ErrClosedPipe) // a dump that goes on ends
	if ended := <-dumped; err == nil {
		err = ended
	}
	return err
}

func (r *checkReport) read(in *bufio.Reader) error {
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var entry struct {
			Packet *struct {
				ID, Body dumped
				Deleted  *int64
			}
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return err
		}
		if entry.Packet == nil || entry.Packet.Deleted != nil {
			continue
		}
		r.Packets++
		p, err := packet.ParseStored(bytes.Clone(entry.Packet.Body))
		switch {
		case err != nil:
			r.Problems = append(r.Problems, fmt.Sprintf("packet %q: %v", entry.Packet.ID, err))
		case p.ID != string(entry.Packet.ID):
			r.Problems = append(r.Problems, fmt.Sprintf("packet %q says that it is %q", entry.Packet.ID, p.ID))
		}
	}
}

// dumped is a text of a backup: a string, or what is not UTF-8 in base64.
type dumped []byte

// UnmarshalJSON implements json.Unmarshaler.
func (d *dumped) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*d = dumped(text)
		return nil
	}
	var coded struct{ Base64 string }
	if err := json.Unmarshal(data, &coded); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(coded.Base64)
	*d = raw
	return err
}

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/packet"
	"ltm/server/provider"
	"ltm/server/threads"
)

// checkReport is what check found, for programs.
type checkReport struct {
	Packets  int           `json:"packets"`
	Problems []string      `json:"problems"`
	Models   []modelReport `json:"models,omitempty"`
}

// checkCommand reads the whole database.
func (a *app) checkCommand() *cobra.Command {
	c := &cobra.Command{Use: "check", Args: arguments(0)}
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
	return cmp.Or(err, <-dumped)
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

// modelReport is what a model answered to a short question.
type modelReport struct {
	Purpose string `json:"purpose"`
	Model   string `json:"model"`
	URL     string `json:"url"`
	Answer  string `json:"answer,omitempty"` // what it is, not what it says
	Error   string `json:"error,omitempty"`
	Millis  int64  `json:"milliseconds"`
}

func (m modelReport) line() string {
	said := m.Answer
	if m.Error != "" {
		said = "problem: " + m.Error
	}
	return fmt.Sprintf("%s: %s at %s: %s (%d ms)", m.Purpose, m.Model, m.URL, said, m.Millis)
}

// askModels asks each model that is configured as the server would, and takes what fails for a problem.
func (r *checkReport) askModels(ctx context.Context, o modelOptions) {
	meter := provider.NewMeter(func(string) int64 { return provider.Unlimited }, nil, time.Now())
	made, err := o.models(time.Now, meter)
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
		return
	}
	for _, p := range o.purposes() {
		if p.url == "" {
			continue
		}
		began := time.Now()
		answer, err := askModel(ctx, p.name, made)
		report := modelReport{Purpose: p.name, Model: p.model, URL: p.url, Answer: answer}
		report.Millis = time.Since(began).Milliseconds()
		if err != nil {
			report.Answer, report.Error = "", err.Error()
			r.Problems = append(r.Problems, fmt.Sprintf("the model for %s: %v", p.name, err))
		}
		r.Models = append(r.Models, report)
	}
}

// askModel asks a model for one purpose, and returns what its answer is.
func askModel(ctx context.Context, purpose string, m threads.Models) (string, error) {
	const app, text = "check", "My name is Robin, and I live in Porto."
	switch purpose {
	case "embeddings":
		v, err := m.Embeddings.Embed(ctx, app, []string{text})
		if err != nil {
			return "", err
		}
		found, of, err := provider.Knows(ctx, m.Embeddings.Embed, app)
		answer := fmt.Sprintf("a vector of %d numbers, and %d of %d answers found", v[0].Dimension, found, of)
		if found < provider.EnoughKnown {
			answer += "; a useful model for English finds " + strconv.Itoa(provider.EnoughKnown)
		}
		return answer, err
	case "summaries":
		_, err := m.Summaries.Summarize(ctx, app, "", []provider.Turn{{User: true, Text: text}})
		return "a summary", err
	case "extraction":
		x, err := m.Extraction.Extract(ctx, app, []provider.Event{{ID: "1", User: true, Text: text}},
			nil, []string{"PROFILE", "PREFERENCES"})
		return plural.Of(len(x.Claims), "claim", "claims"), err
	}
	_, err := m.Chat.Chat(ctx, app, provider.Chat{Messages: []provider.Turn{{User: true, Text: text}}, MaxTokens: 64})
	return "a reply", err
}

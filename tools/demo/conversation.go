package main

import (
	"context"
	_ "embed" // for turns
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation/client"
)

// converse plays a chat application over a server, without any model: a conversation of forty turns, what the server
// made of it, and what a model would be given weeks later.
func (d *demo) converse() {
	d.compact = true
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	d.title("An application with a memory, and no model")
	db := filepath.Join(filepath.Dir(d.project), "applications", "ltm.db")
	d.output(d.command(d.binary, "server", "init", "--db", db))
	d.output(d.command(d.binary, "server", "app", "create", "notes", "--db", db))
	key := strings.TrimSpace(d.output(d.command(d.binary, "server", "key", "issue", "--app", "notes", "--name", "demo",
		"--db", db)))
	d.say("$ ltm server app create notes\n$ ltm server key issue --app notes --name demo > key")
	url, stop := d.serve(db)
	defer stop()
	if d.err != nil {
		return
	}
	memory, err := client.New(client.Options{URL: url, Key: key})
	if err != nil {
		d.fail(err)
		return
	}
	thread, err := memory.CreateThread(ctx, client.NewThread{User: "ann", Title: "Moving"})
	d.fail(err)
	events := forty()
	rows, err := memory.AddEvents(ctx, thread, events)
	d.fail(err)
	for _, row := range rows {
		d.expect(row.New, "each event was added: "+row.Error)
	}
	d.say("%d messages of one conversation were added in one request.", len(rows))
	if d.err == nil {
		d.showMemory(ctx, memory, thread, rows[len(rows)-1].ID)
	}
}

// showMemory shows what became of the conversation.
func (d *demo) showMemory(ctx context.Context, memory *client.Client, thread, last string) {
	d.fail(settled(ctx, memory, thread, last))
	d.title("Its summary: sentences of the conversation")
	summary, err := memory.Summary(ctx, thread)
	d.fail(err)
	d.show(summary)
	d.expect(strings.Count(strings.TrimSpace(summary), "\n") < 8 && summary != "", "the summary has up to eight lines")

	d.title("What it takes for claims, until one is confirmed")
	suggested, _, err := memory.Claims(ctx, client.ClaimQuery{User: "ann", States: []string{"suggested"}})
	d.fail(err)
	var rome *client.Claim
	var lines []string
	for i, c := range suggested {
		lines = append(lines, c.Bucket+": "+c.Text)
		if strings.Contains(c.Text, "Rome") {
			rome = &suggested[i]
		}
	}
	d.show(strings.Join(lines, "\n"))
	d.expect(rome != nil, "it suggests where Ann lives")
	if d.err != nil {
		return
	}
	_, _, err = memory.ChangeClaim(ctx, rome.ID, client.Confirm, client.Change{User: "ann"})
	d.fail(err)
	_, _, err = memory.ChangeClaim(ctx, rome.ID, client.Correct, client.Change{User: "ann", Text: "I live in Turin"})
	d.fail(err)
	d.say("Ann's home is confirmed, and corrected when she has moved.")

	d.title("Weeks later, in another conversation: what a model is given")
	for _, question := range []string{"what is the cat called?", "which city is home?"} {
		found, err := memory.Retrieve(ctx, client.Question{User: "ann", Query: question, Budget: 250})
		d.fail(err)
		d.say("? %s (%d tokens)", question, found.Tokens)
		d.show(found.Memory)
		d.expect(!strings.Contains(found.Memory, "live in Rome"), "what is no longer true is in no context")
		want := "Socks"
		if strings.Contains(question, "home") {
			want = "Turin"
		}
		d.expect(strings.Contains(found.Memory, want), "the context has "+want)
	}
	d.say("Every step showed what it should.")
}

// settled waits until the effects of an event have ended.
func settled(ctx context.Context, memory *client.Client, thread, event string) error {
	for {
		effects, err := memory.Effects(ctx, thread, event)
		if err != nil {
			return err
		}
		pending := false
		for _, e := range effects {
			pending = pending || e.State == "pending"
		}
		if !pending && len(effects) > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("the effects did not end")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// turns has what the person and the assistant say in turn, a line each.
//
//go:embed turns.txt
var turns string

// forty returns the messages of forty turns.
func forty() []client.NewEvent {
	var events []client.NewEvent
	at := time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)
	for i, said := range slices.Collect(strings.Lines(turns)) {
		actor := "assistant"
		if i%2 == 0 {
			actor, at = "user", at.Add(time.Duration(i%10/2+1)*time.Minute)
		}
		events = append(events, client.NewEvent{Actor: actor, Content: strings.TrimSpace(said),
			OccurredAt: at.Add(time.Duration(i%2) * 20 * time.Second)})
	}
	return events
}

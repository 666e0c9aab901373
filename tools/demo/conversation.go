package main

import (
	"context"
	"errors"
	"path/filepath"
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
	d.expect(strings.Count(strings.TrimSpace(summary), "\n") < 7 && summary != "", "the summary has up to seven lines")

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

// forty returns the messages of forty turns.
func forty() []client.NewEvent {
	var events []client.NewEvent
	at := time.Date(2026, 3, 2, 18, 0, 0, 0, time.UTC)
	for i, said := range [][2]string{
		{"My name is Ann.", "Pleased to meet you, Ann."},
		{"I live in Rome.", "A lovely city to live in."},
		{"I am planning to move this spring, and I need to sort out a lot of things.", "Let us make a list then."},
		{"First the lease: it ends on the last day of May.", "I have put the end of May down for the lease."},
		{"The landlord wants the keys back in the morning.", "Then the flat should be empty the evening before."},
		{"My cat is called Socks and hates every kind of box.", "A carrier with a blanket may be easier for Socks."},
		{"Can cats travel by train?", "In a carrier, yes, and without a ticket on most trains."},
		{"I am allergic to nuts, so no snacks from the station.", "No nuts. I will keep that in mind."},
		{"We should book the van before the fair week.", "Vans are scarce then, so the sooner the better."},
		{"The van costs 180 a day with a driver.", "For one day that is less than two trips of your own."},
		{"I decided to take the van for the 30th of May.", "The van is for the 30th, a day before the keys are due."},
		{"Books go into small boxes, everything else into large ones.",
			"Small boxes keep books light enough to carry."},
		{"I have about three hundred books.", "That is about fifteen small boxes."},
		{"Who could carry the piano?", "Movers with straps; two people are not enough."},
		{"The piano stays with my sister until autumn.", "So the piano is not in the van."},
		{"My sister lives two streets from here.", "Then it can go there on a dolly."},
		{"I prefer to pack in the evening.", "Evenings it is."},
		{"What is a good order for packing?", "What you use least goes first: books, then winter clothes."},
		{"The winter clothes are in bags already.", "Good, those are done."},
		{"The kitchen has to stay usable until the last day.", "Keep one pan, two plates and a kettle out."},
		{"I work as a translator and need my desk every day.",
			"The desk should be the last thing in and the first out."},
		{"The internet contract has to be moved as well.", "Providers want four weeks for that."},
		{"So I must call them before the end of April.", "Before the end of April, for the contract."},
		{"They said that a technician comes on the 2nd of June.", "Two days without a line."},
		{"I will use my phone for those two days.", "Check how much data it has left."},
		{"The new flat has a balcony for tomatoes.", "It should face south or west for them."},
		{"It faces west.", "That will do."},
		{"The deposit is two rents.", "Ask for a receipt with the account that it lies on."},
		{"I want to learn how to fix the old bicycle before that.", "Begin with the brakes; they matter most."},
		{"Its chain is worn out.", "A new chain and perhaps a new cassette."},
		{"ok", "Tell me when you go on."},
		{"The post office forwards letters for half a year.", "Order that two weeks ahead."},
		{"I ordered the forwarding from the 1st of June.", "So letters find you from then on."},
		{"The old curtains do not fit the new windows.", "Measure the windows when you get the keys."},
		{"The windows are 140 wide and 210 high.", "I have 140 by 210 for the windows."},
		{"Keep your answers short, please.", "I will."},
		{"The neighbours get a card with my new address.", "A nice idea."},
		{"Socks has to see the vet before the journey.", "A week before is early enough."},
		{"The vet has time on the 22nd of May.", "The 22nd, for Socks."},
		{"That is all for today.", "Good luck with the boxes."},
	} {
		at = at.Add(time.Duration(i%5+1) * time.Minute)
		events = append(events, client.NewEvent{Actor: "user", Content: said[0], OccurredAt: at},
			client.NewEvent{Actor: "assistant", Content: said[1], OccurredAt: at.Add(20 * time.Second)})
	}
	return events
}

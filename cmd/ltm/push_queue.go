package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/packet"
	packets "ltm/packet/client"
)

// queueReport answers ltm push --queued and --drop.
type queueReport struct {
	Packets []queueEntry `json:"packets"`
}

// queueEntry is a packet that waits, or did.
type queueEntry struct {
	Action string `json:"action"` // "sent", "waits", "refused" or "dropped"
	ID     string `json:"id"`
	Host   string `json:"host"`
	Team   string `json:"team,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// The outcomes for a queued packet.
const (
	queueSent    = "sent"
	queueWaits   = "waits"
	queueRefused = "refused"
	queueDropped = "dropped"
)

// pushQueued sends the queued packets. Permanently refused ones are named, and not sent again.
func (a *app) pushQueued(ctx context.Context, f *remoteFlags) error {
	list, err := a.queue().List()
	if err != nil {
		return err
	}
	if _, err := a.credentials().List(); err != nil { // even if a project interferes
		return err
	}
	sending := queueRun{app: a, flags: f, down: map[string]error{}}
	defer sending.close()
	report := queueReport{[]queueEntry{}}
	left := 0
	for _, w := range list {
		if f.host != "" && w.Err == nil && !sameHost(f.host, w.Host) {
			continue
		}
		entry, err := sending.send(ctx, w)
		if err != nil {
			return err
		}
		if entry.Action != queueSent {
			left++
		}
		report.Packets = append(report.Packets, entry)
	}
	if err := answer(a, report, nil, a.printQueue); err != nil || left == 0 {
		return err
	}
	return memory.NewError(memory.CodeRemote, memory.KindPacketUnsent, "", "%s not sent",
		plural.Of(left, "packet was", "packets were"))
}

func sameHost(given, host string) bool {
	h, err := packets.ParseHost(given)
	return err == nil && h.String() == host
}

func (a *app) printQueue(report queueReport) error {
	if len(report.Packets) == 0 {
		_, err := fmt.Fprintln(a.stderr, "no packets wait")
		return err
	}
	return a.reasons(rowsOf(report.Packets, func(e queueEntry) []string {
		return []string{e.Action, field(e.ID), field(e.Host), field(e.Team), field(e.Reason)}
	}))
}

// queueRun is one run of ltm push --queued.
type queueRun struct {
	app     *app
	flags   *remoteFlags
	clients map[string]*packets.Client
	down    map[string]error // servers that are not asked again
}

func (q *queueRun) close() {
	for _, c := range q.clients {
		c.Close()
	}
}

// client returns a client for a server with its own token.
func (q *queueRun) client(host string) (*packets.Client, error) {
	if c := q.clients[host]; c != nil {
		return c, nil
	}
	h, err := packets.ParseHost(host)
	if err != nil {
		return nil, err
	}
	r, err := q.app.remoteAt(h)
	if err != nil {
		return nil, err
	}
	c, err := q.app.clientOf(r, q.flags)
	if err != nil {
		return nil, err
	}
	if q.clients == nil {
		q.clients = map[string]*packets.Client{}
	}
	q.clients[host] = c
	return c, nil
}

// send sends one packet. The error ends the run.
func (q *queueRun) send(ctx context.Context, w packets.Waiting) (queueEntry, error) {
	entry := queueEntry{ID: w.ID, Host: w.Host, Team: w.Team, Action: queueWaits}
	waits := func(err error) queueEntry {
		entry.Reason = nextSteps().Tell(err, 0)
		return entry
	}
	switch {
	case w.Err != nil:
		return waits(w.Err), nil
	case w.Refused != "":
		entry.Action, entry.Reason = queueRefused, w.Refused
		return entry, nil
	case w.Sending:
		entry.Reason = "another process sends it"
		return entry, nil
	case q.down[w.Host] != nil:
		return waits(q.down[w.Host]), nil
	}
	p, err := q.packet(ctx, w)
	if err != nil {
		return waits(err), nil
	}
	c, err := q.client(w.Host)
	if err != nil {
		return waits(err), nil
	}
	taken, ok, err := q.app.queue().Take(w)
	if err != nil {
		return entry, err
	}
	if !ok {
		entry.Reason = "another process sends it"
		return entry, nil
	}
	_, err = c.Push(ctx, packets.Push{Packet: p, Team: w.Team})
	switch {
	case err == nil:
		entry.Action = queueSent
		q.app.noteSent(ctx, &p, w.Host, w.Team)
		return entry, taken.Sent()
	case packets.IsFinal(err):
		text, _ := nextSteps().Split(err, 0)
		entry.Action, entry.Reason = queueRefused, clean(text)
		return entry, taken.Refuse(entry.Reason)
	}
	q.down[w.Host] = err
	return waits(err), errors.Join(taken.Return(), interrupted(err))
}

// interrupted returns an error that ends the program, and nil for others.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return nil
}

// packet returns a waiting packet: the store's unless it was in none.
func (q *queueRun) packet(ctx context.Context, w packets.Waiting) (packet.Packet, error) {
	if w.Packet != nil {
		p, err := packet.Parse(w.Packet)
		if err == nil && p.ID != w.ID {
			err = errors.New("what waits is another packet")
		}
		return p, err
	}
	detail, err := q.app.desk().Show(ctx, w.ID)
	if err == nil && detail.Packet.ID != w.ID {
		err = fs.ErrNotExist
	}
	if err != nil {
		return packet.Packet{}, memory.NewError(memory.CodeNotFound, memory.KindPacketUnknown, w.ID,
			"the store has no packet %s now, perhaps because another branch is checked out", memory.Quote(w.ID, 64))
	}
	return detail.Packet, nil
}

// dropQueued takes a packet out of what waits.
func (a *app) dropQueued(id string) error {
	n, err := a.queue().Remove(id, "", "")
	if err != nil {
		return err
	}
	if n == 0 {
		return notFound(`"ltm status" names those that wait`, "no packet %s waits", memory.Quote(id, 64))
	}
	dropped := queueReport{[]queueEntry{{Action: queueDropped, ID: id}}}
	return answer(a, dropped, nil, func(queueReport) error {
		return a.println("packet " + cell(id) + " no longer waits")
	})
}

// waiting names the packets that wait, for ltm status.
func (a *app) waiting() []packets.Waiting {
	list, err := a.queue().List()
	if err != nil {
		a.notice("cannot tell which packets wait: " + err.Error())
	}
	return list
}

// maxNamed is how many packets a line names.
const maxNamed = 5

// waitingLines describes the packets that wait, and those that a server refused.
func waitingLines(list []packets.Waiting) []string {
	groups := map[bool][]string{}
	for _, w := range list {
		text := cell(w.ID) + " for " + cell(w.Host)
		if w.Team != "" {
			text += ", team " + cell(w.Team)
		}
		if w.Err != nil {
			text = cell(w.Err.Error())
		}
		if w.Refused != "" {
			text += " (" + cell(w.Refused) + ")"
		}
		groups[w.Refused != ""] = append(groups[w.Refused != ""], text)
	}
	named := func(title, next string, texts []string) []string {
		if len(texts) == 0 {
			return nil
		}
		shown := strings.Join(texts[:min(maxNamed, len(texts))], "; ")
		if len(texts) > maxNamed {
			shown += fmt.Sprintf("; and %d more", len(texts)-maxNamed)
		}
		return []string{fmt.Sprintf("%-13s  %d: %s (%s)", title, len(texts), shown, next)}
	}
	return append(named("not sent yet", "ltm push --queued", groups[false]),
		named("refused", "ltm push ID tries again, ltm push --drop ID takes it out", groups[true])...)
}

// completeWaiting offers the ids of packets that wait.
func (a *app) completeWaiting(_ []string, begun string) []string {
	list, err := a.queue().List()
	if err != nil {
		return nil
	}
	var ids []string
	for _, w := range list {
		if w.Err == nil && cell(w.ID) == w.ID && !strings.ContainsAny(w.ID, " \t") {
			ids = append(ids, w.ID)
		}
	}
	return fixed(ids...)(nil, begun)
}

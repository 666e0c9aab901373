package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
	packets "ltm/packet/client"
	"ltm/text/safe"
)

// remoteList is the answer of ltm packet ls --remote.
type remoteList struct {
	Host    string          `json:"host"`
	Team    string          `json:"team,omitempty"`
	Packets []packets.Entry `json:"packets"`
	More    bool            `json:"more,omitempty"` // the server has more than the limit
}

// remoteListing are the flags that make a list of packets be about a server.
type remoteListing struct {
	remoteFlags
	remote bool
	team   string
}

// addHost adds the flags without that of a team.
func (l *remoteListing) addHost(c *cobra.Command, remote string) {
	c.Flags().BoolVar(&l.remote, "remote", false, remote)
	c.Flags().StringVar(&l.host, "host", "", "with --remote: the server's `URL`, instead of LTM_HOST or the default")
	insecureFlag(c, &l.remoteFlags)
}

// check refuses flags that do not go together.
func (l *remoteListing) check(f *packetFlags) error {
	switch {
	case !l.remote && (l.team != "" || l.host != ""):
		return invalid("add --remote", "--team and --host are for lists of a server")
	case l.remote && (f.filter.Branch != "" || f.all):
		return invalid("leave them out", "a server knows nothing of branches and of what is done")
	}
	return nil
}

// removeRemote deletes a packet on a server, after confirmation.
func (a *app) removeRemote(ctx context.Context, l *remoteListing, id string, yes bool) error {
	if !l.remote {
		return invalid("add --remote", "--host and --team are for a packet on a server")
	}
	return a.asking(&l.remoteFlags, func(c *packets.Client, r remote) error {
		found, err := meant(ctx, c, r.host, id, l.team)
		if err != nil {
			return err
		}
		where := r.host.String()
		if l.team != "" {
			where += ", team " + l.team
		}
		question := fmt.Sprintf("Delete the packet %s (%s) on %s?", cell(id), cell(found.Goal), cell(where))
		if err := a.agree(yes, question, "others can no longer get a packet that is deleted on a server"); err != nil {
			return err
		}
		if err := c.Delete(ctx, id, found.Version); err != nil {
			return err
		}
		return answer(a, pushReceipt{Success: true, ID: id, Host: r.host.String(), Team: l.team,
			Message: memory.Say(fmt.Sprintf("deleted packet %s on %s", id, where))}, nil, a.printPush)
	})
}

// meant returns the packet of the person, or of a team, that a server deletes for an id. A server takes the person's
// own first, and then one of their teams', so that the same request means another packet the second time.
func meant(ctx context.Context, c *packets.Client, host packets.Host, id, team string) (packets.Entry, error) {
	own, isOwn, err := amongListed(ctx, c, id, "")
	switch {
	case err != nil:
		return own, err
	case isOwn && team != "":
		return own, invalid("delete that one first, without --team",
			"%s has a packet %s of yours too, and would delete it instead", host, memory.Quote(id, mostListedID))
	case isOwn:
		return own, nil
	}
	whose := "of yours"
	if team != "" {
		its, isTeams, err := amongListed(ctx, c, id, team)
		if err != nil || isTeams {
			return its, err
		}
		whose = "of team " + team
	}
	return own, memory.NewError(memory.CodeNotFound, memory.KindRemoteUnknown, id, "%s has no packet %s %s",
		host, memory.Quote(id, mostListedID), whose)
}

// mostListedID is how many characters of an id an error shows.
const mostListedID = 200

// amongListed finds a packet by its id among those of a team, or among the person's own.
func amongListed(ctx context.Context, c *packets.Client, id, team string) (packets.Entry, bool, error) {
	page, err := c.ListAll(ctx, packets.Query{Team: team, Detail: true}, 0)
	if i := slices.IndexFunc(page.Packets, func(e packets.Entry) bool { return e.ID == id }); err == nil && i >= 0 {
		return page.Packets[i], true, nil
	}
	return packets.Entry{}, false, err
}

// listRemote lists the packets on a server, the newest first.
func (a *app) listRemote(ctx context.Context, l *remoteListing, f packetFlags) error {
	q := packets.Query{Team: l.team, Tag: f.filter.Tag, Project: f.filter.Project, Parent: f.filter.Parent,
		Text: f.filter.Text, Detail: true}
	if err := checkRange("--limit", f.limit, 0, 100000); err != nil {
		return err
	}
	if f.since != "" {
		var err error
		if q.Since, err = sinceWhen(time.Now(), f.since); err != nil {
			return err
		}
	}
	return a.asking(&l.remoteFlags, func(c *packets.Client, r remote) error {
		page, err := c.ListAll(ctx, q, f.limit)
		if err != nil {
			return err
		}
		if err := filtered(r.host, q, &page); err != nil {
			return err
		}
		shown := remoteList{r.host.String(), l.team, append([]packets.Entry{}, page.Packets...), page.Next != ""}
		return answer(a, shown, nil, a.printRemote)
	})
}

// filtered checks that a server obeyed the filters, which the reference implementation ignores. What
// can be filtered here is.
func filtered(host packets.Host, q packets.Query, page *packets.Page) error {
	if !q.Since.IsZero() {
		page.Packets = slices.DeleteFunc(page.Packets,
			func(e packets.Entry) bool { return e.CreatedAt.Before(q.Since.Truncate(time.Second)) })
	}
	for _, e := range page.Packets {
		for name, ignored := range map[string]bool{
			"tag":     q.Tag != "" && !slices.Contains(e.Tags, q.Tag),
			"project": q.Project != "" && e.Project != q.Project,
			"parent":  q.Parent != "" && e.Parent != q.Parent,
			"text":    q.Text != "" && e.Author == "" && e.Version == "", // it tells nothing of what it filters by
		} {
			if ignored {
				return memory.NewError(memory.CodeRemote, memory.KindRemoteUnsupported, host.String(),
					"%s does not filter by %s", host, name)
			}
		}
	}
	return nil
}

func (a *app) printRemote(list remoteList) error {
	if len(list.Packets) == 0 {
		fmt.Fprintf(a.stderr, "no packets on %s\n", list.Host)
		return nil
	}
	rows := each(list.Packets, func(e packets.Entry) []string {
		return []string{field(e.ID), when(a.screen(), e.CreatedAt), field(e.Project), field(e.Author),
			field(strings.Join(e.Tags, ",")), field(e.Goal)}
	})
	if err := a.table("ID|CREATED|PROJECT|AUTHOR|TAGS|GOAL", rows); err != nil {
		return err
	}
	if list.More {
		fmt.Fprintln(a.stderr, "there are more; --limit shows them")
	}
	return nil
}

func (a *app) pullCommand() *cobra.Command {
	c := &cobra.Command{Use: "pull ID", Args: arguments(1, aPacket)}
	f := remoteFlagsOf(c)
	toStdout := c.Flags().Bool("stdout", false, "print it instead of keeping it")
	resume := c.Flags().Bool("resume", false, "keep it, and print what \"ltm resume\" prints of it")
	c.RunE = func(c *cobra.Command, given []string) error {
		if *toStdout && *resume {
			return invalid("give one of them", "--stdout keeps nothing, and --resume keeps the packet")
		}
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
			if !*resume || err != nil {
				return answer(a, receipt, err, a.printPacketReceipt)
			}
			a.notice(say(receipt.Message))
			for _, note := range receipt.Notes {
				a.notice(say(note))
			}
			return a.resume(c.Context(), api.ResumePacket{ID: receipt.ID}, false)
		})
	}
	return c
}

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

package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"ltm/engine"
	"ltm/engine/transfer"
	"ltm/memory"
	packets "ltm/packet/client"
)

// systemServer is the origin of memories that were claims or summaries of ltm-server.
const systemServer = "ltm-server"

// keyOnInput as the argument beside --from-server means that the key is on standard input.
const keyOnInput = "-"

// readServer returns what to import of an application's memory: the claims that hold of a user, or a thread's summary.
func (a *app) readServer(ctx context.Context, what string, given []string, f importFlags) (engine.Import, error) {
	if f.format != "" || len(f.sections) > 0 || f.signatures != "" || f.keyFile != "" {
		return engine.Import{}, invalid("leave them out",
			"--format, --section, --signatures and --key-file are about documents, and --from-server is not one")
	}
	o, err := a.importOptions(f)
	if err != nil {
		return engine.Import{}, err
	}
	client, err := a.applicationClient(given, f)
	if err != nil {
		return engine.Import{}, err
	}
	defer client.Close()
	reading := transfer.Reading{System: systemServer}
	kind, name := subjectOf(what)
	if kind != "user" {
		item, err := summaryItem(ctx, client, name)
		switch {
		case kind == "" && memory.KindOf(err) == memory.KindRemoteUnknown: // a user may be named by a UUID, too
			kind = "user"
		case err != nil:
			return engine.Import{}, err
		default:
			reading.Items = append(reading.Items, item...)
		}
	}
	if kind == "user" {
		claims, err := client.ActiveClaims(ctx, name)
		if err != nil {
			return engine.Import{}, err
		}
		for _, c := range claims {
			reading.Items = append(reading.Items, claimItem(c))
		}
	}
	return engine.Import{Form: systemServer, Source: client.Host().String(), Reading: reading, Options: o,
		Redact: f.redact, DryRun: f.dryRun}, nil
}

// subjectOf splits "user:NAME" and "thread:ID". Without either, a UUID is a thread if there is one, and else a user.
func subjectOf(what string) (kind, name string) {
	for _, kind := range []string{"user", "thread"} {
		if name, ok := strings.CutPrefix(what, kind+":"); ok {
			return kind, name
		}
	}
	if regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`).MatchString(what) {
		return "", what
	}
	return "user", what
}

// applicationClient returns a client with an application's key: from standard input if the argument says so, and else
// as tokens are found.
func (a *app) applicationClient(given []string, f importFlags) (*packets.Client, error) {
	flags := &remoteFlags{host: f.host, insecure: f.insecure}
	if len(given) == 0 {
		client, _, err := a.dial(flags)
		return client, err
	}
	if given[0] != keyOnInput {
		return nil, invalid(`give "-" if the key is on standard input`,
			"%q is a document, and --from-server asks a server", given[0])
	}
	host, err := a.remoteHost(flags)
	if err != nil {
		return nil, err
	}
	data, err := a.readInput(maxTokenInput)
	if err != nil {
		return nil, err
	}
	return a.clientOf(remote{host: host, token: strings.TrimSpace(string(data))}, flags)
}

// summaryItem returns a thread's summary as an entry, or none.
func summaryItem(ctx context.Context, client *packets.Client, thread string) ([]transfer.Item, error) {
	text, err := client.Summary(ctx, thread)
	if err != nil || strings.TrimSpace(text) == "" {
		return nil, err
	}
	item := transfer.Item{Entry: "summary of thread " + thread, Key: "summary:" + thread}
	item.Memory.Topic = "Summary of a conversation"
	item.Memory.Content = text
	item.Memory.Tags = []string{"conversation"}
	return []transfer.Item{item}, nil
}

// claimItem returns a claim as an entry.
func claimItem(c packets.Claim) transfer.Item {
	item := transfer.Item{Entry: "claim " + c.ID, Key: "claim:" + c.ID}
	item.Memory.Topic = memory.ClipTopic(c.Text)
	item.Memory.Content = c.Text
	item.Memory.CreatedAt = c.CreatedAt
	item.Memory.Tags = []string{"conversation", strings.ReplaceAll(strings.ToLower(c.Bucket), "_", "-")}
	if n := len(c.Evidence); n > 0 {
		item.Memory.Content += fmt.Sprintf("\n\nSaid %d times in conversations, last on %s.", n,
			c.Evidence[n-1].At.UTC().Format("2006-01-02"))
	}
	return item
}

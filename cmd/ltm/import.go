package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine/change"
	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/engine/transfer/sources"
	"ltm/internal/plural"
	"ltm/memory"
	packets "ltm/packet/client"
)

// importFlags are the flags of import.
type importFlags struct {
	dryRun, merge, update, redact, trust, skipBad, anyProject bool
	format, signatures, keyFile                               string
	sections                                                  []string
	fromServer, agent                                         string
	setAgent                                                  bool
	remoteFlags
}

func (a *app) importCommand() *cobra.Command {
	var f importFlags
	c := &cobra.Command{Use: "import FILE|DIR|-", Args: arguments(1)}
	c.Flags().StringVar(&f.fromServer, "from-server", "", "import from a server's memory: a `THREAD|USER`")
	c.Flags().StringVar(&f.host, "host", "", "the `URL` of that server, instead of LTM_HOST or the default")
	insecureFlag(c, &f.remoteFlags)
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be done and why, but do not do it")
	c.Flags().BoolVar(&f.merge, "merge", false,
		"keep entries that are here as they are; add archived texts that are missing")
	c.Flags().BoolVar(&f.update, "update", false,
		"entries that are here get the text and the agent that they have in the document")
	c.Flags().BoolVar(&f.redact, "redact", false, "mask credentials instead of refusing them")
	c.Flags().BoolVar(&f.trust, "trust", false, "approve all imported memories")
	c.Flags().BoolVar(&f.skipBad, "skip-bad", false, "leave out entries that cannot be imported")
	c.Flags().BoolVar(&f.anyProject, "any-project", false, "also import entries of projects with another name")
	c.Flags().StringVar(&f.format, "format", "", "the `FORM` of the document, if it is not recognized")
	c.Flags().StringArrayVar(&f.sections, "section", nil,
		"of the form claude-md: the `HEADING` whose items are imported; repeatable")
	c.Flags().StringVar(&f.signatures, "signatures", "", "of the form claude-ltm: a `FILE` with signatures")
	c.Flags().StringVar(&f.keyFile, "key-file", "", "a `FILE` with the key that made the signatures")
	agentFlag(c, &f.agent, "all of it is for sessions of the agent `NAME`, or with an empty name for all sessions")
	c.RunE = func(c *cobra.Command, given []string) error {
		f.setAgent = c.Flags().Changed("agent")
		request, err := a.toImport(c, given, f)
		if err != nil {
			return err
		}
		done := a.progress("importing")
		plan, err := a.shelves(lockWait).Import(c.Context(), request)
		done()
		if err != nil && (!f.dryRun || len(plan.Steps) == 0) {
			return err
		}
		print := func(p transfer.Plan) error { return a.printImport(p, f) }
		return errors.Join(answer(a, plan, nil, print), err)
	}
	return c
}

// toImport reads what is to be imported: a document, or a server's memory.
func (a *app) toImport(c *cobra.Command, given []string, f importFlags) (change.Import, error) {
	if c.Flags().Changed("from-server") {
		return a.readServer(c.Context(), f.fromServer, given, f)
	}
	if err := arguments(1, "FILE")(c, given); err != nil {
		return change.Import{}, err
	}
	return a.readImport(c.Context(), given[0], f)
}

// readImport reads a document, and returns what to import.
func (a *app) readImport(ctx context.Context, name string, f importFlags) (change.Import, error) {
	o, err := a.importOptions(f)
	if err != nil {
		return change.Import{}, err
	}
	known, err := a.forms(f)
	if err != nil {
		return change.Import{}, err
	}
	source, remarks, err := a.source(ctx, name)
	if err != nil {
		return change.Import{}, err
	}
	var form transfer.Form
	if f.format != "" {
		form, err = transfer.Named(f.format, known)
	} else {
		form, err = transfer.Recognize(source, known)
	}
	if err != nil {
		return change.Import{}, err
	}
	if err := f.fits(form.Name()); err != nil {
		return change.Import{}, err
	}
	reading, err := form.Read(source, a.here(time.Now()))
	if err != nil {
		return change.Import{}, about(err, name)
	}
	reading.Remarks = append(remarks, reading.Remarks...)
	return change.Import{Form: form.Name(), Source: name, Reading: reading, Options: o, Redact: f.redact,
		DryRun: f.dryRun}, nil
}

// fits refuses flags that are for another form: signatures that are not checked must not seem checked.
func (f importFlags) fits(form string) error {
	for _, flag := range []struct {
		name  string
		given bool
		form  string
	}{
		{"--section", len(f.sections) > 0, forms.ClaudeMD{}.Name()},
		{"--signatures", f.signatures != "", forms.SystemClaudeLTM},
	} {
		if flag.given && form != flag.form {
			return invalid("leave it out", "%s is for the form %s, and this is %s", flag.name, flag.form, form)
		}
	}
	return nil
}

// about names the document in an error that does not.
func about(err error, name string) error {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok || known.Subject != "" {
		return err
	}
	named := *known
	named.Subject, named.Message = name, fmt.Sprintf("%q: %s", name, known.Message)
	return &named
}

func (a *app) importOptions(f importFlags) (transfer.Options, error) {
	o := transfer.Options{Trust: f.trust, SkipBad: f.skipBad, AnyProject: f.anyProject, Project: a.projectName()}
	switch {
	case f.merge && f.update:
		return o, invalid("give one of them", "--merge and --update were both given")
	case f.merge:
		o.Known = transfer.KnownKeep
	case f.update:
		o.Known = transfer.KnownUpdate
	}
	o.Force = transfer.Scope(a.scope)
	if f.setAgent {
		agent, err := memory.NormalizeAgent(f.agent)
		if err != nil {
			return o, err
		}
		o.Agent = &agent
	}
	return o, nil
}

// forms returns the forms, with what flags say about them.
func (a *app) forms(f importFlags) ([]transfer.Form, error) {
	var signatures *forms.Signatures
	switch {
	case f.signatures == "" && f.keyFile == "":
	case f.signatures == "" || f.keyFile == "":
		return nil, invalid("give both", "--signatures and --key-file belong together")
	default:
		var files [2][]byte
		for i, name := range []string{f.signatures, f.keyFile} {
			source, _, err := sources.Read(context.Background(), name)
			if err != nil {
				return nil, err
			}
			if files[i] = source.Document(); source.Dir {
				return nil, invalid("", "%s is a directory", name)
			}
		}
		var err error
		if signatures, err = forms.ReadSignatures(files[0], files[1]); err != nil {
			return nil, err
		}
	}
	known := forms.All(signatures)
	for i, form := range known {
		if _, ok := form.(forms.ClaudeMD); ok {
			known[i] = forms.ClaudeMD{Sections: f.sections}
		}
	}
	return known, nil
}

// source reads what is to be imported.
func (a *app) source(ctx context.Context, name string) (transfer.Source, []memory.Remark, error) {
	if name != "-" {
		return sources.Read(ctx, name)
	}
	data, err := a.readInput(transfer.MaxDocumentBytes + 1)
	switch {
	case err != nil:
		return transfer.Source{}, nil, err
	case len(data) > transfer.MaxDocumentBytes:
		return transfer.Source{}, nil, transfer.TooLarge("-", "standard input")
	case len(data) == 0:
		return transfer.Source{}, nil, invalid("pipe a document in, or name a file", "standard input is empty")
	}
	return transfer.Source{Name: name, Files: []transfer.File{{Name: name, Data: data}}}, nil, nil
}

// printImport prints a plan, or after it was carried out only what a person should know.
func (a *app) printImport(p transfer.Plan, f importFlags) error {
	for _, remark := range p.Remarks {
		a.notice(remark)
	}
	var rows [][]string
	for _, s := range p.Steps {
		quiet := s.Action == transfer.ActionNew || strings.HasPrefix(s.Reason, "it is here already")
		if !f.dryRun && quiet && len(s.Remarks) == 0 {
			continue
		}
		why := append([]string{s.Reason}, s.Remarks...)
		if s.Archived != "" {
			why = append(why, "archived: "+s.Archived)
		}
		if s.Masked > 0 {
			why = append(why, plural.Of(s.Masked, "credential", "credentials")+" masked")
		}
		if s.Reason == "" {
			why = why[1:]
		}
		if s.Agent != "" {
			why = append(why, "for "+s.Agent)
		}
		if s.Scope == transfer.ScopeUser {
			why = append(why, "user")
		}
		rows = append(rows, []string{string(s.Action), field(string(s.ID)), field(s.Topic),
			field(strings.Join(why, "; "))})
	}
	return a.table("ACTION|ID|TOPIC|WHY", rows, clean(importedText(p, f)))
}

// importedText is the summary of an import.
func importedText(p transfer.Plan, f importFlags) string {
	c := p.Counts
	var parts []string
	for _, part := range []struct {
		count int
		text  string
	}{{c.New, "new"}, {c.Updated, "updated"}, {c.Merged, "merged"}, {c.Archived, "archived"}, {c.Skipped, "skipped"},
		{c.Changed, "changed"}, {c.Refused, "left out"}, {c.Masked, "masked"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.text))
		}
	}
	text := fmt.Sprintf("%s (%s): %s", p.Source, p.Form, strings.Join(parts, ", "))
	if len(parts) == 0 {
		text += "no entries"
	}
	switch {
	case f.dryRun:
		return text + "; nothing was changed (dry run)"
	case !p.Changes():
		return text + "; nothing was changed"
	case !f.trust:
		return text + `; what is new counts as from elsewhere: "ltm trust" lists it`
	}
	return text
}

// systemServer is the origin of memories that were claims or summaries of ltm-server.
const systemServer = "ltm-server"

// readServer returns what to import of an application's memory: the claims that hold of a user, or a thread's summary.
func (a *app) readServer(ctx context.Context, what string, given []string, f importFlags) (change.Import, error) {
	if f.format != "" || len(f.sections) > 0 || f.signatures != "" || f.keyFile != "" {
		return change.Import{}, invalid("leave them out",
			"--format, --section, --signatures and --key-file are about documents, and --from-server is not one")
	}
	o, err := a.importOptions(f)
	if err != nil {
		return change.Import{}, err
	}
	client, err := a.applicationClient(given, f)
	if err != nil {
		return change.Import{}, err
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
			return change.Import{}, err
		default:
			reading.Items = append(reading.Items, item...)
		}
	}
	if kind == "user" {
		claims, err := client.ActiveClaims(ctx, name)
		if err != nil {
			return change.Import{}, err
		}
		for _, c := range claims {
			reading.Items = append(reading.Items, claimItem(c))
		}
	}
	return change.Import{Form: systemServer, Source: client.Host().String(), Reading: reading, Options: o,
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
	if len(given) == 0 {
		client, _, err := a.dial(&f.remoteFlags)
		return client, err
	}
	if given[0] != fromInput {
		return nil, invalid(`give "-" if the key is on standard input`,
			"%q is a document, and --from-server asks a server", given[0])
	}
	host, err := a.remoteHost(&f.remoteFlags)
	if err != nil {
		return nil, err
	}
	data, err := a.readInput(maxTokenInput)
	if err != nil {
		return nil, err
	}
	return a.clientOf(remote{host: host, token: strings.TrimSpace(string(data))}, &f.remoteFlags)
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

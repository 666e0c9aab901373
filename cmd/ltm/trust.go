package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/engine"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store/signing"
)

func (a *app) trustCommand() *cobra.Command {
	var all, revoke, yes bool
	c := &cobra.Command{Use: "trust [ID...]"}
	c.Flags().BoolVar(&all, "all", false, "approve all of them")
	c.Flags().BoolVar(&yes, "yes", false, "with --all: do not ask; required without a terminal")
	c.Flags().BoolVar(&revoke, "revoke", false, "treat these as not written in this clone")
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.trust(c, given, all, yes, revoke)
		if err != nil {
			return err
		}
		authors := map[memory.ID]gitstore.Authorship{}
		if len(r.Foreign) > 0 {
			authors = a.git(a.place()).Authors(c.Context())
		}
		shown := authoredTrust{r, each(r.Foreign, func(f api.Foreign) authoredForeign {
			return authoredForeign{f, authors[f.ID].List()}
		})}
		return answer(a, shown, nil, func(authoredTrust) error { return a.printTrust(r, authors) })
	}
	return c
}

func (a *app) trust(c *cobra.Command, given []string, all, yes, revoke bool) (api.TrustReport, error) {
	e := a.engine(lockWait)
	switch {
	case all && (revoke || len(given) > 0):
		return api.TrustReport{}, invalid("", "--all takes no ids, and approves")
	case revoke && len(given) == 0:
		return api.TrustReport{}, invalid("ltm trust --revoke ID", "--revoke takes ids")
	case yes && !all:
		return api.TrustReport{}, invalid("", "--yes goes with --all")
	case all:
		return a.approveAll(c.Context(), e, yes)
	case revoke:
		return a.changeTrust(c.Context(), given, (*engine.Engine).Revoke)
	case len(given) > 0:
		return a.changeTrust(c.Context(), given, (*engine.Engine).Approve)
	}
	return e.Trusted(c.Context())
}

// approveAll approves all memories from elsewhere, after a confirmation.
func (a *app) approveAll(ctx context.Context, e *engine.Engine, yes bool) (api.TrustReport, error) {
	r, err := e.Trusted(ctx)
	n := plural.Of(len(r.Foreign), "memory or archive", "memories and archives")
	switch {
	case err != nil || len(r.Foreign) == 0:
		return r, err
	case !yes && !a.confirm(fmt.Sprintf("Approve %s from elsewhere, as they are now?", n)):
		return r, invalid(`"ltm trust" lists them, "ltm show ID" shows one, and --yes approves all without asking`,
			"%s from elsewhere are approved after a confirmation", n)
	}
	return e.ApproveAll(ctx)
}

// changeTrust approves or revokes the given memories. If standard input has no ids, it only lists.
func (a *app) changeTrust(ctx context.Context, given []string,
	change func(*engine.Engine, context.Context, []string) (api.TrustReport, error)) (api.TrustReport, error) {
	e, s, err := a.selectIDs(ctx, given)
	switch {
	case err != nil:
		return api.TrustReport{}, err
	case len(s.ids) == 0:
		a.sayNoIDs()
		return e.Trusted(ctx)
	}
	return change(e, ctx, s.ids)
}

func (a *app) printTrust(r api.TrustReport, authors map[memory.ID]gitstore.Authorship) error {
	rows := each(r.Foreign, func(f api.Foreign) []string {
		how := "new"
		if f.Changed {
			how = "changed"
		}
		if f.Signature == string(signing.Altered) {
			how = verdictWords(f.Signature)
		} else if f.Signature == string(signing.UnknownKey) {
			how += ", signed with an unknown key"
		} else if f.Signature == string(signing.OtherStore) || f.Signature == string(signing.OtherRoot) {
			how += ", " + f.Signature
		}
		if f.Archived {
			how += ", in the archives"
		}
		return []string{string(f.ID), how, field(authorNames(authors[f.ID])), cell(f.Topic)}
	})
	return a.table("ID|STATUS|AUTHOR|TOPIC", rows, elsewhere(r))
}

// elsewhere says what happens to memories from elsewhere.
func elsewhere(r api.TrustReport) string {
	n, trust := len(r.Foreign), r.Trust
	if n == 0 {
		return fmt.Sprintf("trust is %s; everything was written or approved in this clone", trust)
	}
	done := map[string]string{"mark": "marked", "ask": "held back"}[trust]
	switch {
	case done == "":
		done = "shown like all others"
	case r.Required:
		done = "held back: signatures are required"
	}
	return fmt.Sprintf("trust is %s; from elsewhere: %d of %d memories and archives (%s)", trust, n, r.Total, done)
}

// What show, list --long and trust print for programs, with the authors from git.
type (
	authoredDetail struct {
		api.Detail
		Authors []gitstore.Author `json:"authors"` // the first and the last one; empty: not in git
	}

	authoredListing struct {
		api.Listing
		Memories []authoredEntry `json:"memories"`
	}

	authoredEntry struct {
		api.Entry
		Authors []gitstore.Author `json:"authors"`
	}

	authoredTrust struct {
		api.TrustReport
		Foreign []authoredForeign `json:"foreign"`
	}

	authoredForeign struct {
		api.Foreign
		Authors []gitstore.Author `json:"authors"`
	}
)

// authorNames returns the names of one or two authors for people, or "".
func authorNames(who gitstore.Authorship) string {
	if who.Last.Name == "" {
		return ""
	}
	return strings.Join(each(who.List(), func(author gitstore.Author) string { return cell(author.Name) }), ", ")
}

// listWithAuthors prints a listing with every column there is.
func (a *app) listWithAuthors(ctx context.Context, list api.Listing) error {
	authors := a.git(a.place()).Authors(ctx)
	if a.asJSON {
		return a.printJSON(authoredListing{list, each(list.Memories, func(m api.Entry) authoredEntry {
			return authoredEntry{m, authors[m.ID].List()}
		})})
	}
	return a.printListing(list, "memories", "id state prio diff age opened author tags topic",
		"id state prio diff kind age opened author tags topic", authors)
}

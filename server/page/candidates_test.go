package page_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// proposing has candidates as an engine has them.
type proposing struct {
	pending, settled []api.Candidate
	accepted         []api.Acceptance
	fails            error
}

func (p *proposing) Candidates(context.Context) (api.Review, error) {
	return api.Review{Candidates: p.pending}, nil
}

func (p *proposing) AcceptCandidate(ctx context.Context, a api.Acceptance) (api.Receipt, error) {
	if p.fails != nil {
		return api.Receipt{}, p.fails
	}
	p.accepted = append(p.accepted, a)
	api.Note(ctx, nil)
	return api.Receipt{}, p.DropCandidates(ctx, []string{a.ID})
}

func (p *proposing) DropCandidates(_ context.Context, ids []string) error {
	p.pending = slices.DeleteFunc(p.pending, func(c api.Candidate) bool {
		gone := slices.Contains(ids, c.ID)
		if gone {
			p.settled = append(p.settled, c)
		}
		return gone
	})
	return p.fails
}

func (p *proposing) ReopenCandidates(_ context.Context, ids []string) error {
	for _, id := range ids {
		i := slices.IndexFunc(p.settled, func(c api.Candidate) bool { return c.ID == id })
		if i < 0 {
			return memory.NewError(memory.CodeConflict, memory.KindCandidate, id, "%s is not among the last", id)
		}
		p.pending, p.settled = append(p.pending, p.settled[i]), slices.Delete(p.settled, i, i+1)
	}
	return nil
}

// proposedPage is a site with a candidate, its page, and the form that accepts it as the page shows it.
func proposedPage(t *testing.T) (*fixture, visitor, url.Values) {
	t.Helper()
	f := someMemories()
	f.proposed.pending = []api.Candidate{{ID: "cand_1", Topic: hostile, Text: "**Fifty**." + hostile,
		Tags: []string{"db"}, Refs: []string{"db/pool.go"}, Why: "it names a cause " + hostile, Session: "s1"}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/candidates").Body.String()
	for _, want := range []string{"<strong>Fifty</strong>", "it names a cause", "db/pool.go", "s1",
		`href="./candidate/cand_1/edit"`} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "<img")
	return f, v, url.Values{"id": {"cand_1"}, "seen": {between(t, page, `name="seen" value="`, `"`)}}
}

func TestCandidatesAreDecidedOn(t *testing.T) {
	f, v, form := proposedPage(t)
	form.Set("what", "drop")
	dropped := v.send("/candidates", form.Encode())
	require.Equal(t, http.StatusSeeOther, dropped.Code)
	page := v.get(dropped.Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, "Nothing to review")
	require.Contains(t, page, `action="./undo"`)
	require.Empty(t, f.proposed.pending)
	undo := url.Values{"candidate": {between(t, page, `name="candidate" value="`, `"`)}, "back": {"candidates"}}
	undone := v.send("/undo", undo.Encode())
	require.Equal(t, http.StatusSeeOther, undone.Code)
	page = v.get(undone.Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, "Proposed again")
	require.Len(t, f.proposed.pending, 1)
	page = v.get(v.send("/undo", undo.Encode()).Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, "Not proposed again: cand_1 is not among the last")

	form.Set("what", "accept")
	require.Equal(t, http.StatusSeeOther, v.send("/candidates", form.Encode()).Code)
	require.Equal(t, []api.Acceptance{{ID: "cand_1", Version: form.Get("seen")}}, f.proposed.accepted)
	form.Set("what", "explode")
	f.proposed.pending = f.proposed.settled
	require.Equal(t, http.StatusUnprocessableEntity, v.send("/candidates", form.Encode()).Code)
}

func TestACandidateIsEdited(t *testing.T) {
	f, v, form := proposedPage(t)
	page := v.get("/candidate/cand_1/edit").Body.String()
	require.Contains(t, page, `name="tags" value="db"`)
	require.Contains(t, page, `name="candidate" value="cand_1"`)
	require.NotContains(t, page, "<img")
	form.Set("candidate", "cand_1")
	form.Set("topic", "Pool")
	form.Set("content", "Sixty.\r\nNot less.")
	form.Set("tags", "db,pool")
	f.proposed.fails = memory.NewError(memory.CodeInvalid, "", "", "the topic is too long")
	refused := v.send("/new", form.Encode())
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "The topic is too long")
	require.Regexp(t, "Sixty\\.\\s+Not less\\.</textarea>", refused.Body.String(), "what was typed is kept")
	require.Contains(t, refused.Body.String(), `name="candidate" value="cand_1"`)
	f.proposed.fails = nil
	require.Equal(t, http.StatusSeeOther, v.send("/new", form.Encode()).Code)
	topic, text := "Pool", "Sixty.\nNot less."
	require.Equal(t, []api.Acceptance{{ID: "cand_1", Version: form.Get("seen"), Topic: &topic, Text: &text,
		Tags: &[]string{"db", "pool"}}}, f.proposed.accepted)
	require.Empty(t, f.changer(api.ScopeProject).did, "it is stored once")
}

// TestACandidateThatIsGone was dropped elsewhere, or says something else by now: what was typed can be a new memory.
func TestACandidateThatIsGone(t *testing.T) {
	f, v, form := proposedPage(t)
	f.proposed.fails = memory.NewError(memory.CodeNotFound, memory.KindCandidate, "cand_1", "there is none")
	for _, what := range []string{"accept", "drop"} {
		form.Set("what", what)
		answer := v.send("/candidates", form.Encode())
		require.Equal(t, http.StatusNotFound, answer.Code)
		require.Contains(t, answer.Body.String(), "It was accepted, dropped or changed, here or elsewhere")
	}
	form.Set("candidate", "cand_1")
	form.Set("topic", "Pool")
	form.Set("content", "Sixty.")
	answer := v.send("/new", form.Encode()).Body.String()
	require.Contains(t, answer, "dropped or changed, here or elsewhere")
	require.Contains(t, answer, "Sixty.</textarea>")
	require.NotContains(t, answer, `name="candidate"`)
	require.Empty(t, f.proposed.accepted)
	f.proposed.pending = nil
	require.Equal(t, http.StatusNotFound, v.get("/candidate/cand_1/edit").Code)
}

package page_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func (f *fixture) Tidying(context.Context) (api.Tidying, error) {
	entry := func(id memory.ID) api.TidyEntry {
		return api.TidyEntry{ID: id, Topic: hostile, Summary: hostile, Foreign: f.foreign, Uses: api.Uses{Shown: 20}}
	}
	two := slices.Repeat([]api.TidyEntry{entry("mem_00000001"), entry("mem_00000002")}, max(1, f.alike))
	return api.Tidying{
		Groups: []api.TidyGroup{{Why: api.TidySame, Memories: two}, {Why: api.TidyDisputed, Memories: two}},
		Idle:   []api.TidyEntry{entry("mem_00000001")}, Left: 3}, nil
}

// MergeDraft refuses a dispute without a text.
func (c *changing) MergeDraft(_ context.Context, g api.Merging) (api.Draft, error) {
	if c.disputed && g.Text == "" || c.fails != nil {
		return api.Draft{}, memory.NewError(memory.CodeConflict, memory.KindMemoryHeldBack, "", "they cannot be merged")
	}
	return api.Draft{Topic: "Pools", Content: "Each line once."}, nil
}

func (c *changing) Merge(ctx context.Context, g api.Merging) (api.Receipt, error) {
	return api.Receipt{ID: memory.ID(g.IDs[0])}, c.note(ctx, "merged", g.IDs, g.Topic, g.Text)
}

func (c *changing) TellApart(_ context.Context, ids []string) error {
	c.did = append(c.did, "apart "+ids[0]+" "+ids[1])
	return c.fails
}

func TestTidying(t *testing.T) {
	f := someMemories()
	f.unresolved = []memory.ID{"mem_00000001", "mem_00000002"}
	site, _ := newSite(t, f)
	v := enter(t, site)
	require.Contains(t, v.get("/tidy?why=disputed").Body.String(), "These dispute each other")
	undecided := v.get("/tidy").Body.String()
	require.Contains(t, undecided, "Decide between the sides of the merge first")
	require.NotContains(t, undecided, "new?merge=", "it would be refused")
	require.Equal(t, 3, strings.Count(undecided, "unresolved merge</span>"), "two in the group, and one shown in vain")
	f.unresolved, f.foreign = nil, true
	undecided = v.get("/tidy").Body.String()
	require.Contains(t, undecided, "Approve or reject what is from elsewhere first")
	require.NotContains(t, undecided, "new?merge=", "it would be refused")
	require.Contains(t, undecided, "Not the same")
	f.foreign = false
	page := v.get("/tidy").Body.String()
	for _, want := range []string{"These say about the same", "shown 20×, opened 0×",
		`href="./new?merge=mem_00000001%2cmem_00000002"`, `href="./new?supersedes=mem_00000001%2cmem_00000002"`,
		"3 more follow"} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "<img")
	require.NotContains(t, page, "Keep this one", "both say the same")
	require.Contains(t, v.get("/tidy?why=disputed").Body.String(), "Keep this one")
	f.alike = 51
	require.NotContains(t, v.get("/tidy?why=disputed").Body.String(), "Keep this one", "of too many for one merge")
	keep := url.Values{"what": {"keep"}, "id": {"mem_00000001", "mem_00000002"}, "back": {"tidy?why=disputed"}}
	require.Equal(t, http.StatusSeeOther, v.send("/change", keep.Encode()).Code)
	require.Equal(t, []string{"merged[mem_00000001 mem_00000002]topic: Pool\n---\nFifty.\n"},
		f.changer(api.ScopeProject).did)
	f.changer(api.ScopeProject).did = nil
	form := url.Values{"what": {"apart"}, "id": {"mem_00000001", "mem_00000002"}, "back": {"tidy"}}
	answer := v.send("/change", form.Encode())
	require.Equal(t, http.StatusSeeOther, answer.Code)
	require.Contains(t, v.get(answer.Header().Get("Location")[1:]).Body.String(), "Not the same: 2 memories")
	require.Equal(t, []string{"apart mem_00000001 mem_00000002"}, f.changer(api.ScopeProject).did)
}

func TestMerging(t *testing.T) {
	f := someMemories()
	f.memories = append(f.memories, api.Detail{ID: "mem_00000002", Topic: hostile, Content: "**Sixty**." + hostile})
	site, _ := newSite(t, f)
	v := enter(t, site)
	c := f.changer(api.ScopeProject)
	const address = "/new?merge=mem_00000001,mem_00000002"
	page := v.get(address).Body.String()
	require.Contains(t, page, "Each line once.</textarea>")
	require.Contains(t, page, "<strong>Sixty</strong>")
	require.NotContains(t, page, "<img")
	c.disputed = true
	require.Contains(t, v.get(address).Body.String(), "Fifty connections.\n\n**Sixty**.", "to be settled by a person")
	c.fails = memory.NewError(memory.CodeBusy, "", "", "another process has the lock")
	require.Equal(t, http.StatusConflict, v.get(address).Code)

	form := url.Values{"merge": {"mem_00000001,mem_00000002"}, "topic": {"Pools"}, "content": {"Sixty.\r\nSince May."}}
	refused := v.send("/new", form.Encode())
	require.Equal(t, http.StatusServiceUnavailable, refused.Code)
	require.Regexp(t, "Sixty\\.\\s+Since May\\.</textarea>", refused.Body.String(), "what was typed is kept")
	require.Contains(t, refused.Body.String(), "<strong>Sixty</strong>", "the old texts stay beside it")
	c.fails = nil
	stored := v.send("/new", form.Encode())
	require.Regexp(t, `^\./memory/mem_00000001\?did=`, stored.Header().Get("Location"))
	require.Equal(t, []string{"merged[mem_00000001 mem_00000002]PoolsSixty.\nSince May."}, c.did)
}

// TestACorrectionKeepsWhatItReplaces, as ltm correct does.
func TestACorrectionKeepsWhatItReplaces(t *testing.T) {
	f := someMemories()
	m := &f.memories[0]
	m.Aliases, m.Importance = []string{"how many, at most?"}, memory.Critical
	m.Category, m.Agent = memory.Learnings, "reviewer"
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/new?supersedes=mem_00000001").Body.String()
	for _, want := range []string{"<h1>Correct</h1>", `value="Pool size"`, "Fifty connections.</textarea>",
		`name="tags" value="db"`, "<option selected>critical", "<option selected>learnings",
		`name="alias" value="how many, at most?"`, `name="agent" value="reviewer"`, "What it says now"} {
		require.Contains(t, page, want)
	}
	form := url.Values{"supersedes": {"mem_00000001"}, "topic": {"Pool size"}, "content": {"Sixty."}, "tags": {""},
		"alias": m.Aliases, "importance": {"critical"}, "kind": {"learnings"}, "agent": {"reviewer"}}
	require.Equal(t, http.StatusSeeOther, v.send("/new", form.Encode()).Code)
	require.Equal(t, api.Draft{Topic: "Pool size", Content: "Sixty.", Tags: []string{}, Aliases: m.Aliases,
		Importance: memory.Critical, Category: memory.Learnings, Agent: "reviewer", Told: true, SameTopic: true,
		Supersedes: []string{"mem_00000001"}}, f.changer(api.ScopeProject).draft)
}

// TestReviewCountsWhatWaits once for each state of the stores, and other pages have the numbers.
func TestReviewCountsWhatWaits(t *testing.T) {
	f := someMemories()
	f.proposed.pending = []api.Candidate{{ID: "cand_1"}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	scripted := map[string]string{"Cookie": v.cookie.String() + "; ltm_zone=Europe%2FMadrid"}
	require.Contains(t, v.ask(http.MethodGet, "/", scripted).Body.String(), `data-count="all"></span>`,
		"the first view does not wait for it")
	require.Contains(t, v.get("/").Body.String(), `data-count="all">9</span>`, "without a script, it does")
	page := v.get("/review").Body.String()
	for key, n := range map[string]string{"approve": "1", "merges": "1", "stale": "0", "disputes": "1",
		"candidates": "1", "duplicates": "5", "problems": "0"} {
		require.Contains(t, page, `data-count="`+key+`-project">`+n+`<`)
	}
	require.Contains(t, page, `data-count="all">9<`)
	f.proposed.pending = nil
	require.Contains(t, v.get("/trust").Body.String(), `data-count="candidates-project">1<`)
	f.stamp.Add(1)
	require.Contains(t, v.get("/review").Body.String(), `data-count="candidates-project">0<`)
	f.both, f.proposed.pending = true, []api.Candidate{{ID: "cand_1"}}
	f.stamp.Add(1)
	require.Contains(t, v.get("/review").Body.String(), `href="./tidy?why=disputed&amp;scope=user"`)
	own := v.get("/trust?scope=user").Body.String()
	require.Contains(t, own, `data-count="approve-user">1<`)
	require.Contains(t, own, `href="./candidates"`, "they are the project's")
	require.Contains(t, own, `data-count="candidates-project">1<`)
	require.Equal(t, v.get("/candidates").Body.String(), v.get("/candidates?scope=user").Body.String())
}

// TestValuesAreSet: only those that have another value than the page gave them, if they still had that.
func TestValuesAreSet(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	f.changer(api.ScopeProject).files["mem_00000001"] = "Pool\nFifty.\n"
	require.Contains(t, v.get("/memory/mem_00000001").Body.String(), `name="tags" value="db"`)
	form := url.Values{"what": {"set"}, "id": {"mem_00000001"}, "topic": {"Pool"}, "was-topic": {"Pool"},
		"tags": {"db, new"}, "was-tags": {"db, pool"}, "kind": {"rule"},
		"importance": {"normal"}, "was-importance": {"normal"}}
	require.Equal(t, http.StatusSeeOther, v.send("/change", form.Encode()).Code)
	require.Equal(t, []string{"setmem_00000001rule[db  new]"}, f.changer(api.ScopeProject).did)
	form.Set("was-tags", "db")
	refused := v.send("/change", form.Encode())
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Contains(t, refused.Body.String(), "Tags changed meanwhile")
	form.Set("was-tags", "db, new")
	form.Set("was-kind", "rule")
	require.Equal(t, http.StatusSeeOther, v.send("/change", form.Encode()).Code)
	require.Len(t, f.changer(api.ScopeProject).did, 1, "nothing differs")
}

// TestPacketsChange by the forms of their views.
func TestPacketsChange(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	said := func(form url.Values) string {
		answer := v.send("/packets", form.Encode())
		require.Equal(t, http.StatusSeeOther, answer.Code)
		return v.get(answer.Header().Get("Location")[1:]).Body.String()
	}
	require.Contains(t, said(url.Values{"goal": {"g"}, "next": {"n"}, "done-when": {"a\r\n \r\nb"}}), "2 [a b]")
	id := "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	for what, want := range map[string]string{"done": "Undo false.", "open": "Undo true.", "keep": "Kept."} {
		require.Contains(t, said(url.Values{"what": {what}, "id": {id}}), want)
	}
	answer := v.send("/packets", url.Values{"next": {"what was typed"}}.Encode())
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), `value="what was typed"`)
	require.Contains(t, v.get("/packet/"+id).Body.String(), "ltm resume "+id)
	require.NotContains(t, v.get("/packet/$(reboot)00000").Body.String(), "ltm resume")
}

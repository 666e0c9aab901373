package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/page"
)

// changing notes what it is asked to change.
type changing struct {
	page.Changer // nil: what a test does not expect panics

	did   []string
	undo  []memory.UndoEntry
	files map[string]string
	fails error

	archived string // a memory that only the archives have
	idle     bool   // changes leave nothing to take back
	unnoted  bool   // changes are not in the list of changes
	disputed bool   // memories to merge contradict each other
	draft    api.Draft
}

func (f *fixture) changer(scope api.Scope) *changing {
	if f.changed == nil {
		f.changed = map[api.Scope]*changing{}
	}
	if f.changed[scope] == nil {
		f.changed[scope] = &changing{files: map[string]string{"mem_00000001": "---\ntopic: Pool\n---\nFifty.\n"}}
	}
	return f.changed[scope]
}

// scopeOf says that ids that end in 9 are the person's.
func (f *fixture) scopeOf(_ context.Context, id string) api.Scope {
	if strings.HasSuffix(id, "9") && !f.nobodys {
		return api.ScopeUser
	}
	return api.ScopeProject
}

func (c *changing) note(ctx context.Context, what string, more ...any) error {
	if c.fails != nil {
		return c.fails
	}
	c.did = append(c.did, what+fmt.Sprint(more...))
	if c.idle {
		return nil
	}
	if c.unnoted {
		api.Note(ctx, nil)
		return nil
	}
	n := len(c.did)
	c.undo = append([]memory.UndoEntry{{Number: n, Action: what, Topic: hostile,
		Files: []memory.UndoFile{{Path: fmt.Sprint("memories/mem_", n)}}}}, c.undo...)
	api.Note(ctx, &c.undo[0])
	return nil
}

func (c *changing) ForgetAll(ctx context.Context, ids []string) ([]api.Forgotten, error) {
	return nil, c.note(ctx, "forgotten", ids)
}

func (c *changing) Pin(ctx context.Context, ids []string, level memory.Importance) ([]api.Receipt, error) {
	return nil, c.note(ctx, "pinned", ids, level)
}

func (c *changing) Retag(ctx context.Context, ids, add, remove []string) ([]api.Receipt, error) {
	return nil, c.note(ctx, "tagged", ids, add, remove)
}

func (c *changing) Update(ctx context.Context, id string, p api.Patch) (api.Receipt, error) {
	what := []any{id, p.Importance}
	for _, text := range []*string{p.Topic, (*string)(p.Category)} {
		if text != nil {
			what = append(what, *text)
		}
	}
	if p.Tags != nil {
		what = append(what, *p.Tags)
	}
	return api.Receipt{}, c.note(ctx, "set", what...)
}

func (c *changing) Sides(context.Context, string) (topic string, ours, theirs []byte, err error) {
	return hostile, []byte(hostile + "ours"), []byte(hostile + "theirs"), nil
}

func (c *changing) Approve(_ context.Context, ids []string) (api.TrustReport, error) {
	c.did = append(c.did, fmt.Sprint("approved", ids))
	return api.TrustReport{Approval: fmt.Sprint("name", len(c.did))}, c.fails
}

func (c *changing) Unapprove(_ context.Context, approval string, ids []string) (api.TrustReport, error) {
	c.did = append(c.did, fmt.Sprint("unapproved ", approval, ids))
	return api.TrustReport{}, c.fails
}

func (c *changing) UndoOf(_ context.Context, number int) (memory.UndoEntry, bool, error) {
	e, ok := memory.UndoList{Changes: c.undo}.Free(number)
	return e, ok, nil
}

func (c *changing) UndoNumber(_ context.Context, number int) (api.Undone, error) {
	i := slices.IndexFunc(c.undo, func(e memory.UndoEntry) bool { return e.Number == number })
	if i < 0 {
		return api.Undone{}, memory.NewError(memory.CodeConflict, memory.KindUndoNone, "", "it was taken back already")
	}
	if c.fails != nil {
		return api.Undone{}, c.fails
	}
	c.did, c.undo = append(c.did, fmt.Sprint("undone ", number)), slices.Delete(c.undo, i, i+1)
	return api.Undone{}, nil
}

func (c *changing) File(_ context.Context, id string) (memory.ID, []byte, error) {
	text, ok := c.files[id]
	if !ok && id == c.archived {
		return "", nil, memory.NewError(memory.CodeNotFound, memory.KindEditArchived, id, "%s is archived", id)
	}
	if !ok {
		return "", nil, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, id, "there is no memory %s", id)
	}
	return memory.ID(id), []byte(text), nil
}

func (c *changing) EditFile(ctx context.Context, id memory.ID, before, after []byte) (api.Receipt, error) {
	if string(before) != c.files[string(id)] {
		panic("the file was not looked at")
	}
	if err := c.note(ctx, "updated"); err != nil {
		return api.Receipt{}, err
	}
	c.files[string(id)] = string(after)
	return api.Receipt{ID: id}, nil
}

// CheckEdit refuses a text without a header.
func (c *changing) CheckEdit(_ memory.ID, _, after []byte) error {
	if !strings.HasPrefix(string(after), "---") {
		return memory.NewError(memory.CodeInvalid, memory.KindEditedNoHeader, "", "the text has no header any more")
	}
	return nil
}

// Draft takes the first line for the topic.
func (c *changing) Draft(text []byte) api.Draft {
	topic, content, _ := strings.Cut(string(text), "\n")
	return api.Draft{Topic: topic, Content: content, Tags: []string{"db", "pool"}, Importance: memory.Critical}
}

// Fix knows one plan, that of the fixture's fault.
func (c *changing) Fix(ctx context.Context, o api.FixOptions) (api.FixReport, error) {
	if o.Plan != planned(1).Fingerprint() {
		return api.FixReport{}, memory.NewError(memory.CodeConflict, memory.KindPlanMeanwhile, "", "it has changed")
	}
	return planned(1), c.note(ctx, "repaired")
}

func (c *changing) Remember(ctx context.Context, d api.Draft) (api.Receipt, error) {
	c.draft = d
	return api.Receipt{ID: "mem_00000001"}, c.note(ctx, "stored", d.Topic, d.Tags, d.Told)
}

func TestSelectedMemoriesAreChangedTogetherAndBack(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	answer := v.send("/change", url.Values{"what": {"forget"}, "id": {"mem_00000001", "mem_00000002", "mem_00000009"},
		"back": {"memories?q=a"}}.Encode())
	require.Equal(t, http.StatusSeeOther, answer.Code)
	require.Equal(t, []string{"forgotten[mem_00000001 mem_00000002]"}, f.changer(api.ScopeProject).did)
	require.Equal(t, []string{"forgotten[mem_00000009]"}, f.changer(api.ScopeUser).did)
	next := answer.Header().Get("Location")
	require.Regexp(t, `^\./memories\?did=[A-Z2-7]{26}&q=a$`, next)
	page := v.get(next[1:]).Body.String()
	require.Equal(t, 1, strings.Count(page, `action="./undo"`), "one undo for both shelves")
	require.NotContains(t, page, "<img", "the bar escapes what it shows")
	for form, status := range map[string]int{"change=project+7": 409, "change=project": 422, "change=all+1": 422,
		"": 422} {
		require.Equal(t, status, v.send("/undo", form).Code, form)
	}
	require.Equal(t, http.StatusSeeOther, v.send("/change", "what=pin&id=mem_00000003").Code)
	require.Contains(t, v.get(next[1:]).Body.String(), `action="./undo"`, "another change is not in its way")
	undone := v.send("/undo", url.Values{"change": {"project 1", "user 1"}, "back": {"memories"}}.Encode())
	require.Equal(t, http.StatusSeeOther, undone.Code)
	require.Equal(t, "undone 1", f.changer(api.ScopeProject).did[2])
	require.Equal(t, "undone 1", f.changer(api.ScopeUser).did[1])
	require.NotContains(t, v.get(next[1:]).Body.String(), `action="./undo"`, "it was taken back")
	page = v.get(undone.Header().Get("Location")[1:]).Body.String()
	require.Equal(t, 2, strings.Count(page, "Undone"), page)
	require.Equal(t, 2, strings.Count(page, `class="done"`), "no bar is empty")
}

func TestChangesThatAreNotCarriedOut(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	for _, form := range []url.Values{{"what": {"explode"}, "id": {"mem_00000001"}}, {"what": {"forget"}},
		{"what": {"resolve"}, "id": {"mem_00000001"}, "side": {"mine"}}} {
		require.Equal(t, http.StatusUnprocessableEntity, v.send("/change", form.Encode()).Code, form)
	}
	require.Empty(t, f.changer(api.ScopeProject).did)
	f.changer(api.ScopeProject).fails = memory.NewError(memory.CodeBusy, "", "", "another process has the lock")
	answer := v.send("/change", url.Values{"what": {"pin"}, "id": {"mem_00000001"}}.Encode())
	require.Equal(t, http.StatusServiceUnavailable, answer.Code)
	require.Contains(t, answer.Body.String(), "Another process has the lock")
}

// TestARefusalLeadsBack to the view that sent the form, and to no other site.
func TestARefusalLeadsBack(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	for back, link := range map[string]string{"memory/mem_00000001": "./memory/mem_00000001", "": "./",
		"//evil.example": "./", "memories?q=a": "./memories?q=a&amp;selected=mem_00000001%2Cmem_00000002"} {
		for _, what := range []string{"what=tag&id=mem_00000001&id=mem_00000002&tag=+,+",
			"what=untag&id=mem_00000001&id=mem_00000002"} {
			answer := v.send("/change", what+"&back="+url.QueryEscape(back))
			require.Equal(t, http.StatusUnprocessableEntity, answer.Code, what)
			require.Contains(t, answer.Body.String(), "<p><a href=\""+link+"\">", what)
		}
	}
	require.Empty(t, f.changer(api.ScopeProject).did)
}

func TestAfterAChangeThePageStaysOnTheSite(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	for _, back := range []string{"https://evil.example/", "//evil.example/", `\\evil.example`, "/etc", "../../x", "%zz",
		"javascript:alert(1)"} {
		answer := v.send("/change", url.Values{"what": {"pin"}, "id": {"mem_00000001"}, "back": {back}}.Encode())
		require.Regexp(t, `^\./\?did=`, answer.Header().Get("Location"), back)
	}
	form := url.Values{"what": {"forget"}, "id": {"mem_00000001"}, "back": {"memory/mem_00000001"}}
	answer := v.send("/change", form.Encode())
	require.Regexp(t, `^\./memories\?did=`, answer.Header().Get("Location"), "its own page is not there any more")
}

func TestApprovalIsOfWhatWasSeenAndCanBeTakenBack(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	seen := between(t, v.get("/trust").Body.String(), `name="seen-mem_00000001" value="`, `"`)
	form := url.Values{"what": {"approve"}, "id": {"mem_00000001"}, "back": {"trust"}, "seen-mem_00000001": {seen}}
	answer := v.send("/change", form.Encode())
	page := v.get(answer.Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, `name="what" value="unapprove"`)
	require.Contains(t, page, `name="id" value="mem_00000001">`)
	name := between(t, page, `name="approval" value="`, `"`)

	f.changer(api.ScopeProject).files["mem_00000001"] = "a pull brought this"
	refused := v.send("/change", form.Encode())
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Contains(t, refused.Body.String(), "Nothing was approved")
	require.Contains(t, refused.Body.String(), `<a href="./trust?show=mem_00000001#changed">`, "nothing is selected")
	form.Del("seen-mem_00000001")
	require.Equal(t, http.StatusConflict, v.send("/change", form.Encode()).Code)
	require.Equal(t, []string{"approved[mem_00000001]"}, f.changer(api.ScopeProject).did)

	back := url.Values{"what": {"unapprove"}, "id": {"mem_00000001"}, "approval": {name}}
	require.Equal(t, http.StatusSeeOther, v.send("/change", back.Encode()).Code)
	require.Equal(t, "unapproved name1[mem_00000001]", f.changer(api.ScopeProject).did[1], "this approval and no other")
}

func TestEdit(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	c := f.changer(api.ScopeProject)
	page := v.get("/memory/mem_00000001/edit").Body.String()
	require.Contains(t, page, "\nFifty.\n</textarea>")
	require.Contains(t, page, "\n---\ntopic: Pool\n---\n</textarea></details>", "its header is apart")
	version := between(t, page, `name="version" value="`, `"`)
	form := url.Values{"version": {version}, "header": {"---\r\ntopic: Pool\r\n---"},
		"text": {"**Sixty**.\r\n"}}
	preview := v.send("/memory/mem_00000001/edit", form.Encode()+"&preview=1")
	require.Contains(t, preview.Body.String(), "<strong>Sixty</strong>")
	require.Empty(t, c.did, "a preview changes nothing")
	saved := v.send("/memory/mem_00000001/edit", form.Encode())
	require.Equal(t, http.StatusSeeOther, saved.Code)
	require.Equal(t, "---\ntopic: Pool\n---\n**Sixty**.\n", c.files["mem_00000001"])

	did := len(c.did)
	form.Set("version", between(t, v.get("/memory/mem_00000001/edit").Body.String(), `name="version" value="`, `"`))
	same := v.send("/memory/mem_00000001/edit", form.Encode())
	require.Contains(t, v.get(same.Header().Get("Location")[5:]).Body.String(), "Nothing was changed (edit)")
	require.Len(t, c.did, did, "it is not noted, approved or archived")

	form.Set("version", version)
	form.Set("text", "Seventy.\n")
	conflict := v.send("/memory/mem_00000001/edit", form.Encode())
	require.Equal(t, http.StatusConflict, conflict.Code)
	diff := between(t, conflict.Body.String(), `class="diff"`, "</table>")
	require.Contains(t, diff, "Sixty")
	require.Regexp(t, `>The file</th>.*>Yours</th>`, diff)
	require.Contains(t, conflict.Body.String(), "Seventy.\n</textarea>", "what was typed is kept")
	require.Contains(t, c.files["mem_00000001"], "Sixty")
	form.Set("version", between(t, conflict.Body.String(), `name="version" value="`, `"`))
	require.Equal(t, http.StatusSeeOther, v.send("/memory/mem_00000001/edit", form.Encode()).Code)
	require.Contains(t, c.files["mem_00000001"], "Seventy")

	c.fails = memory.NewError(memory.CodeInvalid, "", "", "the text is not a memory")
	form.Set("version", between(t, v.get("/memory/mem_00000001/edit").Body.String(), `name="version" value="`, `"`))
	form.Set("text", "</textarea>"+hostile)
	refused := v.send("/memory/mem_00000001/edit", form.Encode())
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "The text is not a memory")
	require.NotContains(t, refused.Body.String(), "<img")
	require.Equal(t, http.StatusNotFound, v.get("/memory/mem_00000404/edit").Code)
}

func TestNew(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	require.Contains(t, v.get("/new?supersedes=mem_00000001").Body.String(), `name="supersedes" value="mem_00000001"`)
	form := url.Values{"topic": {"A"}, "content": {"B"}, "tags": {"x,y"}, "shelf": {"user"}}
	require.Equal(t, http.StatusSeeOther, v.send("/new", form.Encode()).Code)
	require.Equal(t, []string{"storedA[x y] true"}, f.changer(api.ScopeUser).did)
	f.changer(api.ScopeProject).fails = memory.NewError(memory.CodeSecret, "", "", "there is a credential")
	form.Set("shelf", "project")
	refused := v.send("/new", form.Encode())
	require.Equal(t, http.StatusUnprocessableEntity, refused.Code)
	require.Contains(t, refused.Body.String(), "\nB</textarea>", "what was typed is kept")
}

// between returns the part of a text between two others.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, before)
	require.True(t, found, text)
	part, _, found := strings.Cut(rest, after)
	require.True(t, found)
	return part
}

func TestAPageThatAnswersAFormIsNotFollowed(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	require.Contains(t, v.get("/memory/mem_00000001/edit").Body.String(), "data-version=")
	preview := v.send("/memory/mem_00000001/edit", "preview=1&text=x")
	require.NotContains(t, preview.Body.String(), "data-version=", "it would be replaced by what is stored")
}

func TestAFormThatIsTooLarge(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	answer := enter(t, site).send("/new", "topic="+strings.Repeat("x", 2<<20))
	require.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
	require.Contains(t, answer.Body.String(), "too large")
	require.Empty(t, f.changer(api.ScopeProject).did)
}

// TestARepairIsTheOneThatWasShown shows the plan of now, if another one was shown.
func TestARepairIsTheOneThatWasShown(t *testing.T) {
	f := someMemories()
	f.both = true
	site, _ := newSite(t, f)
	v := enter(t, site)
	shown := between(t, v.get("/health").Body.String(), `name="plan" value="`, `"`)
	answer := v.send("/fix", url.Values{"scope": {"project"}, "plan": {shown}, "back": {"health"}}.Encode())
	require.Equal(t, http.StatusSeeOther, answer.Code)
	require.Equal(t, []string{"repaired"}, f.changer(api.ScopeProject).did)
	require.Contains(t, v.get(answer.Header().Get("Location")[1:]).Body.String(), "repaired in 1 step")
	f.faults = 3
	old := v.get("/health").Body.String()
	require.NotContains(t, old, shown)
	f.faults = 1
	answer = v.send("/fix", url.Values{"scope": {"project"}, "plan": {between(t, old, `name="plan" value="`, `"`)}}.Encode())
	require.Equal(t, http.StatusConflict, answer.Code)
	page := answer.Body.String()
	require.Contains(t, page, "nothing was repaired")
	require.Contains(t, page, shown, "its button is for the plan of now")
	require.Contains(t, page, `href="./health?scope=user"`, "it is no view of /fix")
	require.Len(t, f.changer(api.ScopeProject).did, 1)
	require.Equal(t, http.StatusUnprocessableEntity, v.send("/fix", "scope=project").Code)
}

// TestWhatIsTypedForAMemoryThatIsGone is shown again, and can become a new memory.
func TestWhatIsTypedForAMemoryThatIsGone(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	form := url.Values{"text": {"Pool <b>\r\nSixty."}, "version": {"x"}}
	answer := v.send("/memory/mem_00000002/edit", form.Encode())
	require.Equal(t, http.StatusConflict, answer.Code)
	page := answer.Body.String()
	require.Contains(t, page, "Your text was not stored: the memory was forgotten")
	require.Contains(t, page, "Pool &lt;b&gt;\nSixty.</textarea>")
	require.NotContains(t, page, "restore the old one", "it is not in the archives")
	form.Set("new", "1")
	answer = v.send("/memory/mem_00000002/edit", form.Encode())
	require.Equal(t, http.StatusOK, answer.Code)
	page = answer.Body.String()
	require.Contains(t, page, `action="../../new"`)
	require.Contains(t, page, `name="topic" value="Pool &lt;b&gt;"`)
	require.Contains(t, page, "Sixty.</textarea>")
	require.Contains(t, page, `value="db, pool"`)
	require.Contains(t, page, "not stored yet")
	require.Empty(t, f.changer(api.ScopeProject).did)
	form.Del("new")
	form.Set("preview", "1")
	require.Contains(t, v.send("/memory/mem_00000002/edit", form.Encode()).Body.String(), "Make it a new memory")
	require.Equal(t, http.StatusUnprocessableEntity, v.send("/memory/nothing/edit", form.Encode()).Code)
}

// TestTheTextOfAMemoryThatIsGoneStaysOnItsShelf by the form's word, as nothing else knows where the memory was.
func TestTheTextOfAMemoryThatIsGoneStaysOnItsShelf(t *testing.T) {
	f := someMemories()
	f.changer(api.ScopeUser).files["mem_00000009"] = "---\ntopic: Mine\n---\nPrivate.\n"
	site, _ := newSite(t, f)
	v := enter(t, site)
	const address, shelf = "/memory/mem_00000009/edit", `name="shelf" value="user"`
	page := v.get(address).Body.String()
	require.Contains(t, page, shelf)
	require.Contains(t, v.get("/memory/mem_00000001/edit").Body.String(), `name="shelf" value="project"`)
	form := url.Values{"text": {"Mine\nMore."}, "version": {"old"}, "shelf": {"user"}}
	require.Contains(t, v.send(address, form.Encode()).Body.String(), shelf, "it was changed meanwhile")
	require.Contains(t, v.send(address, form.Encode()+"&preview=1").Body.String(), shelf)
	delete(f.changer(api.ScopeUser).files, "mem_00000009")
	f.nobodys = true
	require.Contains(t, v.send(address, form.Encode()).Body.String(), shelf)
	require.Contains(t, v.send(address, form.Encode()+"&preview=1").Body.String(), shelf)
	page = v.send(address, form.Encode()+"&new=1").Body.String()
	require.Contains(t, page, `<option value="user" selected>`)
	require.Contains(t, page, `<option selected>critical`)
}

// TestTheShelfOfAnOldFormIsAskedFor: a form that is older than the program does not say where its memory was. What a
// person wrote for themselves must not get into the project because of that.
func TestTheShelfOfAnOldFormIsAskedFor(t *testing.T) {
	f := someMemories()
	f.both = true
	site, _ := newSite(t, f)
	v := enter(t, site)
	form := url.Values{"text": {"Mine\nMore."}, "version": {"old"}, "new": {"1"}}
	const asks = `<select name="shelf" required><option value="">choose</option>`
	page := v.send("/memory/mem_00000009/edit", form.Encode()).Body.String()
	require.Contains(t, page, asks)
	answer := v.send("/new", "topic=Mine&content=More.&from=mem_00000009&shelf=")
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), "Choose a shelf")
	require.Contains(t, answer.Body.String(), asks)
	require.Empty(t, f.changer(api.ScopeProject).did)
	require.Empty(t, f.changer(api.ScopeUser).did)

	f.changer(api.ScopeUser).archived = "mem_00000009"
	page = v.send("/memory/mem_00000009/edit", form.Encode()).Body.String()
	require.Contains(t, page, `<option value="user" selected>`, "the archives know")
	f.changer(api.ScopeUser).archived = ""
	f.both = false
	page = v.send("/memory/mem_00000009/edit", form.Encode()).Body.String()
	require.NotContains(t, page, "choose", "there is one shelf")
}

package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestHalfAnUndoSaysSo if one of two shelves cannot be changed, and offers the other half again while it can be had.
func TestHalfAnUndoSaysSo(t *testing.T) {
	for whose, failing := range map[string]api.Scope{"Your own": api.ScopeUser, "The project's": api.ScopeProject} {
		f := someMemories()
		site, _ := newSite(t, f)
		v := enter(t, site)
		v.send("/change", "what=pin&id=mem_00000001&id=mem_00000009")
		form := url.Values{"change": {"project 1", "user 1"}}.Encode()
		f.changer(failing).fails = memory.NewError(memory.CodeBusy, "", "", "another process has the lock")
		undone := v.send("/undo", form)
		require.Equal(t, http.StatusSeeOther, undone.Code, whose)
		address := undone.Header().Get("Location")[1:]
		page := v.get(address).Body.String()
		require.Contains(t, page, "Undone")
		require.Contains(t, strings.ReplaceAll(page, "&#39;", "'"),
			whose+" memories stayed as they are: another process has the lock")
		require.Contains(t, page, `name="change" value="`+string(failing)+` 1"`, "the other half")
		require.Equal(t, 1, strings.Count(page, `name="change"`))

		f.changer(failing).fails = nil
		require.Equal(t, http.StatusSeeOther, v.send("/undo", "change="+string(failing)+"+1").Code)
		require.NotContains(t, v.get(address).Body.String(), `name="change"`)
		require.Equal(t, http.StatusConflict, v.send("/undo", form).Code, "nothing is left to take back")
	}
}

// TestABarNamesWhatItsButtonTakesBack after a part of it was taken back, or is in another change's way.
func TestABarNamesWhatItsButtonTakesBack(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	answer := v.send("/change", "what=forget&id=mem_00000001&id=mem_00000009")
	address := answer.Header().Get("Location")[1:]
	bar := func() string {
		_, form, _ := strings.Cut(v.get(address).Body.String(), `action="./undo"`)
		form, _, _ = strings.Cut(form, "</form>")
		return form
	}
	require.Equal(t, 2, strings.Count(bar(), "Forgot "))
	require.Equal(t, 1, strings.Count(bar(), "your own: Forgot "))
	c := f.changer(api.ScopeProject)
	newer := c.undo[0]
	newer.Number = 8
	c.undo = append([]memory.UndoEntry{newer}, c.undo...)
	require.Equal(t, 1, strings.Count(bar(), "Forgot "))
	require.Equal(t, 1, strings.Count(bar(), "your own: Forgot "))
	require.Equal(t, 1, strings.Count(bar(), `name="change"`))
	c.undo = c.undo[1:]
	f.changer(api.ScopeUser).undo = nil
	require.Equal(t, 1, strings.Count(bar(), "Forgot "))
	require.NotContains(t, bar(), "your own")
	c.undo = nil
	require.Empty(t, bar())
}

// TestAChangeThatIsNotInTheListIsNotDenied, and what someone else changed meanwhile is not offered in its place.
func TestAChangeThatIsNotInTheListIsNotDenied(t *testing.T) {
	f := someMemories()
	f.changer(api.ScopeProject).unnoted = true
	f.changer(api.ScopeProject).undo = []memory.UndoEntry{{Number: 7, ID: "mem_7", Action: "forgotten", Topic: "Old"}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	answer := v.send("/change", url.Values{"what": {"pin"}, "id": {"mem_00000001"}, "back": {"memories"}}.Encode())
	page := v.get(answer.Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, "Pinned. It cannot be taken back here")
	require.NotContains(t, page, `action="./undo"`)
}

func TestNothingIsOfferedForAChangeOfNothing(t *testing.T) {
	f := someMemories()
	f.changer(api.ScopeProject).undo = []memory.UndoEntry{{Number: 7, Action: "forgotten", Topic: "Something older"}}
	f.changer(api.ScopeProject).idle = true
	site, _ := newSite(t, f)
	v := enter(t, site)
	answer := v.send("/change", url.Values{"what": {"pin"}, "id": {"mem_00000001"}, "back": {"memories"}}.Encode())
	page := v.get(answer.Header().Get("Location")[1:]).Body.String()
	require.Contains(t, page, "Nothing was changed (pin)")
	require.NotContains(t, page, `action="./undo"`)
}

func TestAnAddressCannotMakeThePageOfferAnything(t *testing.T) {
	f := someMemories()
	site, _ := newSite(t, f)
	v := enter(t, site)
	for _, address := range []string{"/trust?did=unapprove.project.mem_00000001", "/memories?did=undo.project.1",
		"/?done=All+is+lost", "/?did="} {
		require.NotContains(t, v.get(address).Body.String(), `class="done"`, address)
	}
}

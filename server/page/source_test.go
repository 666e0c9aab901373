package page_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestAFileIsShownAtItsLines opens a file from a memory that speaks of it.
func TestAFileIsShownAtItsLines(t *testing.T) {
	f := someMemories()
	f.files = map[string]string{"db/pool.go": strings.Repeat("line <b>\r\n", 2000), "one": "", "binary": "a\x00b",
		"wide": strings.Repeat(strings.Repeat("<", 5000)+"\n", 5000), "latin": "caf\xe9"}
	f.memories[0].Refs = []api.Ref{{Ref: memory.Ref{Path: "db/pool.go", Line: 1000, End: 1002}, State: memory.RefFresh},
		{Ref: memory.Ref{Path: "old.go", Line: 7}, State: memory.RefMoved, To: "db/pool.go"},
		{Ref: memory.Ref{Path: "gone.go"}, State: memory.RefGone}}
	site, _ := newSite(t, f)
	v := enter(t, site)
	page := v.get("/memory/mem_00000001").Body.String()
	require.Contains(t, page, `href="../file?end=1002&amp;line=1000&amp;path=db%2Fpool.go#L1000"`)
	require.Contains(t, page, `href="../file?line=7&amp;path=db%2Fpool.go#L7"`, "where it is now")
	require.NotContains(t, page, "path=gone")

	page = v.get("/file?end=1002&line=1000&path=db%2Fpool.go").Body.String()
	require.Equal(t, 3, strings.Count(page, `class="meant"`))
	require.Contains(t, page, `<tr id="L1000" class="meant"><th scope="row" class="n">1000</th><td>line &lt;b&gt;</td></tr>`)
	require.Contains(t, page, `id="L960"`)
	require.NotContains(t, page, `id="L959"`)
	require.Contains(t, page, "← before")
	require.Contains(t, page, "after →")
	require.NotContains(t, v.get("/file?path=db/pool.go").Body.String(), "← before")
	for _, path := range []string{"db/pool.go&line=2000", "db/pool.go&line=99999999", "db/pool.go&line=-3", "wide",
		"one", "wide&line=4999"} {
		answer := v.get("/file?path=" + path)
		require.Equal(t, 200, answer.Code, path)
		require.Less(t, answer.Body.Len(), 150_000, path)
	}
	for _, path := range []string{"binary", "latin", "/etc/passwd", "../x", "db/../../x", ".git/config", "a/.GIT/x",
		"C:x", `a\b`, "", ".", "a\x00b"} {
		require.Equal(t, 422, v.get("/file?path="+url.QueryEscape(path)).Code, path)
	}
	require.Equal(t, 404, v.get("/file?path=none").Code)
}

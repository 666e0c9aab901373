package page_test

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// linkIn finds where the links of a file lead.
var linkIn = regexp.MustCompile(`href="([^"]*)"`)

func TestExport(t *testing.T) {
	f := someMemories()
	for i := range 119 {
		f.memories = append(f.memories, api.Detail{ID: memory.ID(fmt.Sprintf("mem_%08x", i+2)),
			Topic: fmt.Sprintf("Topic %d", i), Content: `[why](https://example.org/) and [not](../../etc/passwd)` + hostile})
	}
	f.proposed.pending = []api.Candidate{{ID: "cand_1", Topic: "Pool", Text: "Fifty."}}
	site, _ := newSite(t, f)
	files := map[string]string{}
	n, err := site.Export(t.Context(), func(name string, data []byte) error {
		require.NotContains(t, files, name, "written twice")
		files[name] = string(data)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, files, n)
	require.LessOrEqual(t, n, 30, "a folder that can be looked at")
	for _, name := range []string{"index.html", "memories.html", "memories-3.html", "memory-1.html", "memory-2.html",
		"fading.html", "trust.html", "health.html", "time.html", "graph.html", "packets.html", "conflicts.html",
		"candidates.html", "review.html"} {
		require.Contains(t, files, name)
	}
	require.Contains(t, files["index.html"], "Pool size")
	require.Contains(t, files["packet-1.html"], `<section class="sheet" id="a-change-of-plan"`)
	require.Contains(t, files["memory-1.html"], "<p>Fifty connections.</p>")
	require.Contains(t, files["memory-1.html"], `<pre class="block">Fifty connections.</pre>`, "its file")
	require.Equal(t, 100, strings.Count(files["memory-1.html"], `<section class="sheet"`))
	require.Equal(t, 20, strings.Count(files["memory-2.html"], `<section class="sheet"`))
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, tag := range []string{"<form", "<button", "<input", "<script", "<select", "<dialog", "<img"} {
			require.NotContains(t, text, tag, name)
		}
		for _, link := range linkIn.FindAllStringSubmatch(text, -1) {
			to, err := url.Parse(strings.ReplaceAll(link[1], "&amp;", "&"))
			require.NoError(t, err)
			if to.Path == "" || to.Host == "example.org" {
				continue
			}
			require.Empty(t, to.Scheme+to.Host+to.RawQuery, "%s leads to %s", name, link[1])
			require.Contains(t, files, path.Join(path.Dir(name), to.Path), "%s leads to %s", name, link[1])
			if strings.HasPrefix(to.Path, "./memory-") {
				require.Contains(t, files[path.Clean(to.Path)], `id="`+to.Fragment+`"`, "%s leads to %s", name, link[1])
			}
		}
	}
	full := errors.New("the disk is full")
	_, err = site.Export(t.Context(), func(string, []byte) error { return full })
	require.ErrorIs(t, err, full)
}

// exportOf returns the files of an export.
func exportOf(t *testing.T, f *fixture) map[string]string {
	t.Helper()
	site, _ := newSite(t, f)
	files := map[string]string{}
	_, err := site.Export(t.Context(), func(name string, data []byte) error {
		files[name] = string(data)
		return nil
	})
	require.NoError(t, err)
	return files
}

// TestExportHasWhatChanged in each version of a memory, and in what came from elsewhere.
func TestExportHasWhatChanged(t *testing.T) {
	f := someMemories()
	f.past = api.Past{Entries: []api.PastEntry{{Before: []byte("Forty."), After: []byte("Fifty.")},
		{Commit: strings.Repeat("a1", 20), Time: new(time.Unix(1e9, 0)), After: []byte("Forty.")}}}
	f.approved = "Forty."
	files := exportOf(t, f)
	page := files["memory-1.html"]
	for _, change := range []string{"now", strings.Repeat("a1", 20)} {
		id := "mem_00000001-change-" + change
		require.Contains(t, page, `href="./memory-1.html#`+id+`"`)
		require.Contains(t, page, `<section class="sheet" id="`+id+`"><a href="./memory-1.html#mem_00000001">`)
	}
	require.Equal(t, 2, strings.Count(page, `class="diff"`))
	require.Equal(t, 1, strings.Count(page, `id="mem_00000001-history"`), "an id is there once")
	require.NotContains(t, page, "now-history", "of a change, only what it did")
	require.Contains(t, files["trust.html"], `href="./trust-show-mem_00000001.html#changed"`)
	require.Contains(t, files["trust-show-mem_00000001.html"], "<mark>")
}

// TestExportLeavesLinksToElsewhere alone, also those that name the host of the export.
func TestExportLeavesLinksToElsewhere(t *testing.T) {
	f := someMemories()
	f.memories[0].Content = "[mine](http://localhost/memory/a) [page](http://localhost/memories?page=0) " +
		"[report](https://example.org/issues/new) [wiki](https://example.org/wiki/edit?section=1)"
	page := exportOf(t, f)["memory-1.html"]
	require.Contains(t, page, `href="https://example.org/issues/new"`)
	require.Contains(t, page, `href="https://example.org/wiki/edit?section=1"`)
	require.NotContains(t, page, "Correct it")
	require.Contains(t, page, `href="http://localhost/memory/a"`)
	require.Contains(t, page, `href="http://localhost/memories?page=0"`)
}

// TestExportKeepsBoxesOfTasks as signs: they are of the text.
func TestExportKeepsBoxesOfTasks(t *testing.T) {
	f := someMemories()
	f.memories[0].Content = "- [x] measured\n- [ ] written down\n"
	page := exportOf(t, f)["memory-1.html"]
	require.Regexp(t, `<li>☑ +measured</li>\s*<li>☐ +written down</li>`, page)
}

// TestExportHasNoPageInPlaceOfAFile: a memory may go while it is written.
func TestExportHasNoPageInPlaceOfAFile(t *testing.T) {
	f := someMemories()
	f.fileErr = memory.NewError(memory.CodeNotFound, "", "", "it went meanwhile")
	require.NotContains(t, exportOf(t, f)["memory-1.html"], "Its file")
}

// TestExportGoesOnAfterAPageThatFails unless it is the first.
func TestExportGoesOnAfterAPageThatFails(t *testing.T) {
	f := someMemories()
	f.graphErr = memory.NewError(memory.CodeBusy, "", "", "another process is writing")
	files := exportOf(t, f)
	require.Contains(t, files["graph.html"], "Another process is writing")
	require.Contains(t, files, "packets.html", "what follows it")

	f.contextErr = f.graphErr
	site, _ := newSite(t, f)
	_, err := site.Export(t.Context(), func(string, []byte) error { return nil })
	require.ErrorContains(t, err, "503")
}

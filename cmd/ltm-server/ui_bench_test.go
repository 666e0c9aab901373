package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/server/page"
)

// visitor is a browser that was let in to a page over real stores.
type visitor struct {
	t      testing.TB
	site   *page.Site
	cookie *http.Cookie

	prepared chan struct{} // closed when what later views need is ready
}

// openSite opens the page of a project, and of a person beside it.
func openSite(t testing.TB, project, person string) visitor {
	t.Helper()
	a := &app{stdout: io.Discard, stderr: io.Discard, getenv: func(name string) string {
		return map[string]string{"CLAUDE_PROJECT_DIR": project, "LTM_USER_DIR": person, "HOME": t.TempDir()}[name]
	}}
	o := uiOptions{}
	place := locate.Store(a.uiEnv(o).Where())
	options, prepared := a.siteOptions(o, place, func() {}), make(chan struct{})
	prepare := options.Prepare
	options.Prepare = func() {
		defer close(prepared)
		prepare()
	}
	site, err := page.New(options)
	require.NoError(t, err)
	link, err := site.Link()
	require.NoError(t, err)
	v := visitor{t: t, site: site, prepared: prepared}
	in := v.get("/" + link)
	require.Equal(t, http.StatusOK, in.Code)
	v.cookie = in.Result().Cookies()[0]
	return v
}

func (v visitor) get(address string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(v.t.Context(), http.MethodGet, "http://localhost"+address, nil)
	if v.cookie != nil {
		r.AddCookie(v.cookie)
		r.AddCookie(&http.Cookie{Name: "ltm_zone", Value: "UTC"}) // as the page's script does
	}
	w := httptest.NewRecorder()
	v.site.ServeHTTP(w, r)
	return w
}

// fill writes n memories of about a kilobyte into a project's store.
func fill(t testing.TB, project string, n int) {
	t.Helper()
	dir := filepath.Join(project, ".claude", "ltm", "memories")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for i := range n {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_f%07x", i)),
			Topic: fmt.Sprintf("Topic number %d about component %d", i, i%97),
			Tags:  []string{"bench", fmt.Sprint("component-", i%97)}, Difficulty: float64(i%100) / 100,
			CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute),
			Summary:   "What was learned about it.",
			Content:   strings.Repeat(fmt.Sprintf("Detail %d of the component. ", i), 35)}
		if i > 0 {
			m.Related = []memory.ID{memory.ID(fmt.Sprintf("mem_f%07x", i/4))}
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, m.ID.File()), memfile.Format(m), 0o644))
	}
}

// BenchmarkPage asks for each view of a project with 1,000 and 10,000 memories: at most 50 and 150 ms for a view, and
// 20 ms for a search of 1,000. "first" is a page that was just started.
func BenchmarkPage(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		project, person := b.TempDir(), filepath.Join(b.TempDir(), "person")
		fill(b, project, n)
		v := openSite(b, project, person)
		require.Equal(b, http.StatusOK, v.get("/").Code)
		<-v.prepared
		for name, address := range map[string]string{"next": "/", "list": "/memories", "memory": "/memory/mem_f0000001",
			"deep": "/memories?page=15&sort=topic", "search": "/memories?q=detail+of+component+12",
			"ordered": "/memories?q=detail+of+component+12&sort=age",
			"explain": "/memories?q=component+12&explain=1&include=all", "time": "/time",
			"graph": "/graph?all", "near": "/graph?of=mem_f0000001&depth=2"} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				size := 0
				for b.Loop() {
					answer := v.get(address)
					require.Equal(b, http.StatusOK, answer.Code)
					size = answer.Body.Len()
				}
				b.ReportMetric(float64(size), "bytes/page")
			})
		}
		b.Run(fmt.Sprintf("first/%d", n), func(b *testing.B) {
			for b.Loop() {
				v := openSite(b, project, person)
				require.Equal(b, http.StatusOK, v.get("/").Code)
				b.StopTimer()
				<-v.prepared
				b.StartTimer()
			}
		})
	}
}

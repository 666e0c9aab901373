package page

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// mostExported bounds the files of an export.
const mostExported = 100_000

// Export writes the pages that are read as files that link to each other and work without a server: the views of the
// navigation with all their pages, each memory and packet that they lead to, what each change did to a memory, and each
// memory's file. What needs the
// program is left out: forms, the script, and links to other choices than these. A page that fails says why, unless
// it is the first: then the export fails. put gets each file once, by a path with slashes below one directory; the
// first is index.html. It returns how many files there are.
func (s *Site) Export(ctx context.Context, put func(name string, data []byte) error) (int, error) {
	e := &exporter{site: s, put: put, names: map[string]bool{}}
	e.add("/", "index.html")
	for len(e.open) > 0 {
		if err := ctx.Err(); err != nil {
			return e.written, err
		}
		next := e.open[0]
		e.open = e.open[1:]
		if err := e.write(ctx, next); err != nil {
			return e.written, err
		}
	}
	for _, name := range []string{s.assets.style, s.assets.icon} {
		if err := e.store(name, s.assets.contents[strings.TrimPrefix(name, "assets/")]); err != nil {
			return e.written, err
		}
	}
	return e.written, nil
}

type exporter struct {
	site    *Site
	put     func(string, []byte) error
	names   map[string]bool // of files that are or will be written
	open    []exportedPage
	written int
}

// exportedPage is an answer of the site that becomes a file.
type exportedPage struct{ address, name string }

// add notes a page to be written.
func (e *exporter) add(address, name string) {
	if !e.names[name] {
		e.names[name] = true
		e.open = append(e.open, exportedPage{address, name})
	}
}

func (e *exporter) store(name string, data []byte) error {
	if e.written++; e.written > mostExported {
		return fmt.Errorf("there are more than %d files to write", mostExported)
	}
	return e.put(name, data)
}

// write asks the site for a page, as its visitor does, and stores it.
func (e *exporter) write(ctx context.Context, page exportedPage) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, exportBase+page.address, nil)
	if err != nil {
		return err
	}
	r.AddCookie(&http.Cookie{Name: e.site.wall.cookie, Value: e.site.wall.session})
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	e.site.ServeHTTP(answer, r)
	if answer.status != http.StatusOK && e.written == 0 { // any other page says that it failed, and why
		return fmt.Errorf("%s is answered by %d: %s", page.address, answer.status, http.StatusText(answer.status))
	}
	data, isPage := answer.body.Bytes(), strings.HasPrefix(answer.header.Get("Content-Type"), "text/html")
	if isRaw := strings.HasSuffix(page.name, ".md"); isRaw && answer.status != http.StatusOK {
		return nil // a page in its place would be taken for the memory
	}
	if !isPage && strings.HasSuffix(page.name, ".html") { // not even its failure can be rendered
		data, isPage = []byte("<!DOCTYPE html><title>Failed</title><p>"+html.EscapeString(string(data))), true
	}
	if isPage {
		if data, err = e.convert(r.URL, page.name, data); err != nil {
			return err
		}
	}
	return e.store(page.name, data)
}

// recorder is an answer in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements [http.ResponseWriter].
func (k *recorder) Header() http.Header { return k.header }

// WriteHeader implements [http.ResponseWriter].
func (k *recorder) WriteHeader(status int) { k.status = status }

// Write implements [http.ResponseWriter].
func (k *recorder) Write(p []byte) (int, error) { return k.body.Write(p) }

// exportBase is where the site is while it is exported.
const exportBase = "http://localhost"

// exportedID is what may be the name of a file.
var exportedID = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

// exportChange returns the file of the page that shows what a change did to a memory, or "" for one that is not
// exported.
func exportChange(base string, q url.Values) string {
	change := q.Get("change")
	if len(q) != 1 || !exportedID.MatchString(change) {
		return ""
	}
	return base + "-change-" + change + ".html"
}

// exportName returns the file of a page, or "" for one that is not exported.
func exportName(u *url.URL) string {
	q := u.Query()
	base := strings.TrimPrefix(u.Path, "/")
	allowed := map[string][]string{"": nil, "memories": {"page"}, "fading": {"scope", "page"},
		"trust": {"scope", "show"}, "conflicts": {"scope"}, "health": {"scope"}, "time": {"scope"},
		"graph": {"all", "of"}, "packets": nil}
	keys, known := allowed[base]
	if !known {
		kind, id, _ := strings.Cut(base, "/")
		id, raw := strings.CutSuffix(id, "/file")
		isPage := kind == "memory" || kind == "packet" && !raw
		switch {
		case !isPage || !exportedID.MatchString(id):
			return ""
		case len(q) > 0 && kind == "memory" && !raw:
			return exportChange(base, q)
		case len(q) > 0:
			return ""
		case raw:
			return base[:len(base)-len("/file")] + ".md"
		}
		return base + ".html"
	}
	name := base
	if base == "" {
		name = "index"
	}
	for _, key := range keys {
		value := q.Get(key)
		page, _ := strconv.Atoi(value)
		switch {
		case !q.Has(key) || key == "scope" && value == "project" || page == 1:
		case key == "page" && page > 1 || key == "scope" && value == "user":
			name += "-" + value
		case key == "all" && value == "":
			name += "-all"
		case (key == "of" || key == "show") && exportedID.MatchString(value):
			name += "-" + key + "-" + value
		default:
			return ""
		}
		q.Del(key)
	}
	if len(q) > 0 {
		return ""
	}
	return name + ".html"
}

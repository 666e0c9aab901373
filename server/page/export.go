package page

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
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
		"trust": {"scope", "show"}, "conflicts": {"scope"}, "candidates": nil, "health": {"scope"}, "time": {"scope"},
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

// exportPolicy is what an exported page may do: nothing but show itself. A browser does not take files of the same
// directory for its own, so that style and pictures are not named.
const exportPolicy = "script-src 'none'; connect-src 'none'; frame-src 'none'; object-src 'none'; " +
	"form-action 'none'; base-uri 'none'"

// convert makes a page a file that needs no server, and notes the pages that it leads to.
func (e *exporter) convert(at *url.URL, name string, data []byte) ([]byte, error) {
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for _, n := range slices.Collect(doc.Descendants()) {
		switch {
		case n.Type != html.ElementNode:
		case n.DataAtom == atom.Head:
			n.InsertBefore(&html.Node{Type: html.ElementNode, Data: "meta", DataAtom: atom.Meta,
				Attr: []html.Attribute{{Key: "http-equiv", Val: "Content-Security-Policy"},
					{Key: "content", Val: exportPolicy}}}, n.FirstChild)
		case n.DataAtom == atom.Form && has(n, atom.Table):
			unwrap(n)
		case isTask(n):
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: signOf(n)}, n)
			remove(n)
		case needsProgram(n):
			remove(n)
		case n.DataAtom == atom.A:
			e.convertLink(at, name, n)
		case n.DataAtom == atom.Link:
			set(n, "href", up(name)+strings.TrimPrefix(strings.TrimLeft(get(n, "href"), "./"), "/"))
		}
	}
	var out bytes.Buffer
	err = html.Render(&out, doc)
	return out.Bytes(), err
}

// needsProgram reports whether an element does nothing without the program.
func needsProgram(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Form, atom.Dialog, atom.Input, atom.Button, atom.Select, atom.Textarea, atom.Label,
		atom.Footer:
		return true
	case atom.P:
		return strings.HasPrefix(get(n, "class"), "bulk")
	case atom.A:
		u, err := url.Parse(get(n, "href"))
		return err == nil && isInternal(u) && (strings.HasSuffix(u.Path, "/new") || strings.HasSuffix(u.Path, "/edit"))
	}
	return false
}

// isTask reports whether an element is the box of a task in a memory's text, which cannot be ticked.
func isTask(n *html.Node) bool {
	return n.DataAtom == atom.Input && get(n, "type") == "checkbox" && hasKey(n, "disabled")
}

func signOf(task *html.Node) string {
	if hasKey(task, "checked") {
		return "☑"
	}
	return "☐"
}

// isInternal reports whether an address leads to a page of the site. All links of the site's own are relative; one with
// a host is of a memory's text, even if it is the host of the export.
func isInternal(u *url.URL) bool { return u.Scheme == "" && u.Host == "" }

// convertLink leads a link to the file of its page. A link to a page that is not exported becomes text.
func (e *exporter) convertLink(at *url.URL, name string, n *html.Node) {
	href := get(n, "href")
	u, err := url.Parse(href)
	switch {
	case err != nil:
		unwrap(n)
		return
	case !isInternal(u) || strings.HasPrefix(href, "#"):
		return
	}
	to := at.ResolveReference(u)
	file := exportName(to)
	if file == "" {
		if n.Namespace == "" {
			n.Data, n.DataAtom = "span", atom.Span
		}
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" || a.Key == "rel" })
		return
	}
	e.add(to.RequestURI(), file)
	if to.Fragment != "" {
		file += "#" + to.EscapedFragment()
	}
	set(n, "href", up(name)+file)
}

// up returns how a file leads to the directory of all.
func up(name string) string { return "./" + strings.Repeat("../", strings.Count(name, "/")) }

func get(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasKey(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

func set(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = value
		}
	}
}

func has(n *html.Node, what atom.Atom) bool {
	for d := range n.Descendants() {
		if d.DataAtom == what {
			return true
		}
	}
	return false
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// unwrap puts what is in an element in its place.
func unwrap(n *html.Node) {
	for n.FirstChild != nil {
		child := n.FirstChild
		n.RemoveChild(child)
		n.Parent.InsertBefore(child, n)
	}
	remove(n)
}

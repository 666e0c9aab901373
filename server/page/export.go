package page

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ltm/memory/api"
)

// mostExported bounds the files of an export.
const mostExported = 100_000

// Export writes the pages that are read as files that link to each other and work without a server: the views of the
// navigation with all their pages, and each memory and packet that they lead to, with what each change did to a memory
// and its file: perFile of them in one file. What needs the program is left out: forms, the script, and links to other
// choices than these. A page that fails says why, unless
// it is the first: then the export fails. put gets each file once, by a path with slashes below one directory; the
// first is index.html. It returns how many files there are.
func (s *Site) Export(ctx context.Context, put func(name string, data []byte) error) (int, error) {
	e := &exporter{site: s, put: put, names: map[string]string{}, count: map[string]int{}, sheets: map[string]*sheets{}}
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
	for _, kind := range slices.Sorted(maps.Keys(e.sheets)) {
		if err := e.flush(kind); err != nil {
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
	names   map[string]string // where pages are or will be, by their names: a file, and a fragment in it
	open    []exportedPage
	written int
	count   map[string]int     // memories and packets, by kind
	sheets  map[string]*sheets // the file of each kind that is being made
}

// perFile is how many memories or packets are in one file.
const perFile = 100

// sheets are the memories or packets of one file, one after the other.
type sheets struct {
	name      string
	doc, main *html.Node
}

// exportedPage is an answer of the site that becomes a file.
type exportedPage struct{ address, name string }

// add notes a page to be written, and returns where it will be. What changed in a memory follows it.
func (e *exporter) add(address, name string) string {
	if at, ok := e.names[name]; ok {
		return at
	}
	at, page := name, exportedPage{address, name}
	kind, id, isSheet := sheetOf(name)
	of, isChange := changeOf(kind, id)
	switch {
	case isChange:
		file, _, _ := strings.Cut(e.names[kind+"/"+of+".html"], "#")
		at = file + "#" + id
		e.open = append([]exportedPage{page}, e.open...)
	case isSheet:
		at = fmt.Sprintf("%s-%d.html#%s", kind, e.count[kind]/perFile+1, id)
		e.count[kind]++
		fallthrough
	default:
		e.open = append(e.open, page)
	}
	e.names[name] = at
	return at
}

// sheetOf returns the kind and the id of a page that shares its file with others.
func sheetOf(name string) (kind, id string, is bool) {
	kind, id, is = strings.Cut(strings.TrimSuffix(name, ".html"), "/")
	return kind, id, is
}

func (e *exporter) store(name string, data []byte) error {
	if e.written++; e.written > mostExported {
		return fmt.Errorf("there are more than %d files to write", mostExported)
	}
	return e.put(name, data)
}

// ask asks the site for an address, as its visitor does.
func (e *exporter) ask(ctx context.Context, address string) (*http.Request, *recorder, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, exportBase+address, nil)
	if err != nil {
		return nil, nil, err
	}
	r.AddCookie(&http.Cookie{Name: e.site.wall.cookie, Value: e.site.wall.session})
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	e.site.ServeHTTP(answer, r)
	return r, answer, nil
}

// write stores a page, or adds it to those of its file.
func (e *exporter) write(ctx context.Context, page exportedPage) error {
	r, answer, err := e.ask(ctx, page.address)
	if err != nil {
		return err
	}
	if answer.status != http.StatusOK && e.written == 0 { // any other page says that it failed, and why
		return fmt.Errorf("%s is answered by %d: %s", page.address, answer.status, http.StatusText(answer.status))
	}
	data := answer.body.Bytes()
	if !strings.HasPrefix(answer.header.Get("Content-Type"), "text/html") { // not even its failure can be rendered
		data = []byte("<!DOCTYPE html><title>Failed</title><p>" + html.EscapeString(string(data)))
	}
	doc, err := e.convert(r.URL, data)
	if err != nil {
		return err
	}
	if kind, id, ok := sheetOf(page.name); ok {
		return e.addSheet(ctx, kind, id, doc, e.names[page.name])
	}
	return e.storeDoc(page.name, doc)
}

func (e *exporter) storeDoc(name string, doc *html.Node) error {
	var out bytes.Buffer
	if err := html.Render(&out, doc); err != nil {
		return err
	}
	return e.store(name, out.Bytes())
}

// flush stores the file of a kind that is being made.
func (e *exporter) flush(kind string) error {
	s := e.sheets[kind]
	if s == nil {
		return nil
	}
	delete(e.sheets, kind)
	return e.storeDoc(s.name, s.doc)
}

// addSheet adds a memory, what changed in it, or a packet to its file.
func (e *exporter) addSheet(ctx context.Context, kind, id string, doc *html.Node, at string) error {
	file, _, _ := strings.Cut(at, "#")
	main := find(doc, "id", "main")
	if main == nil {
		main = find(doc, "", "")
	}
	of, isChange := changeOf(kind, id)
	part := main
	if isChange {
		if part = find(main, "aria-labelledby", "change"); part == nil {
			return nil // it is not known any more
		}
	}
	sheet := element(atom.Section, html.Attribute{Key: "class", Val: "sheet"}, html.Attribute{Key: "id", Val: id})
	if isChange {
		back := element(atom.A, html.Attribute{Key: "href", Val: "./" + at[:strings.Index(at, "#")+1] + of})
		back.AppendChild(&html.Node{Type: html.TextNode, Data: "The memory"})
		sheet.AppendChild(back)
	}
	for _, n := range slices.Collect(part.Descendants()) {
		ownIDs(n, id)
	}
	for part.FirstChild != nil {
		child := part.FirstChild
		part.RemoveChild(child)
		sheet.AppendChild(child)
	}
	if kind == "memory" && !isChange {
		if err := e.addFile(ctx, id, sheet); err != nil {
			return err
		}
	}
	s := e.sheets[kind]
	if s == nil || s.name != file {
		if err := e.flush(kind); err != nil {
			return err
		}
		s = &sheets{file, doc, main}
		e.sheets[kind] = s
	}
	s.main.AppendChild(sheet)
	return nil
}

// addFile adds a memory's file to its sheet. A memory may go while it is written.
func (e *exporter) addFile(ctx context.Context, id string, sheet *html.Node) error {
	_, answer, err := e.ask(ctx, "/memory/"+id+"/file")
	if err != nil || answer.status != http.StatusOK {
		return err
	}
	details, summary, text := element(atom.Details), element(atom.Summary), element(atom.Pre,
		html.Attribute{Key: "class", Val: "block"})
	summary.AppendChild(&html.Node{Type: html.TextNode, Data: "Its file"})
	text.AppendChild(&html.Node{Type: html.TextNode, Data: answer.body.String()})
	details.AppendChild(summary)
	details.AppendChild(text)
	sheet.AppendChild(details)
	return nil
}

// ownIDs makes the ids of an element those of a sheet, as others in its file have the same.
func ownIDs(n *html.Node, sheet string) {
	for i, a := range n.Attr {
		switch {
		case a.Key == "id", a.Key == "aria-labelledby":
			n.Attr[i].Val = sheet + "-" + a.Val
		case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
			n.Attr[i].Val = "#" + sheet + "-" + a.Val[1:]
		}
	}
}

func element(what atom.Atom, attr ...html.Attribute) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: what.String(), DataAtom: what, Attr: attr}
}

// find returns the first element with an attribute or, without one to look for, the body.
func find(n *html.Node, key, value string) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (key == "" && d.DataAtom == atom.Body || key != "" && get(d, key) == value) {
			return d
		}
	}
	return nil
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

// changeInfix is between the id of a memory and the name of a change.
const changeInfix = "-change-"

// changeOf returns the memory of which a sheet shows a change. The id of a packet may be any text.
func changeOf(kind, id string) (of string, is bool) {
	of, _, is = strings.Cut(id, changeInfix)
	return of, is && kind == "memory"
}

// exportChange returns the file of the page that shows what a change did to a memory, or "" for one that is not
// exported.
func exportChange(base string, q url.Values) string {
	change := q.Get("change")
	if len(q) != 1 || !exportedID.MatchString(change) {
		return ""
	}
	return base + changeInfix + change + ".html"
}

// exportName returns the file of a page, or "" for one that is not exported.
func exportName(u *url.URL) string {
	q := u.Query()
	base := strings.TrimPrefix(u.Path, "/")
	allowed := map[string][]string{"": nil, "memories": {"page"}, "review": nil, "stale": {"scope", "page"},
		"fading": {"scope", "page"}, "trust": {"scope", "show"}, "conflicts": {"scope"}, "candidates": nil,
		"tidy": {"scope", "why"}, "health": {"scope"}, "time": {"scope"}, "graph": {"all"}, "packets": nil}
	keys, known := allowed[base]
	if !known {
		kind, id, _ := strings.Cut(base, "/")
		isPage := kind == "memory" || kind == "packet"
		switch {
		case !isPage || !exportedID.MatchString(id):
			return ""
		case len(q) > 0 && kind == "memory":
			return exportChange(base, q)
		case len(q) > 0:
			return ""
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
		case key == "why" && value == api.TidyDisputed:
			name += "-" + value
		case key == "all" && value == "":
			name += "-all"
		case key == "show" && exportedID.MatchString(value):
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

// convert makes a page one that needs no server, and notes the pages that it leads to.
func (e *exporter) convert(at *url.URL, data []byte) (*html.Node, error) {
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
			e.convertLink(at, n)
		case n.DataAtom == atom.Link:
			set(n, "href", "./"+strings.TrimPrefix(strings.TrimLeft(get(n, "href"), "./"), "/"))
		}
	}
	return doc, nil
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
func (e *exporter) convertLink(at *url.URL, n *html.Node) {
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
	file = e.add(to.RequestURI(), file)
	if to.Fragment != "" && !strings.Contains(file, "#") {
		file += "#" + to.EscapedFragment()
	}
	set(n, "href", "./"+file)
}

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

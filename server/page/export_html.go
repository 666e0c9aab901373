package page

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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

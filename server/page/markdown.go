package page

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// maxMarkdown is how much of a text is rendered, and maxRendered how much that may become, in bytes. The whole text is
// in the memory's file.
const (
	maxMarkdown = 64 << 10
	maxRendered = 80 << 10
)

// outerHeadings is how many levels of headings are around a text on a page.
const outerHeadings = 2

// rendered is a text as a page shows it.
type rendered struct {
	HTML template.HTML
	Cut  bool // it is longer than what is shown
}

// markdown renders a text that anyone may have written. Its HTML is shown as text, its images are links, and only
// addresses that [safeAddress] allows lead anywhere. Ids of memories, and lines of the files that a memory refers to,
// are links. root is the relative address of the start page.
func markdown(source, root string, refs ...api.Ref) (rendered, error) {
	var out rendered
	for most := maxMarkdown; ; most /= 2 {
		shown := clipBytes(source, most)
		var html bytes.Buffer
		if err := converter(root, refs).Convert([]byte(safe.Text(shown)), &html); err != nil {
			return out, err
		}
		if html.Len() <= maxRendered || most < 1<<10 {
			out.Cut = len(shown) < len(source)
			out.HTML = template.HTML(html.String()) //nolint:gosec // this is what the converter is for
			return out, nil
		}
	}
}

// clipBytes returns the whole characters in the first bytes of a text.
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// plain returns the first characters of a text as one line, without the signs of markdown that are within lines.
func plain(s string, most int) string {
	if !strings.ContainsAny(s, "*_`[") {
		return safe.ClipLine(s, most)
	}
	source := []byte(clipBytes(s, 4<<10))
	doc := parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...)).Parse(text.NewReader(source))
	var out strings.Builder
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch n := n.(type) {
		case *ast.Paragraph:
			out.WriteByte('\n')
		case *ast.Text:
			if entering {
				out.Write(n.Value(source))
			} else if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte('\n')
			}
		case *ast.AutoLink:
			if entering {
				out.Write(n.Label(source))
			}
		case *ast.RawHTML:
			if entering {
				out.Write(n.Segments.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return safe.ClipLine(strings.TrimSpace(out.String()), most)
}

func converter(root string, refs []api.Ref) goldmark.Markdown {
	// Cells are aligned by an attribute: the page's policy has no styles in it.
	table := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(table, extension.Strikethrough, extension.TaskList, extension.Linkify),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(places(refs), 998)),
			parser.WithASTTransformers(util.Prioritized(taming{root, places(refs)}, 1000))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(literal{}, 1))),
	)
}

// taming is a transformer of goldmark's tree: it takes away what could load something, run something or lead astray.
type taming struct {
	root   string
	places places
}

// Transform implements [parser.ASTTransformer].
func (t taming) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	source := reader.Source()
	var found []ast.Node
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if entering {
			return ast.WalkContinue, nil // inner ones first
		}
		switch n := n.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink:
			found = append(found, n)
		case *ast.CodeSpan:
			if first, ok := n.FirstChild().(*ast.Text); ok && n.ChildCount() == 1 {
				if to := t.places.of(string(first.Value(source))); to != "" {
					found = append(found, n)
				}
			}
		case *ast.Heading:
			n.Level = min(6, n.Level+outerHeadings)
		}
		n.RemoveAttributes()
		return ast.WalkContinue, nil
	})
	for _, n := range found {
		switch n := n.(type) {
		case *ast.Link:
			t.tame(n, n.Destination, "")
		case *ast.Image:
			t.tame(n, n.Destination, "image: ")
		case *ast.AutoLink:
			t.tame(n, n.URL(source), "")
		case *ast.CodeSpan:
			t.lead(n, source)
		}
	}
}

// lead makes a link of a piece of code that is a place, unless it is in a link.
func (t taming) lead(n *ast.CodeSpan, source []byte) {
	for above := n.Parent(); above != nil; above = above.Parent() {
		if above.Kind() == ast.KindLink {
			return
		}
	}
	link, parent := ast.NewLink(), n.Parent()
	address, _ := safeAddress(t.places.of(string(n.FirstChild().(*ast.Text).Value(source))), t.root)
	link.Destination = []byte(address)
	parent.ReplaceChild(parent, n, link)
	link.AppendChild(link, n)
}

// places are the files that a memory refers to. As a parser, it finds places in running text: ids of memories, and
// lines of these files.
type places []api.Ref

// placeForm is what a place may look like.
var placeForm = regexp.MustCompile(`^(?:mem_[0-9a-f]{8}|[\pL\pN_./@+-]+:[0-9]+(?:-[0-9]+)?)\b`)

// of returns the address in the project of a place, or "".
func (p places) of(word string) string {
	if id, err := memory.ParseID(word); err == nil && string(id) == word {
		return word
	}
	named, err := memory.ParseRef(word)
	if err != nil || named.Line == 0 {
		return ""
	}
	at := slices.IndexFunc(p, func(r api.Ref) bool { return r.Path == named.Path && r.State != memory.RefGone })
	for i, r := range p {
		if at >= 0 && p[at].Path == named.Path || !strings.HasSuffix("/"+r.Path, "/"+named.Path) {
			continue
		}
		if at >= 0 && p[at].Path != r.Path {
			return "" // it may be either
		}
		if at < 0 || p[at].State == memory.RefGone {
			at = i
		}
	}
	if at < 0 || p[at].State == memory.RefGone {
		return ""
	}
	lines := strings.TrimPrefix(memory.Ref{Line: named.Line, End: named.End}.String(), ":")
	return (&url.URL{Path: cmp.Or(p[at].To, p[at].Path), Fragment: "L" + lines}).String()
}

// Trigger implements [parser.InlineParser]: a space stands for the beginning of a line, too.
func (places) Trigger() []byte { return []byte{' ', '('} }

// Parse implements [parser.InlineParser].
func (p places) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	skip := 0
	if line[0] == ' ' || line[0] == '(' {
		skip = 1
	}
	word := placeForm.Find(line[skip:])
	to := p.of(string(word))
	if to == "" || pc.IsInLinkLabel() {
		return nil
	}
	at := segment.Start + skip
	if skip > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(at))
	}
	block.Advance(skip + len(word))
	link := ast.NewLink()
	link.Destination = []byte(to)
	link.AppendChild(link, ast.NewTextSegment(text.NewSegment(at, at+len(word))))
	return link
}

// tame replaces a link or an image by a link of the page's own or, if its address is not allowed, by its text and the
// address.
func (t taming) tame(n ast.Node, destination []byte, label string) {
	parent := n.Parent()
	address, ok := safeAddress(string(destination), t.root)
	if auto, isAuto := n.(*ast.AutoLink); isAuto {
		if ok {
			decorate(auto, address)
			return
		}
		parent.ReplaceChild(parent, n, verbatim(string(destination)))
		return
	}
	link := ast.NewLink()
	if label != "" {
		link.AppendChild(link, verbatim(label))
	}
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		link.AppendChild(link, child)
	}
	if ok {
		link.Destination = []byte(address)
		decorate(link, address)
		parent.ReplaceChild(parent, n, link)
		return
	}
	for child := link.FirstChild(); child != nil; child = link.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.ReplaceChild(parent, n, verbatim(" ("+string(destination)+")"))
}

// verbatim is a text that is shown as it is.
func verbatim(s string) *ast.String {
	n := ast.NewString([]byte(s))
	n.SetRaw(true)
	return n
}

// decorate makes a link to elsewhere tell nothing of where it was.
func decorate(n ast.Node, address string) {
	if u, err := url.Parse(address); err == nil && u.Scheme == "" {
		return // it leads to the page itself
	}
	n.SetAttributeString("rel", []byte("noreferrer noopener"))
}

// safeAddress returns the address that a link in a text may lead to: of the web, of mail, within the text or, for an
// id or a path of the project, of the page that shows the memory or the file. root is the relative address of the start
// page.
func safeAddress(raw, root string) (address string, ok bool) {
	if strings.ContainsAny(raw, "\\\x00\t\r\n") || !utf8.ValidString(raw) || safe.Line(raw) != raw {
		return "", false
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return raw, u.Host != "" && u.Opaque == ""
	case "mailto":
		return raw, u.Host == "" && u.Opaque != ""
	case "":
	default:
		return "", false
	}
	if u.Host != "" || u.User != nil || strings.HasPrefix(raw, "//") {
		return "", false
	}
	if u.RawQuery != "" {
		return "", false
	}
	if u.Path == "" {
		return raw, u.Fragment != ""
	}
	if id, err := memory.ParseID(u.Path); err == nil && string(id) == u.Path {
		return root + "memory/" + u.Path, true
	}
	name, ok := inProject(u.Path)
	line, end, _ := memory.ParseRefLines(strings.TrimPrefix(u.Fragment, "L")) // anything else is the whole file
	return root + sourceAddress(name, line, end), ok
}

// literal renders raw HTML as the text that it is.
type literal struct{}

// RegisterFuncs implements [renderer.NodeRenderer].
func (literal) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, literalInline)
	r.Register(ast.KindHTMLBlock, literalBlock)
}

func literalInline(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		writeLines(w, source, n.(*ast.RawHTML).Segments)
	}
	return ast.WalkSkipChildren, nil
}

func literalBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	_, _ = w.WriteString("<pre><code>") // the writer keeps its error
	writeLines(w, source, block.Lines())
	if block.HasClosure() {
		html.DefaultWriter.RawWrite(w, block.ClosureLine.Value(source))
	}
	_, _ = w.WriteString("</code></pre>\n")
	return ast.WalkContinue, nil
}

func writeLines(w util.BufWriter, source []byte, lines *text.Segments) {
	for i := range lines.Len() {
		line := lines.At(i)
		html.DefaultWriter.RawWrite(w, line.Value(source))
	}
}

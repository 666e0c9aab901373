package page

import (
	"bytes"
	"html/template"
	"net/url"
	"strconv"
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
// addresses that [safeAddress] allows lead anywhere. root is the relative address of the start page.
func markdown(source, root string) (rendered, error) {
	var out rendered
	for most := maxMarkdown; ; most /= 2 {
		shown := clipBytes(source, most)
		var html bytes.Buffer
		if err := converter(root).Convert([]byte(safe.Text(shown)), &html); err != nil {
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

func converter(root string) goldmark.Markdown {
	// Cells are aligned by an attribute: the page's policy has no styles in it.
	table := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return goldmark.New(
		goldmark.WithExtensions(table, extension.Strikethrough, extension.TaskList, extension.Linkify),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(taming{root}, 1000))),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(literal{}, 1))),
	)
}

// taming is a transformer of goldmark's tree: it takes away what could load something, run something or lead astray.
type taming struct{ root string }

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
		}
	}
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
		parent.ReplaceChild(parent, n, plain(string(destination)))
		return
	}
	link := ast.NewLink()
	if label != "" {
		link.AppendChild(link, plain(label))
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
	parent.ReplaceChild(parent, n, plain(" ("+string(destination)+")"))
}

// plain is a text that is shown as it is.
func plain(s string) *ast.String {
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

// safeAddress returns the address that a link in a text may lead to: of the web, of mail, within the text or, for a
// path of the project, of the page that shows the file. root is the relative address of the start page.
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
	name, ok := inProject(u.Path)
	line, _ := strconv.Atoi(strings.TrimPrefix(u.Fragment, "L")) // anything else is the whole file
	return root + sourceAddress(name, line, 0), ok
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

package server

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"time"

	"ltm/internal/look"
	"ltm/text/safe"
)

//go:embed pages
var pageFiles embed.FS

// pages are the server's own pages for people. They load nothing from elsewhere. Their script only shows times in the
// reader's zone.
type pages struct {
	byName map[string]*template.Template // those beside /ui/

	ui        map[string]*template.Template // the pages below /ui/
	sheet     []byte                        // the style sheet of all
	sheetName string

	script     []byte // of the pages below /ui/
	scriptName string
}

// pagePolicy is the Content-Security-Policy of all pages, and uiPolicy of those below /ui/.
const (
	pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	uiPolicy   = pagePolicy + "; script-src 'self'"
)

func newPages() (*pages, error) {
	own, err := pageFiles.ReadFile("pages/ui/sheet.css")
	if err != nil {
		return nil, err
	}
	p := &pages{byName: map[string]*template.Template{}, sheet: slices.Concat(look.Sheet(), own)}
	if p.script, err = pageFiles.ReadFile("pages/ui/times.js"); err != nil {
		return nil, err
	}
	p.sheetName, p.scriptName = nameOf(p.sheet), nameOf(p.script)
	style := func() string { return "ui/style.css?v=" + p.sheetName }
	for _, name := range []string{"device.html", "docs.html"} {
		t := template.New("layout.html").Funcs(template.FuncMap{"style": style})
		if p.byName[name], err = t.ParseFS(pageFiles, "pages/layout.html", "pages/"+name); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
	}
	return p, p.parseUI()
}

// parseUI reads the templates of the pages below /ui/.
func (p *pages) parseUI() error {
	p.ui = map[string]*template.Template{}
	functions := template.FuncMap{"link": link, "human": humanTime, "line": safe.Line, "text": safe.Text,
		"clip": clipped}
	base, err := template.New("layout.html").Option("missingkey=zero").Funcs(functions).ParseFS(pageFiles,
		"pages/ui/layout.html", "pages/ui/parts.html")
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for _, name := range []string{"sign-in", "fault", "packets", "packet", "teams", "team", "tokens", "app", "user",
		"profile", "claim", "threads", "thread", "summary", "jobs"} {
		t, err := base.Clone()
		if err == nil {
			p.ui[name], err = t.ParseFS(pageFiles, "pages/ui/"+name+".html")
		}
		if err != nil {
			return fmt.Errorf("page %s: %w", name, err)
		}
	}
	return nil
}

// humanTime returns a time of the interface as people read it.
func humanTime(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.UTC().Format("2 Jan 2006, 15:04") + " UTC"
}

// clipped returns the beginning of a text, in one line.
func clipped(most int, text string) string { return safe.ClipLine(text, most) }

// sendUI answers with a page below /ui/, or returns why it cannot be made.
func (p *pages) sendUI(w http.ResponseWriter, status int, v *view) error {
	var b bytes.Buffer
	if err := p.ui[v.Body].Execute(&b, v); err != nil {
		return fmt.Errorf("page %s: %w", v.Body, err)
	}
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	sendHTML(w, status, b.Bytes(), uiPolicy)
	return nil
}

// send answers with a page.
func (p *pages) send(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := p.byName[name].Execute(&b, data); err != nil {
		problem(kindInternal, "internal error").write(w)
		return
	}
	sendHTML(w, status, b.Bytes(), pagePolicy)
}

// sendHTML answers with a page.
func sendHTML(w http.ResponseWriter, status int, body []byte, policy string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	// Not no-referrer: forms would come with the Origin "null", as from another site.
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone
}

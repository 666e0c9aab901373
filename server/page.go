package server

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
)

//go:embed pages
var pageFiles embed.FS

// pages are the server's own pages for people. They load nothing and run no script.
type pages struct {
	byName map[string]*template.Template
	policy string // Content-Security-Policy
}

func newPages() (*pages, error) {
	style, err := pageFiles.ReadFile("pages/style.css")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(style)
	p := &pages{byName: map[string]*template.Template{},
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"}
	for _, name := range []string{"device.html", "docs.html"} {
		css := func() template.CSS { return template.CSS(style) }
		t := template.New("layout.html").Funcs(template.FuncMap{"style": css})
		if p.byName[name], err = t.ParseFS(pageFiles, "pages/layout.html", "pages/"+name); err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
	}
	return p, nil
}

// send answers with a page.
func (p *pages) send(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := p.byName[name].Execute(&b, data); err != nil {
		problem(kindInternal, "internal error").write(w)
		return
	}
	p.sendHTML(w, status, b.Bytes())
}

func (p *pages) sendHTML(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", p.policy)
	h.Set("X-Frame-Options", "DENY")
	// Not no-referrer: forms would come with the Origin "null", as from another site.
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone
}

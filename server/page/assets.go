package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"ltm/internal/look"
)

//go:embed assets pages
var embedded embed.FS

// assets are the style, the script and the icon. Each is one file for the browser, made of files in their order.
type assets struct {
	style, script, icon string // addresses, with a checksum of the contents
	contents            map[string][]byte
}

func newAssets() assets {
	a := assets{contents: map[string][]byte{}}
	a.style = a.add("style", ".css", look.Sheet())
	a.script = a.add("script", ".js")
	a.icon = a.add("icon", ".svg")
	return a
}

// add joins what is given and the files of a directory of assets, and returns the address.
func (a assets) add(dir, ext string, before ...[]byte) string {
	names, _ := fs.Glob(embedded, path.Join("assets", dir, "*"+ext)) // the pattern is well-formed
	slices.Sort(names)
	var all bytes.Buffer
	for _, data := range before {
		all.Write(data)
	}
	for _, name := range names {
		data, _ := embedded.ReadFile(name) // it is part of the program
		all.Write(data)
		all.WriteByte('\n')
	}
	sum := sha256.Sum256(all.Bytes())
	name := dir + "." + hex.EncodeToString(sum[:8]) + ext
	a.contents[name] = all.Bytes()
	return "assets/" + name
}

func (a assets) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, ok := a.contents[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "max-age=31536000, immutable")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// parse reads the templates: each page with the layout and the parts that pages share.
func (s *Site) parse() (map[string]*template.Template, error) {
	shared, err := template.New("").Funcs(s.functions()).ParseFS(embedded, "pages/layout.html", "pages/part-*.html")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(embedded, "pages/*.html")
	if err != nil {
		return nil, err
	}
	pages := map[string]*template.Template{}
	for _, name := range names {
		base := strings.TrimSuffix(path.Base(name), ".html")
		if base == "layout" || strings.HasPrefix(base, "part-") {
			continue
		}
		page, err := shared.Clone()
		if err != nil {
			return nil, err
		}
		if pages[base], err = page.ParseFS(embedded, name); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

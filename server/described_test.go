package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"
)

// description is what a server says of itself, to compare its answers with.
type description struct {
	t      *testing.T
	routes *http.ServeMux
	api    map[string]any

	mu      sync.Mutex
	schemas map[string]*jsonschema.Resolved
}

// describe asks from another address than tests do, because limits count by address.
func describe(p *place) *description {
	p.t.Helper()
	rec, req := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/openapi.json", nil)
	req.RemoteAddr = "198.51.100.77:1"
	p.srv.ServeHTTP(rec, req)
	d := &description{t: p.t, routes: http.NewServeMux(), schemas: map[string]*jsonschema.Resolved{}}
	require.NoError(p.t, json.Unmarshal(rec.Body.Bytes(), &d.api))
	for _, pattern := range p.srv.Patterns() {
		d.routes.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	}
	return d
}

// compare compares an answer with the description of its route: its status is there, and its body has the form. Pages
// are not described, and the errors of OAuth have a form of their own.
func (d *description) compare(what string, a answer) {
	d.t.Helper()
	asked, address, _ := strings.Cut(what, " ")
	req, err := http.NewRequest(asked, address, nil)
	require.NoError(d.t, err)
	_, pattern := d.routes.Handler(req)
	method, path, _ := strings.Cut(pattern, " ")
	item, known := d.api["paths"].(map[string]any)[path].(map[string]any)
	if !known || asked != method || strings.HasPrefix(path, "/oauth/") {
		return
	}
	answers := item[strings.ToLower(method)].(map[string]any)["responses"].(map[string]any)
	as, known := answers[statusText(a.status)].(map[string]any)
	if !known {
		d.t.Errorf("%s: the status %d is not described: %s", pattern, a.status, a.body)
		return
	}
	media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	content, _ := as["content"].(map[string]any)
	form, known := content[media].(map[string]any)
	if len(content) > 0 && len(a.body) > 0 && !known {
		d.t.Errorf("%s: the status %d is not described with %s", pattern, a.status, media)
	}
	schema, _ := form["schema"].(map[string]any)
	ref, _ := schema["$ref"].(string)
	if name, found := strings.CutPrefix(ref, "#/components/schemas/"); found {
		if err := d.schema(name).Validate(a.value(d.t)); err != nil {
			d.t.Errorf("%s: %s: %s", pattern, err, a.body)
		}
	}
}

func (d *description) schema(name string) *jsonschema.Resolved {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.schemas[name] == nil {
		d.schemas[name] = schemaOf(d.t, d.api, name)
	}
	return d.schemas[name]
}

package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// docsPage is the readable page of the API's description.
type docsPage struct {
	Title, Version, Text string
	Groups               []docsGroup
	Problems             []kindOf
}

type docsGroup struct {
	Name   string
	Routes []docsRoute
}

type docsRoute struct {
	ID, Method, Path, Summary, Text string
	Open                            bool
	Call                            *docsCall // nil: its body is a form
	Params                          []docsParam
	Answers                         []docsAnswer
}

// docsCall is a request as the examples have it: the header with the key and what precedes the key there, the body with
// the fields that it needs, and the path as Python's f-strings, the others' templates and Go have it.
type docsCall struct{ Header, Before, Body, Python, Dollar, Go string }

type docsParam struct{ Name, In, Text string }

type docsAnswer struct{ Status, Text string }

// registerDocs serves the description of all routes that are registered by then.
func (s *Server) registerDocs() error {
	api := s.api.OpenAPI()
	for _, unused := range []string{"ErrorModel", "ErrorDetail"} { // huma's own, in place of which we have Problem
		delete(api.Components.Schemas.Map(), unused)
	}
	description, err := json.MarshalIndent(api, "", "  ")
	if err != nil {
		return fmt.Errorf("server: describe the routes: %w", err)
	}
	var html bytes.Buffer
	if err := s.pages.byName["docs.html"].Execute(&html, docsOf(api)); err != nil {
		return fmt.Errorf("server: describe the routes: %w", err)
	}
	s.static("GET /openapi.json", func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(description) // the client is gone
	})
	s.static("GET /docs", func(w http.ResponseWriter) { sendHTML(w, http.StatusOK, html.Bytes(), pagePolicy) })
	return nil
}

// static registers a page that is always the same.
func (s *Server) static(pattern string, send func(http.ResponseWriter)) {
	s.router.page(pattern, policy{Access: open}, func(w http.ResponseWriter, _ *http.Request, _ *call) {
		w.Header().Set("Cache-Control", "no-cache")
		send(w)
	})
}

// docsOf arranges a description by groups, and in each in the order of the paths.
func docsOf(api *huma.OpenAPI) docsPage {
	page := docsPage{Title: api.Info.Title, Version: api.Info.Version, Text: api.Info.Description, Problems: kinds()}
	groups := map[string][]docsRoute{}
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		item := api.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			groups[op.Tags[0]] = append(groups[op.Tags[0]], docsRouteOf(api, op))
		}
	}
	for _, name := range []string{"packets", "teams", "invites", "you", "device flow", "threads", "events",
		"claims", "retrieval", "users of applications", "server"} {
		page.Groups = append(page.Groups, docsGroup{name, groups[name]})
	}
	return page
}

func docsRouteOf(api *huma.OpenAPI, op *huma.Operation) docsRoute {
	r := docsRoute{ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Text: op.Description,
		Call: docsCallOf(api, op), Open: len(op.Security) == 0}
	for _, p := range op.Parameters {
		text := p.Description
		if p.Schema != nil && p.Schema.Description != "" && text == "" {
			text = p.Schema.Description
		}
		r.Params = append(r.Params, docsParam{p.Name, p.In, text})
	}
	if op.RequestBody != nil {
		for _, media := range op.RequestBody.Content {
			r.Params = append(r.Params, docsBody(api, media.Schema)...)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r.Answers = append(r.Answers, docsAnswer{status, strings.TrimSuffix(op.Responses[status].Description, ".")})
	}
	return r
}

// docsCallOf makes what the examples of a route have from its description.
func docsCallOf(api *huma.OpenAPI, op *huma.Operation) *docsCall {
	c := docsCall{Python: op.Path}
	if len(op.Security) > 0 {
		c.Header = "X-API-Key"
		if _, token := op.Security[0]["token"]; token {
			c.Header, c.Before = "Authorization", "Bearer "
		}
	}
	if op.RequestBody != nil && op.Method != http.MethodDelete {
		media := op.RequestBody.Content["application/json"]
		if media == nil {
			return nil
		}
		body, _ := json.Marshal(sampleOf(api, media.Schema, "")) // texts alone cannot fail
		c.Body = string(body)
	}
	ofUser := func(p *huma.Param) bool { return p.In == "query" && p.Name == "user_id" }
	if !strings.Contains(c.Body, `"user_id"`) && slices.ContainsFunc(op.Parameters, ofUser) {
		c.Python += "?user_id=ann"
	}
	c.Dollar = strings.ReplaceAll(c.Python, "{", "${")
	c.Go = strings.TrimSuffix(strings.NewReplacer("{", `"+`, "}", `+"`).Replace(`"`+c.Python+`"`), `+""`)
	return &c
}

// sampleOf returns a value of a schema, with the fields that it must have and those without which it says nothing. A
// text is the name of its field.
func sampleOf(api *huma.OpenAPI, schema *huma.Schema, name string) any {
	if schema.Ref != "" {
		schema = api.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case name == "user_id":
		return "ann"
	case schema.Type == huma.TypeArray:
		return []any{sampleOf(api, schema.Items, name)}
	case schema.Type == huma.TypeObject:
		fields := map[string]any{}
		for name, field := range schema.Properties {
			if name == "user_id" || name == "text" && len(schema.Required) == 0 ||
				slices.Contains(schema.Required, name) {
				fields[name] = sampleOf(api, field, name)
			}
		}
		return fields
	}
	return name
}

// docsBody lists the fields of a body.
func docsBody(api *huma.OpenAPI, schema *huma.Schema) (fields []docsParam) {
	if schema.Ref != "" {
		schema = api.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		text := schema.Properties[name].Description
		if slices.Contains(schema.Required, name) {
			text = strings.TrimSpace("Required. " + text)
		}
		fields = append(fields, docsParam{name, "body", text})
	}
	return fields
}

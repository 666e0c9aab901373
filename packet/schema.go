package packet

import "encoding/json"

// schemaDialect is the version of JSON Schema that [Schema] is written in.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the rules for packets of both versions as JSON Schema, indented. It cannot say how many bytes a
// packet may have, that keys may not be repeated, and that a day has to exist: [Parse] checks these.
func Schema() ([]byte, error) {
	rules := document()
	return json.MarshalIndent(map[string]any{
		"$schema":     schemaDialect,
		"title":       "Core Memory Packet (LTM-SPEC-0001)",
		"description": "The state of unfinished work. Lengths are in Unicode code points.",
		"type":        objectForm.schemaType(),
		"oneOf":       []any{rules.schema(Version01), rules.schema(Version02)},
	}, "", "  ")
}

// schema returns what a value may be in a version.
func (r *rule) schema(version string) map[string]any {
	s := map[string]any{"type": r.form.schemaType()}
	switch r.form {
	case textForm:
		if r.least > 0 {
			s["minLength"] = r.least
		}
		if r.most > 0 {
			s["maxLength"] = r.most
		}
		if r.keyword != "" {
			s[r.keyword] = r.allowed
		}
		if r.name == "ltm_version" {
			s["const"] = version
		}
	case listForm:
		s["items"], s["maxItems"] = r.item.schema(version), r.most
	case objectForm:
		properties, required := map[string]any{}, []string{}
		for i := range r.fields {
			f := &r.fields[i]
			if f.newer && version == Version01 {
				continue
			}
			properties[f.name] = f.schema(version)
			if f.required {
				required = append(required, f.name)
			}
		}
		s["properties"], s["additionalProperties"] = properties, false
		if len(required) > 0 {
			s["required"] = required
		}
	}
	return s
}

// schemaType returns what JSON Schema calls a form.
func (f form) schemaType() string {
	return map[form]string{textForm: "string", listForm: "array", objectForm: "object", flagForm: "boolean"}[f]
}

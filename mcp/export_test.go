package mcp

import "encoding/json"

// Schemas returns the input schema of every tool by name, unlisted tools included.
func Schemas(e Engine, p Packets) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	for _, t := range tools(e, p, "") {
		all[t.tool.Name] = t.tool.RawInputSchema
	}
	return all
}

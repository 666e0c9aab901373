package mcp

import "ltm/memory/api"

func forget(e Engine) boundTool {
	s := spec{
		name: "forget", destructive: true,
		description: "Remove a memory from use. Its full text stays in the archives; restore_memory brings it back.",
	}
	params := func(id *string) []param { return []param{memoryID(id)} }
	return bind(s, params, e.Forget, func(f api.Forgotten) string { return f.Message.String() })
}

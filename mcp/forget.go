package mcp

import "ltm/api"

func forget(e Engine) boundTool {
	s := spec{
		name: "forget", destructive: true,
		description: "Take a memory out of use. Its full text stays in the archives; restore_memory brings it back.",
		input:       idSchema,
		output:      `{"type":"object","properties":{"success":{"type":"boolean"},"message":{"type":"string"},"archived":{"type":"boolean"}},"required":["success","message"]}`,
	}
	return bind(s, (*params).id, e.Forget, func(f api.Forgotten) string { return f.Message })
}

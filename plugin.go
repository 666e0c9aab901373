// Package ltm embeds the files of the plugin, so that the program can install them in a project that does not use the
// plugin.
package ltm

import "embed"

// Plugin holds commands/*.md, hooks/hooks.json, .mcp.json and
// .claude-plugin/plugin.json, as the repository has them.
//
//go:embed commands/*.md hooks/hooks.json .mcp.json .claude-plugin/plugin.json
var Plugin embed.FS

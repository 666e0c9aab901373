// Package ltm holds the files that make the plugin, for the program to install
// in a project without it.
package ltm

import "embed"

// Plugin holds commands/*.md, hooks/hooks.json, .mcp.json and
// .claude-plugin/plugin.json, as the repository has them.
//
//go:embed commands/*.md hooks/hooks.json .mcp.json .claude-plugin/plugin.json
var Plugin embed.FS

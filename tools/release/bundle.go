package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// The formats that are written: of an MCP bundle (MCPB), and of an entry in the MCP registry.
const (
	bundleVersion = "0.3"
	entrySchema   = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
)

// plugin is what the plugin's manifest says about ltm.
type plugin struct {
	DisplayName string   `json:"displayName"`
	Description string   `json:"description"`
	Author      object   `json:"author"`
	License     string   `json:"license"`
	Keywords    []string `json:"keywords"`
}

func readPlugin() (plugin, error) {
	var p plugin
	data, err := os.ReadFile(".claude-plugin/plugin.json")
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	return p, err
}

// bundle makes the file by which a desktop application installs the MCP server for one project.
func bundle(t target, version string, date time.Time, program file) (name string, data []byte, err error) {
	about, err := readPlugin()
	if err != nil {
		return "", nil, err
	}
	system := t.os
	if system == "windows" {
		system = "win32" // as Node calls it
	}
	program.name = "server/" + program.name
	manifest, err := indented(object{
		"manifest_version": bundleVersion, "name": "ltm", "version": version, "display_name": about.DisplayName,
		"description": about.Description, "author": about.Author, "license": about.License, "keywords": about.Keywords,
		"compatibility":   object{"platforms": []string{system}},
		"tools_generated": true,
		"server": object{"type": "binary", "entry_point": program.name, "mcp_config": object{
			"command": "${__dirname}/" + program.name,
			"args":    []string{"--directory", "${user_config.project}", "mcp"},
		}},
		"user_config": object{"project": object{"type": "directory", "title": "Project", "required": true,
			"description": "The git repository whose memory is read and written."}},
	})
	if err != nil {
		return "", nil, err
	}
	data, err = zipped([]file{program, {name: "manifest.json", data: manifest, mode: 0o644}}, date)
	return fmt.Sprintf("ltm_%s_%s_%s.mcpb", version, t.os, t.arch), data, err
}

// publication is what the MCP registry is told: where the bundles are, and by what name.
type publication struct {
	url, name string
	packages  []object
}

// add lists a bundle.
func (p *publication) add(name string, data []byte) {
	p.packages = append(p.packages, object{"registryType": "mcpb",
		"identifier": strings.TrimSuffix(p.url, "/") + "/" + name,
		"fileSha256": fmt.Sprintf("%x", sha256.Sum256(data)), "transport": object{"type": "stdio"}})
}

// entry returns server.json.
func (p *publication) entry(version string) ([]byte, error) {
	about, err := readPlugin()
	if err != nil {
		return nil, err
	}
	return indented(object{"$schema": entrySchema, "name": p.name, "title": about.DisplayName, "version": version,
		"description": "Long-term memory as markdown in the project's git repository, for coding agents.",
		"packages":    p.packages})
}

func indented(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}

package main

import (
	"os"
	"path/filepath"

	"ltm/engine/records"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/setup"
)

// offer is memory of another program that init found. It only names it: nothing is imported, or
// read, unasked.
type offer struct {
	Form    string `json:"form"`
	Path    string `json:"path"`
	Command string `json:"command"` // that imports it
}

// whatIs tells a person what an offer is about.
func (o offer) whatIs() string {
	switch o.Form {
	case "auto-memory":
		return "Claude Code's own memory of this project"
	case "server-memory":
		return "the knowledge graph of server-memory"
	}
	return "the project's own store, which LTM_DIR takes the place of"
}

// offers returns what there is to import: in the project, and in the client's own memory of it.
func (a *app) offers(o setup.Options) []offer {
	found := []offer{}
	add := func(form, path string) {
		found = append(found, offer{form, path, "ltm import " + setup.ShellWord(path)})
	}
	if dir := a.autoMemory(o.Project); dir != "" && isRegular(filepath.Join(dir, "MEMORY.md")) {
		add("auto-memory", dir)
	}
	for _, file := range o.Client.Graphs {
		add("server-memory", a.fromHere(filepath.Join(o.Project, file)))
	}
	if dir := filepath.Join(o.Project, filepath.FromSlash(storeFolder)); o.NoStore && holdsMemories(dir) {
		add("predecessor", a.fromHere(dir))
	}
	return found
}

// autoMemory returns the directory in which the client keeps its memory of a project, or "" if it
// is unknown where the client keeps its files. All work trees of a repository share it.
func (a *app) autoMemory(project string) string {
	config, err := filepath.Abs(a.env().ClientConfig())
	if err != nil || a.getenv("CLAUDE_CONFIG_DIR") == "" && a.env().Home() == "" {
		return ""
	}
	if clone, ok := gitdir.Find(project); ok {
		project = clone.Top
		if filepath.Base(clone.Common) == ".git" {
			project = filepath.Dir(clone.Common)
		}
	}
	return filepath.Join(config, "projects", records.Folder(project), "memory")
}

func isRegular(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// holdsMemories reports whether a directory is a store with memories.
func holdsMemories(dir string) bool {
	entries, err := os.ReadDir(filepath.Join(dir, "memories"))
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if _, ok := memory.IDFromFile(entry.Name()); ok {
			return true
		}
	}
	return false
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) staleCommand() *cobra.Command {
	var q api.StaleQuery
	c := &cobra.Command{Use: "stale [ID...]"}
	c.Flags().BoolVar(&q.All, "all", false, "list the files that have not changed, too")
	fails := c.Flags().Bool("exit-code", false, "exit with 1 if a memory is stale")
	c.RunE = func(c *cobra.Command, given []string) error {
		none := api.StaleReport{Memories: []api.StaleMemory{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			q.IDs = s.ids
			done := a.progress("looking at files")
			r, err := e.Stale(c.Context(), q)
			done()
			if err != nil {
				return err
			}
			e.TellCommits(c.Context(), r.Memories)
			return verdict(a, r, nil, !*fails || staleIn(r.Memories) == 0, a.printStale)
		})
	}
	return c
}

func (a *app) verifyRefsCommand() *cobra.Command {
	var q api.VerifyRequest
	c := &cobra.Command{Use: "verify ID...", Args: arguments(anyNumber, anID)}
	c.Flags().BoolVar(&q.Follow, "follow", false, "take the new paths of files that have moved")
	c.RunE = func(c *cobra.Command, given []string) error {
		none := api.VerifyReport{Memories: []api.StaleMemory{}}
		return a.withIDs(c.Context(), given, none, func(e *engine.Engine, s selection) error {
			q.IDs, q.Session = s.ids, a.getenv("CLAUDE_CODE_SESSION_ID")
			r, err := e.Verify(c.Context(), q)
			return answer(a, r, err, func(r api.VerifyReport) error { return a.println(clean(say(r.Message))) })
		})
	}
	return c
}

// staleIn counts the memories of which some file does not hold any more.
func staleIn(all []api.StaleMemory) int {
	n := 0
	for _, m := range all {
		for _, r := range m.Refs {
			if r.State != "" && r.State != memory.RefFresh {
				n++
				break
			}
		}
	}
	return n
}

func (a *app) printStale(r api.StaleReport) error {
	rows := [][]string{}
	for _, m := range r.Memories {
		for _, ref := range m.Refs {
			newest := ""
			if len(ref.Commits) > 0 {
				newest = commitText(ref.Commits[0])
			}
			rows = append(rows, a.markedRow([]string{string(m.ID), refState(ref), cell(ref.String()), field(newest),
				cell(m.Topic)}, 4, m.Foreign))
		}
	}
	total := fmt.Sprintf("%d of %s stale (%s)", staleIn(r.Memories),
		plural.Of(r.Checked, "memory with refs is", "memories with refs are"), plural.Of(r.Files, "file", "files"))
	if r.Unchecked > 0 {
		total += fmt.Sprintf("; %s not looked at", plural.Of(r.Unchecked, "ref", "refs"))
	}
	return a.table("ID|STATE|FILE|COMMIT|TOPIC", rows, total)
}

// refState says what became of a file.
func refState(r api.Ref) string {
	switch r.State {
	case memory.RefMoved:
		return "moved to " + cell(r.To)
	case "":
		return "unknown"
	}
	return string(r.State)
}

func commitText(c api.RefCommit) string {
	return c.Hash[:min(len(c.Hash), 8)] + " " + c.At.Format("2006-01-02") + " " + c.Subject
}

// refLines returns the files that a memory refers to, and the commits that changed them.
func refLines(d api.Detail) []string {
	var lines []string
	for _, r := range d.Refs {
		lines = append(lines, cell(r.String())+" ("+refState(r)+")")
		for _, c := range r.Commits {
			lines = append(lines, "  "+cell(commitText(c)))
		}
	}
	return lines
}

// patchRefs adds the flag to a command that changes a memory, and returns what puts its values into the patch.
func (a *app) patchRefs(c *cobra.Command, p *api.Patch) func() {
	var given []string
	refFlag(c, &given, `replace the files that it speaks of, see "ltm remember"; "" removes them all`)
	return func() {
		if c.Flags().Changed("ref") {
			given = a.refsFromHere(slices.DeleteFunc(given, func(r string) bool { return r == "" }))
			p.Refs = &given
		}
	}
}

// refFlag adds --ref to a command that writes a memory.
func refFlag(c *cobra.Command, to *[]string, usage string) {
	c.Flags().StringArrayVar(to, "ref", nil, usage)
}

// refsFromHere returns references with the paths that memories have, from the top of the work tree: those to files
// of the directory in which the command runs are rewritten, and others stay.
func (a *app) refsFromHere(given []string) []string {
	files := a.env().WorkTree(a.place(), false)
	if files == nil || len(given) == 0 {
		return given
	}
	out := slices.Clone(given)
	for i, text := range out {
		name, place := text, ""
		if at := strings.IndexByte(text, '#'); at >= 0 {
			name, place = text[:at], text[at:]
		} else if at := strings.LastIndexByte(text, ':'); at >= 0 {
			if _, _, ok := memory.ParseRefLines(text[at+1:]); ok {
				name, place = text[:at], text[at:]
			}
		}
		whole, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		if _, err := os.Lstat(whole); err != nil {
			continue
		}
		if rel, ok := files.Rel(whole); ok {
			out[i] = rel + place
		}
	}
	return out
}

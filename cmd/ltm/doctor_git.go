package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"time"

	"ltm"
	"ltm/setup"
	"ltm/store"
)

// A name in memories/ stands for all memories, and one in .cache for it.
const anyMemory = "memories/mem_00000000.md"

// sharedFiles and localFiles are what git should track, and ignore.
func sharedFiles() []string { return []string{anyMemory, "index.json"} }
func localFiles() []string  { return []string{"state.json", "stats.json", ".lock", ".cache/x"} }

// git looks whether memories are shared, and counters not.
func (d *doctor) git(ctx context.Context) finding {
	dir, prefix := d.place.Dir, ""
	if !d.engine.Exists() {
		dir, prefix = d.project, store.Folder+"/"
	}
	if onPath("git") == "" {
		return fine("git is not installed, so memories stay where they are")
	}
	if inside, err := git(ctx, dir, "rev-parse", "--is-inside-work-tree"); err != nil || strings.TrimSpace(inside) != "true" {
		if err == nil || strings.Contains(err.Error(), "not a git repository") {
			return fine("not in a git work tree, so memories stay where they are")
		}
		return warn("git does not say: "+err.Error(), "see to git, and look again")
	}
	rules, err := ignoreRules(ctx, dir, prefix, append(sharedFiles(), localFiles()...))
	if err != nil {
		return warn("git does not say: "+err.Error(), "see to git, and look again")
	}
	for _, name := range sharedFiles() {
		if rule, ignored := rules[prefix+name]; ignored {
			return warn("git ignores memories: "+rule.String(), rule.remedy())
		}
	}
	if prefix != "" {
		return fine("memories will be shared")
	}
	return d.local(ctx, dir, rules)
}

// local looks at what belongs to this clone alone.
func (d *doctor) local(ctx context.Context, dir string, rules map[string]ignoreRule) finding {
	tracked, err := git(ctx, dir, append([]string{"ls-files", "--"}, localFiles()...)...)
	if err != nil {
		return warn("git does not say: "+err.Error(), "see to git, and look again")
	}
	if names := strings.Fields(tracked); len(names) > 0 {
		return warn("git tracks "+strings.Join(names, ", ")+", which belongs to one clone", "git rm --cached "+strings.Join(names, " ")+", in "+dir)
	}
	for _, name := range localFiles() {
		if _, ignored := rules[name]; !ignored {
			return warn("git does not ignore "+name, `"ltm fix" adds the lines that `+store.Folder+"/.gitignore lacks; take out what undoes them")
		}
	}
	found := "memories are shared, and counters ignored"
	driver := mergeDriver(ctx, d.project)
	if driver == nil || driver.Command == "" {
		return fine(found + "; indexes are merged as text, which the next change mends (ltm init registers a driver)")
	}
	if program := setup.DriverProgram(driver.Command); program != "" && onPath(program) == "" {
		return warn(fmt.Sprintf("git merges indexes with %q, which cannot be run", program), "ltm init, or correct it: git config merge.ltm-index.driver")
	}
	return fine(found)
}

// ignoreRule is what makes git ignore a file.
type ignoreRule struct{ source, line, pattern string }

func (r ignoreRule) String() string {
	return fmt.Sprintf("%q in %s, line %s", r.pattern, r.source, r.line)
}

// remedy says how to have memories back.
func (r ignoreRule) remedy() string {
	if strings.Contains(r.pattern, ".claude") {
		return "add three lines at the end of the project's .gitignore: !/.claude/ and /.claude/* and !/.claude/ltm/"
	}
	return "add a line at the end of the project's .gitignore: !/" + store.Folder + "/**"
}

// ignoreRules asks git which of these files it ignores, tracked or not.
func ignoreRules(ctx context.Context, dir, prefix string, names []string) (map[string]ignoreRule, error) {
	var in strings.Builder
	for _, name := range names {
		in.WriteString(prefix + name + "\x00")
	}
	out, err := gitOn(ctx, in.String(), dir, "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // none is ignored
	}
	rules := map[string]ignoreRule{}
	for f := strings.Split(out, "\x00"); len(f) > 4; f = f[4:] {
		if !strings.HasPrefix(f[2], "!") {
			rules[f[3]] = ignoreRule{f[0], f[1], f[2]}
		}
	}
	return rules, err
}

// git runs git in a folder and returns what it says.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	return gitOn(ctx, "", dir, args...)
}

// gitWait bounds how long git may take: it waits for ever for a pipe in place of
// one of its files.
const gitWait = 5 * time.Second

// gitOn runs git in a folder, with an input; an error holds the first line of its
// complaint.
func gitOn(ctx context.Context, stdin, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = strings.NewReader(stdin), &out, &complaint, time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return out.String(), fmt.Errorf("git did not answer within %s", gitWait)
	}
	if line, _, _ := strings.Cut(complaint.String(), "\n"); err != nil && line != "" {
		err = fmt.Errorf("%s: %w", line, err)
	}
	return out.String(), err
}

// wantedEvents lists the events that hooks should be registered for.
func wantedEvents() ([]string, error) {
	data, err := ltm.Plugin.ReadFile("hooks/hooks.json")
	if err != nil {
		return nil, err
	}
	var v struct{ Hooks map[string]json.RawMessage }
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(v.Hooks)), nil
}

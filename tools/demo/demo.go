package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fields is a JSON object.
type fields = map[string]any

// demo is a scratch project and the binary to demonstrate. err is the first failure; after it, all methods do nothing.
type demo struct {
	binary, project, home string
	out                   io.Writer
	err                   error
	compact               bool   // few empty lines
	lastHook              string // the context block that the last hook printed
}

func (d *demo) fail(err error) {
	if d.err == nil && err != nil {
		d.err = err
	}
}

// expect fails the demo unless ok: what it is about to show would be wrong.
func (d *demo) expect(ok bool, what string) {
	if !ok {
		d.fail(errors.New("not so: " + what))
	}
}

func (d *demo) title(s string) {
	if d.err == nil {
		fmt.Fprintf(d.out, "\n━━ %s %s\n%s", s, strings.Repeat("━", max(0, 76-len([]rune(s)))), d.gap())
	}
}

func (d *demo) say(format string, args ...any) {
	if d.err == nil {
		fmt.Fprintf(d.out, format+"\n", args...)
	}
}

// show prints output of ltm, set apart from the demo's own words.
func (d *demo) show(s string) {
	if d.err == nil {
		fmt.Fprintf(d.out, "%s    %s\n%s", d.gap(), strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    "), d.gap())
	}
}

// gap returns an empty line unless the demo is compact.
func (d *demo) gap() string {
	if d.compact {
		return ""
	}
	return "\n"
}

// prepare makes the project: a git repository with one commit.
func (d *demo) prepare() {
	for _, dir := range []string{d.project, d.home} {
		d.fail(os.MkdirAll(dir, 0o755))
	}
	d.git("init", "-q", "-b", "main")
	d.fail(os.WriteFile(filepath.Join(d.project, "README.md"), []byte("# Shop\n"), 0o644))
	d.commit("begin")
}

// command returns a process in the project, without the caller's settings.
func (d *demo) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = d.project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.home, "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + d.project}
	return cmd
}

// output runs a command and returns its stdout.
func (d *demo) output(cmd *exec.Cmd) string {
	if d.err != nil {
		return ""
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		d.fail(fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, stdout.String(), stderr.String()))
	}
	return stdout.String()
}

func (d *demo) git(args ...string) string { return d.output(d.command("git", args...)) }

// ltm runs a command and shows it with its output.
func (d *demo) ltm(args ...string) string {
	out := d.output(d.command(d.binary, args...))
	d.say("$ ltm %s", strings.Join(args, " "))
	d.show(out)
	return out
}

// hook plays one hook event as Claude Code does, and records the context that it injects.
func (d *demo) hook(event string, payload fields) {
	payload["hook_event_name"], payload["cwd"] = event, d.project
	raw, err := json.Marshal(payload)
	if err != nil {
		d.fail(err)
		return
	}
	cmd := d.command(d.binary, "hook", event)
	cmd.Stdin = bytes.NewReader(raw)
	out := d.output(cmd)
	d.lastHook = ""
	if strings.TrimSpace(out) == "" {
		return
	}
	var said struct {
		HookSpecificOutput struct{ AdditionalContext string }
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		d.fail(fmt.Errorf("hook %s put out %q: %w", event, out, err))
	}
	d.lastHook = said.HookSpecificOutput.AdditionalContext
}

func (d *demo) open(session string) {
	d.hook("SessionStart", fields{"session_id": session, "source": "startup"})
}

func (d *demo) end(session string) {
	d.hook("SessionEnd", fields{"session_id": session, "reason": "other"})
}

func (d *demo) exists(name string) bool {
	_, err := os.Stat(filepath.Join(d.project, name))
	return err == nil
}

func (d *demo) read(name string) string {
	raw, err := os.ReadFile(filepath.Join(d.project, name))
	d.fail(err)
	return string(raw)
}

// entry is a line of a listing.
type entry struct {
	ID    string
	Phase int
}

// list returns a listing without showing it.
func (d *demo) list(flags ...string) []entry {
	out := d.output(d.command(d.binary, append([]string{"list", "--json"}, flags...)...))
	if d.err != nil {
		return nil
	}
	var listing struct{ Memories []entry }
	if err := json.Unmarshal([]byte(out), &listing); err != nil {
		d.fail(fmt.Errorf("ltm list put out %q: %w", out, err))
	}
	return listing.Memories
}

// memories lists the active memories, and archived the archived ones.
func (d *demo) memories() []entry { return d.list() }
func (d *demo) archived() []entry { return d.list("--archives") }

// commit commits everything to git.
func (d *demo) commit(message string) {
	d.git("add", ".")
	d.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", message)
}

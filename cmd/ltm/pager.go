package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/internal/gitcmd"
	"ltm/internal/gitdir"
)

// defaultPager is used when the person names none.
const defaultPager = "less"

// paged lists the commands whose output is paged on a terminal: those that only show.
func paged() []string {
	return []string{"ltm recall", "ltm list", "ltm show", "ltm archives", "ltm archives list", "ltm log", "ltm why", "ltm history", "ltm diff",
		"ltm tag", "ltm tag list", "ltm check"}
}

// page makes a command write into a pager when a person reads its output: on a terminal,
// as text. The pager starts at the first output.
func (a *app) page(c *cobra.Command) {
	asJSON := c.Flags().Lookup("json")
	switch {
	case a.noPager || !slices.Contains(paged(), c.CommandPath()) || !isTerminal(a.stdout):
		return
	case asJSON != nil && asJSON.Value.String() == "true":
		return
	case slices.Contains([]string{"", "dumb"}, a.getenv("TERM")): // no pager can move its cursor
		return
	}
	argv := a.pagerCommand()
	if len(argv) == 0 {
		return
	}
	a.pager = &pager{argv: argv, env: a.pagerEnvironment(), terminal: a.stdout, complain: a.stderr}
	a.stdout = a.pager
	if isTerminal(a.stderr) {
		a.stderr = besidePager{a.pager}
	}
}

// pagerCommand returns the program that pages and its arguments, or nothing. It is never
// one that the repository brings.
func (a *app) pagerCommand() []string {
	named := cmp.Or(strings.TrimSpace(a.getenv("LTM_PAGER")), strings.TrimSpace(a.getenv("PAGER")))
	argv := splitCommand(cmp.Or(named, defaultPager))
	if len(argv) == 0 || argv[0] == "cat" {
		return nil
	}
	program := a.trustedProgram(argv[0])
	if program == "" {
		if named != "" {
			fmt.Fprintf(a.stderr, "ltm: the pager %q was not found outside of the project; LTM_PAGER names another one, and \"cat\" is none\n", cell(argv[0]))
		}
		return nil
	}
	return append([]string{program}, argv[1:]...)
}

// pagerEnvironment lets less end by itself when everything fits on the screen, keep colors
// and leave the text there, as git does.
func (a *app) pagerEnvironment() []string {
	env := os.Environ()
	if a.getenv("LESS") == "" {
		env = append(env, "LESS=FRX")
	}
	if a.getenv("LV") == "" {
		env = append(env, "LV=-c")
	}
	return env
}

// trustedProgram finds a program by its name on the PATH, or by its absolute path, that is
// not in the work tree, or returns "".
func (a *app) trustedProgram(name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	top := cmp.Or(gitdir.Top(dir), a.projectDir())
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	path := a.getenv("PATH")
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			return ""
		}
		path, name = filepath.Dir(name), filepath.Base(name)
	}
	return gitcmd.LookUp([]string{"PATH=" + path}, top, name)
}

// pager shows what is written to it on a terminal, a screen at a time.
type pager struct {
	argv, env []string
	terminal  io.Writer // that the text is for
	complain  io.Writer

	cmd    *exec.Cmd
	text   io.WriteCloser
	failed bool // it cannot be started: the text goes to the terminal
	left   bool // the person has seen enough
}

// Fd is that of the terminal: what is written is laid out for it.
func (p *pager) Fd() uintptr {
	if f, ok := p.terminal.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// Write starts the pager at the first text. Text that comes after the person has left it
// is dropped.
func (p *pager) Write(text []byte) (int, error) {
	if p.cmd == nil && !p.failed {
		p.start()
	}
	switch {
	case p.failed:
		return p.terminal.Write(text)
	case !p.left:
		_, err := p.text.Write(text)
		p.left = err != nil
	}
	return len(text), nil
}

func (p *pager) start() {
	cmd := exec.Command(p.argv[0], p.argv[1:]...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, p.terminal, p.complain
	text, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintf(p.complain, "ltm: cannot start the pager: %s; LTM_PAGER names another one, and \"cat\" is none\n", cell(err.Error()))
		p.failed = true
		return
	}
	p.cmd, p.text = cmd, text
}

// close ends the text and waits until the person has read it.
func (p *pager) close() {
	if p == nil || p.cmd == nil {
		return
	}
	_ = p.text.Close()
	_ = p.cmd.Wait()
}

// besidePager is the standard error of a command that is paged: what comes after the text
// has begun belongs to the text.
type besidePager struct{ p *pager }

func (b besidePager) Write(text []byte) (int, error) {
	if b.p.cmd != nil {
		return b.p.Write(text)
	}
	return b.p.complain.Write(text)
}

// Fd is that of the terminal.
func (b besidePager) Fd() uintptr {
	if f, ok := b.p.complain.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

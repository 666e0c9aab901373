package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/companion"
	"ltm/cmd/internal/terminal"
	"ltm/internal/git/gitdir"
)

// defaultPager is used if the environment does not name a pager.
const defaultPager = "less"

// paged lists the commands whose output is paged on a terminal: those that only show things.
func paged() []string {
	return []string{"ltm recall", "ltm list", "ltm show", "ltm archives", "ltm archives list", "ltm log", "ltm why",
		"ltm history", "ltm diff", "ltm tag", "ltm tag list", "ltm check", "ltm context", "ltm graph", "ltm stats"}
}

// page makes a command write to a pager if its output is text on a terminal. The pager starts
// at the first output.
func (a *app) page(c *cobra.Command) {
	switch {
	case a.noPager || a.asJSON || !slices.Contains(paged(), c.CommandPath()) || !terminal.Is(a.stdout):
		return
	case slices.Contains([]string{"", "dumb"}, a.getenv("TERM")): // its cursor cannot be moved
		return
	}
	argv := a.pagerCommand()
	if len(argv) == 0 {
		return
	}
	stderr := a.stderr
	a.pager = &terminal.Pager{Argv: argv, Env: a.pagerEnvironment(), Terminal: a.stdout, Complain: stderr,
		Failed: func(err error) {
			fmt.Fprintf(stderr,
				"ltm: cannot start the pager: %s; LTM_PAGER names another one, and \"cat\" turns paging off\n",
				cell(err.Error()))
		}}
	a.stdout = a.pager
	if terminal.Is(stderr) {
		a.stderr = a.pager.Beside()
	}
}

// pagerCommand returns the pager and its arguments, or nothing. It is never a program in the
// repository.
func (a *app) pagerCommand() []string {
	named := cmp.Or(strings.TrimSpace(a.getenv("LTM_PAGER")), strings.TrimSpace(a.getenv("PAGER")))
	argv := splitCommand(cmp.Or(named, defaultPager))
	if len(argv) == 0 || argv[0] == "cat" {
		return nil
	}
	program := a.trustedProgram(argv[0])
	if program == "" {
		if named != "" {
			fmt.Fprintf(a.stderr,
				"ltm: the pager %q was not found outside the project; LTM_PAGER names another one, "+
					"and \"cat\" turns paging off\n", cell(argv[0]))
		}
		return nil
	}
	return append([]string{program}, argv[1:]...)
}

// pagerEnvironment makes less exit if everything fits on the screen, keep colors, and leave
// the text there, as git does.
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

// trustedProgram finds a program outside the work tree, by its name on the PATH or by its
// absolute path, or returns "".
func (a *app) trustedProgram(name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	path := a.getenv("PATH")
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			return ""
		}
		path, name = filepath.Dir(name), filepath.Base(name)
	}
	return companion.OnPath(name, []string{"PATH=" + path}, cmp.Or(gitdir.Top(dir), a.projectDir()))
}

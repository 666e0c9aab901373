package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"ltm/api"
)

// fzfFailed is the lowest exit status of fzf that means failure, except for 130: the person
// quit. 1 means that nothing was picked.
const fzfFailed = 2

// fzf returns the path of fzf, or "". On Windows it is not used: previews would need commands
// for another shell.
func (a *app) fzf(own bool) string {
	if own || runtime.GOOS == "windows" {
		return ""
	}
	return a.trustedProgram("fzf")
}

// pickWithFzf lets fzf show the list, and returns the ids that were picked.
func (a *app) pickWithFzf(ctx context.Context, program string, list api.Listing, include api.Include,
	query string) ([]string, error) {
	var lines bytes.Buffer
	for _, m := range list.Memories {
		fmt.Fprintln(&lines, pickLine(m))
	}
	argv := []string{"--multi", "--layout=reverse", "--query=" + query}
	if preview := a.previewCommand(include); preview != "" {
		argv = append(argv, "--preview="+preview, "--preview-window=wrap")
	}
	cmd := exec.CommandContext(ctx, program, argv...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &lines, &out, a.stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (exit.ExitCode() < fzfFailed || exit.ExitCode() == 130) {
		return nil, nil
	}
	if err != nil {
		return nil, unusable("--own does without it", "fzf failed", err)
	}
	var ids []string
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); len(words) > 0 {
			ids = append(ids, words[0])
		}
	}
	return ids, nil
}

// previewCommand returns the command line that fzf has a shell run for the item at its
// cursor, or "". fzf quotes the id.
func (a *app) previewCommand(include api.Include) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	ltm := shellQuoted(self)
	if a.dir != "" {
		ltm += " -C ." // the directory of this process, whatever the environment says
	}
	switch show := ltm + " show --no-pager "; include {
	case api.IncludeArchives:
		return show + "--archives {1}"
	case api.IncludeAll:
		return show + "{1} 2>/dev/null || " + show + "--archives {1}"
	default:
		return show + "{1}"
	}
}

// shellQuoted quotes a word for a POSIX shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

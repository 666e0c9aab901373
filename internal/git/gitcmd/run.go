package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

const (
	// timeLimit is how long one command may run. Git waits forever when one of its files is a pipe.
	timeLimit = 5 * time.Second

	// maxOutput is how many bytes a command may print, and maxComplaint how many are kept of its standard error.
	maxOutput    = 64 << 20
	maxComplaint = 4 << 10
)

// ExitError reports that git exited with a status other than 0.
type ExitError struct {
	Status    int
	Complaint string // the first line of its standard error, possibly ""
}

func (e *ExitError) Error() string {
	if e.Complaint != "" {
		return e.Complaint
	}
	return fmt.Sprintf("git ended with status %d", e.Status)
}

// Status returns the exit status of git from an error, or 0.
func Status(err error) int {
	if exit, ok := errors.AsType[*ExitError](err); ok {
		return exit.Status
	}
	return 0
}

// Output runs git at the top of the work tree, with an empty standard input, and returns its standard output. args
// begins with the command. A value that ltm did not make itself belongs after "--".
//
// When git exits with a status other than 0, the error is an [*ExitError], and the output is returned too.
func (t *Tree) Output(ctx context.Context, args ...string) ([]byte, error) {
	return t.Filter(ctx, nil, args...)
}

// Filter is [Tree.Output] with a standard input.
func (t *Tree) Filter(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	if err := allow(args); err != nil {
		return nil, err
	}
	return t.run(ctx, input, t.arguments(args))
}

func (t *Tree) run(ctx context.Context, input []byte, args []string) ([]byte, error) {
	limit, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	cmd := exec.CommandContext(limit, t.program, args...)
	// With -C alone, git would start in the directory of this process.
	cmd.Dir, cmd.Env, cmd.WaitDelay = t.top, t.environ, time.Second
	if len(input) > 0 {
		cmd.Stdin = bytes.NewReader(input)
	}
	out, complaint := &limited{max: maxOutput, full: cancel}, &limited{max: maxComplaint}
	cmd.Stdout, cmd.Stderr = out, complaint
	err := runGroup(cmd)
	switch {
	case out.cut:
		return nil, fmt.Errorf("git printed more than %d bytes", maxOutput)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limit.Err() != nil:
		return nil, fmt.Errorf("git did not answer within %s", timeLimit)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		line, _, _ := strings.Cut(string(complaint.data), "\n")
		err = &ExitError{exit.ExitCode(), line}
	}
	return out.data, err
}

// limited keeps up to max bytes and drops the rest. When it first drops some, it calls full, if that is set.
type limited struct {
	data []byte
	max  int
	full func()
	cut  bool
}

func (l *limited) Write(p []byte) (int, error) {
	room := min(l.max-len(l.data), len(p))
	l.data = append(l.data, p[:room]...)
	if room < len(p) && !l.cut {
		l.cut = true
		if l.full != nil {
			l.full()
		}
	}
	return len(p), nil
}

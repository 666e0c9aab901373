package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"ltm/cmd/internal/companion"
	"ltm/memory/api"
	"ltm/server/page"
	"ltm/text/safe"
)

const (
	doctorLimit  = 30 * time.Second // a server is started, and git is asked
	doctorAnswer = 1 << 20          // bytes
	doctorAtOnce = 1                // a page that is asked for again and again starts no more
)

// bounded is what a program says, up to a number of bytes.
type bounded struct {
	text []byte
	most int
	over bool
}

// Write implements [io.Writer].
func (b *bounded) Write(p []byte) (int, error) {
	if len(b.text)+len(p) > b.most {
		b.over = true
		return 0, io.ErrShortWrite
	}
	b.text = append(b.text, p...)
	return len(p), nil
}

// errNoFindings is that another program than ltm answered, or an older one.
var errNoFindings = errors.New("no findings")

// doctor returns a function that checks the installation by running ltm, or nil if ltm is not found.
func (a *app) doctor(o uiOptions) func(context.Context, api.Scope) ([]page.Finding, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	ltm := cmp.Or(companion.Beside(companion.Client), companion.OnPath(companion.Client, os.Environ(), dir))
	if ltm == "" {
		return nil
	}
	running := make(chan struct{}, doctorAtOnce)
	return func(ctx context.Context, scope api.Scope) ([]page.Finding, error) {
		ctx, cancel := context.WithTimeout(ctx, doctorLimit)
		defer cancel()
		select {
		case running <- struct{}{}:
			defer func() { <-running }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		args := []string{"doctor", "--json"}
		if o.dir != "" { // as for the page, not where a session of Claude Code is
			args = append([]string{"-C", "."}, args...)
		}
		if scope == api.ScopeUser {
			args = append(args, "--user")
		}
		return runDoctor(ctx, ltm, args)
	}
}

// runDoctor runs ltm doctor. That it exits with a failure says that a check failed.
func runDoctor(ctx context.Context, ltm string, args []string) ([]page.Finding, error) {
	c := exec.CommandContext(ctx, ltm, args...)
	c.WaitDelay = time.Second // for programs that it has started
	said := &bounded{most: doctorAnswer}
	c.Stdout = said
	ended := c.Run()
	var report struct {
		Checks []page.Finding `json:"checks"`
	}
	switch err := json.Unmarshal(said.text, &report); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s doctor: %w", ltm, ctx.Err())
	case said.over:
		return nil, fmt.Errorf("%s doctor says more than %d bytes", ltm, doctorAnswer)
	case err != nil || len(report.Checks) == 0:
		return nil, fmt.Errorf("%s doctor does not say what it found, but %q: %w", ltm,
			safe.ClipLine(string(said.text), 200), errors.Join(errNoFindings, ended, err))
	}
	return report.Checks, nil
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"ltm/api"
	"ltm/internal/companion"
	"ltm/internal/safetext"
	"ltm/web"
)

const (
	doctorLimit  = 30 * time.Second // a server is started, and git is asked
	doctorAnswer = 1 << 20          // bytes
	doctorAtOnce = 1                // a page that is asked for again and again starts no more
)

// errNoFindings is that another program than ltm answered, or an older one.
var errNoFindings = errors.New("no findings")

// doctor returns what has an installation checked by the program that knows how to, ltm, or nil if there is none.
func (a *app) doctor() func(context.Context, api.Scope) ([]web.Finding, error) {
	ltm := companion.Find(companion.Client)
	if ltm == "" {
		return nil
	}
	running := make(chan struct{}, doctorAtOnce)
	return func(ctx context.Context, scope api.Scope) ([]web.Finding, error) {
		ctx, cancel := context.WithTimeout(ctx, doctorLimit)
		defer cancel()
		select {
		case running <- struct{}{}:
			defer func() { <-running }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return runDoctor(ctx, ltm, scope)
	}
}

// runDoctor runs ltm doctor. That it exits with a failure says that a check failed.
func runDoctor(ctx context.Context, ltm string, scope api.Scope) ([]web.Finding, error) {
	args := []string{"doctor", "--json"}
	if scope == api.ScopeUser {
		args = append(args, "--user")
	}
	c := exec.CommandContext(ctx, ltm, args...)
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = io.Discard
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return nil, err
	}
	_, copied := io.Copy(&said, io.LimitReader(out, doctorAnswer+1))
	_ = out.Close() // one that says more ends
	ended := c.Wait()
	var report struct {
		Checks []web.Finding `json:"checks"`
	}
	switch err := json.Unmarshal(said.Bytes(), &report); {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s doctor: %w", ltm, ctx.Err())
	case said.Len() > doctorAnswer:
		return nil, fmt.Errorf("%s doctor says more than %d bytes", ltm, doctorAnswer)
	case err != nil || len(report.Checks) == 0:
		return nil, fmt.Errorf("%s doctor does not say what it found, but %q: %w", ltm,
			safetext.ClipLine(said.String(), 200), errors.Join(errNoFindings, copied, ended, err))
	}
	return report.Checks, nil
}

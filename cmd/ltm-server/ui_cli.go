package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"ltm/cmd/internal/companion"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/server/page"
	"ltm/text/safe"
)

const (
	clientLimit   = 40 * time.Second // longer than ltm waits for a server
	clientAnswer  = 1 << 20          // bytes
	doctorsAtOnce = 1                // a page that is asked for again and again starts no more
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
var errNoFindings = errors.New("ltm doctor has no findings")

// cli runs ltm for the page: it checks the installation, and has the person's tokens.
type cli struct {
	path  string
	given []string // flags of each command

	checking chan struct{} // by doctor; other commands do not wait for it
}

// newCLI returns nil if ltm is not found.
func newCLI(o uiOptions) *cli {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	path := cmp.Or(companion.Beside(companion.Client), companion.OnPath(companion.Client, os.Environ(), dir))
	if path == "" {
		return nil
	}
	c := &cli{path: path, checking: make(chan struct{}, doctorsAtOnce)}
	if o.dir != "" { // as for the page, not where a session of Claude Code is
		c.given = []string{"-C", "."}
	}
	return c
}

// run runs a command with --json, and decodes what it prints into an answer. The answer counts even if the command
// failed. Without one, the error is the one that ltm reports or, if it reports none, one about what it printed.
func (c *cli) run(ctx context.Context, input []byte, into any, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, clientLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, slices.Concat(c.given, args, []string{"--json"})...)
	cmd.WaitDelay = time.Second // for programs that it has started
	out, errs := &bounded{most: clientAnswer}, &bounded{most: clientAnswer}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), out, errs
	ended := cmd.Run()
	var report struct {
		Error struct {
			Code          memory.Code
			Message, Hint string
		}
	}
	name := c.path + " " + args[0]
	switch err := json.Unmarshal(out.text, into); {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", name, ctx.Err())
	case out.over:
		return fmt.Errorf("%s says more than %d bytes", name, clientAnswer)
	case err == nil:
		return nil
	case ended != nil && json.Unmarshal(errs.text, &report) == nil && report.Error.Message != "":
		return advice.Partial(advice.With(memory.NewError(report.Error.Code, "", "", "%s", report.Error.Message),
			report.Error.Hint)) // its hint says what was not changed
	default:
		said := safe.ClipLine(string(slices.Concat(out.text, errs.text)), 200)
		return fmt.Errorf("%s does not answer, but says %q: %w", name, said, errors.Join(ended, err))
	}
}

// doctor checks the installation. That ltm exits with a failure says that a check failed.
func (c *cli) doctor(ctx context.Context, scope api.Scope) ([]page.Finding, error) {
	args := []string{"doctor"}
	if scope == api.ScopeUser {
		args = append(args, "--user")
	}
	select {
	case c.checking <- struct{}{}:
		defer func() { <-c.checking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var report struct{ Checks []page.Finding }
	if err := c.run(ctx, nil, &report, args...); err != nil {
		return nil, err
	}
	if len(report.Checks) == 0 {
		return nil, errNoFindings
	}
	return report.Checks, nil
}

// Servers implements [page.Post].
func (c *cli) Servers(ctx context.Context) ([]page.Server, error) {
	var list struct {
		Hosts []struct {
			page.Server

			Problem string
		}
	}
	err := c.run(ctx, nil, &list, "auth", "ls")
	var usable []page.Server
	for _, h := range list.Hosts {
		if h.Problem == "" {
			usable = append(usable, h.Server)
		}
	}
	return usable, err
}

// Send implements [page.Post]. It goes on if the visitor leaves: half of it would send a packet without noting it.
func (c *cli) Send(ctx context.Context, p *packet.Packet, host, team string) (string, error) {
	data, err := p.Canonical()
	if err != nil {
		return "", err
	}
	args := []string{"push", "-", "--host=" + host}
	if team != "" {
		args = append(args, "--team="+team)
	}
	var receipt struct{ Message string }
	err = c.run(context.WithoutCancel(ctx), data, &receipt, args...)
	return receipt.Message, err
}

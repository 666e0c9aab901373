package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/mcp"
	"ltm/memory"
	"ltm/store"
)

const mcpCommandName = "mcp"

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:  mcpCommandName,
		Args: noArguments(),
		RunE: func(c *cobra.Command, _ []string) error {
			if terminal.Is(a.stdin) {
				fmt.Fprintln(a.stderr,
					"ltm mcp: waiting for an MCP client's messages on standard input; "+
						"Claude Code starts this by itself, Ctrl-D ends it")
			}
			a.awaitProject(c.Context())
			why := a.env().NoProject()
			if why == "" {
				return a.serve(c.Context(), fromClient(a.stdin), a.stdout, nil)
			}
			out := &secondAnswers{out: a.stdout}
			in := &lostInput{in: bufio.NewReader(a.stdin), out: out, isProject: a.env().IsProject}
			refused := memory.NewError(memory.CodeInvalid, memory.KindProjectUnknown, "", "%s", why)
			if err := a.serve(c.Context(), in, out, refused); err != nil || in.project == "" {
				return err
			}
			a.dir, a.found, a.foundShelf = in.project, nil, nil
			if err := a.enter(); err != nil {
				return err
			}
			out.skip = in.initialized
			return a.serve(c.Context(), in.replay(), out, nil)
		},
	}
}

// serve serves the project's store, and the person's beside it. refuse is why no tool is carried out, or nil.
func (a *app) serve(ctx context.Context, in io.Reader, out io.Writer, refuse error) error {
	served := func(place locate.Place) *engine.Engine {
		s := store.New(place.Places, time.Now)
		s.Serve()
		o := a.options(s, lockWait, place)
		o.ToModel, o.ByModel = true, true
		return engine.New(o)
	}
	var own *engine.Engine
	if shelf := a.shelf(); shelf.None == "" {
		own = served(shelf.Place)
	}
	project := served(a.place())
	packets := a.env().Packets(store.New(a.place().Places, time.Now), a.place(), lockWait)
	packets.Engine = project
	e := person.NewShelves(project, own, a.shelfError())
	// The first question should find the index ready. An error here occurs
	// again, and is reported, when something is asked.
	go func() { _ = e.Warm(ctx) }()
	defer e.CountAccesses(context.WithoutCancel(ctx))
	session := cmp.Or(a.getenv("COPILOT_AGENT_SESSION_ID"), a.getenv("QWEN_CODE_SESSION_ID"),
		a.getenv("CLAUDE_CODE_SESSION_ID"))
	return mcp.Serve(ctx, e, mcp.Options{
		Version: version, Session: session, Refuse: refuse, Stdin: in, Stdout: out, Log: a.stderr, Packets: packets,
	})
}

const (
	// projectWait is how long a server waits for the client's note of the project, which it may write a moment after
	// it started the server.
	projectWait = time.Second

	projectCheck = 20 * time.Millisecond
)

// awaitProject waits until the client has said where the project is, as far as it does so in a file.
func (a *app) awaitProject(ctx context.Context) {
	if a.getenv("COPILOT_AGENT_SESSION_ID") == "" {
		return
	}
	for end := time.Now().Add(projectWait); a.env().NoProject() != "" && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(projectCheck)
	}
}

// lostInput is the input of a server that does not know its project. It ends before the first call after which the
// project is known: by the metadata of the call, or by the roots of a client that offers them.
type lostInput struct {
	in          *bufio.Reader
	out         io.Writer
	rest        []byte // the lines that were read, and not passed on yet
	kept        []byte // the lines from which another server goes on
	initialized bool   // the client has had an answer to its first message
	roots       bool   // the client offers roots, and has not been asked
	project     string
	isProject   func(dir string) bool
}

// clientLine is what lostInput reads of a message.
type clientLine struct {
	ID     any
	Method string
	Params struct {
		Capabilities struct{ Roots *struct{} }
		Meta         struct {
			Turn struct{ Workspaces map[string]json.RawMessage } `json:"x-codex-turn-metadata"`
		} `json:"_meta"`
	}
	Result struct{ Roots []struct{ URI string } }
}

// rootsID is the id of the request for roots.
const rootsID = "ltm-roots"

// next reads a line.
func (l *lostInput) next() (m clientLine, line []byte, err error) {
	line, err = l.in.ReadBytes('\n')
	_ = json.Unmarshal(line, &m) // the server reports what is wrong with it
	return m, line, err
}

// Read implements [io.Reader].
func (l *lostInput) Read(p []byte) (int, error) {
	if l.project == "" && len(l.rest) == 0 {
		m, line, err := l.next()
		switch l.rest = line; m.Method {
		case "initialize", "notifications/initialized":
			l.initialized = true
			l.roots = l.roots || m.Params.Capabilities.Roots != nil
			l.kept = append(l.kept, line...)
		case "tools/call":
			if spaces := slices.Collect(maps.Keys(m.Params.Meta.Turn.Workspaces)); len(spaces) == 1 {
				l.project = spaces[0]
			} else if l.roots {
				l.askRoots()
			}
			if !filepath.IsAbs(l.project) || !l.isProject(l.project) {
				l.project = ""
			}
		}
		if len(line) == 0 {
			return 0, err
		}
	}
	if l.project != "" {
		l.kept, l.rest = append(l.kept, l.rest...), nil
		return 0, io.EOF
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// askRoots asks the client for its roots, and reads up to its answer. Of several, none is the project.
func (l *lostInput) askRoots() {
	l.roots = false
	fmt.Fprintf(l.out, `{"jsonrpc":"2.0","id":%q,"method":"roots/list"}`+"\n", rootsID)
	for {
		m, line, err := l.next()
		if m.ID == rootsID && m.Method == "" {
			if roots := m.Result.Roots; len(roots) == 1 {
				l.project = fileAt(roots[0].URI)
			}
			return
		}
		if l.rest = append(l.rest, line...); err != nil {
			return
		}
	}
}

// fileAt returns the path that a file URI names, or "".
func fileAt(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if runtime.GOOS == "windows" {
		return filepath.FromSlash(strings.TrimPrefix(u.Path, "/"))
	}
	return u.Path
}

// replay is the input of the server that goes on, from its beginning.
func (l *lostInput) replay() io.Reader { return io.MultiReader(bytes.NewReader(l.kept), l.in) }

// secondAnswers passes on what servers and their input write, except the next answer to the client's first message, if
// skip is set: the client has had one.
type secondAnswers struct {
	mu   sync.Mutex
	out  io.Writer
	skip bool
}

// Write implements [io.Writer]. All write whole lines.
func (s *secondAnswers) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skip && bytes.Contains(p, []byte(`"serverInfo"`)) {
		s.skip = false
		_, rest, _ := bytes.Cut(p, []byte("\n"))
		if _, err := s.out.Write(rest); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return s.out.Write(p)
}

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
	return &cobra.Command{Use: mcpCommandName, Args: noArguments(), RunE: func(c *cobra.Command, _ []string) error {
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
		in := &lostInput{lineInput: readLines(a.stdin), out: out, isProject: a.env().IsProject}
		refused := memory.NewError(memory.CodeInvalid, memory.KindProjectUnknown, "", "%s", why)
		if err := a.serve(c.Context(), in, out, refused); err != nil || in.project == "" {
			return err
		}
		a.dir, a.found, a.foundShelf = in.project, nil, nil
		if err := a.enter(); err != nil {
			return err
		}
		out.skip = in.initialized
		in.rest = in.kept // from its beginning
		return a.serve(c.Context(), &in.lineInput, out, nil)
	}}
}

// serve serves the project's store, and the person's beside it. refuse is why no tool is carried out, or nil.
func (a *app) serve(ctx context.Context, in io.Reader, out io.Writer, refuse error) error {
	served := func(place locate.Place) *engine.Engine {
		s := store.New(place.Places, time.Now)
		s.Serve()
		o := a.env().Options(s, lockWait, place)
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

// rootsWait is how long a client may take to name its roots.
const rootsWait = 5 * time.Second

// lineInput is an input that is read line by line.
type lineInput struct {
	lines <-chan readLine
	rest  []byte // what was read, and not passed on yet
}

// readLine is a line with its end, or a part of one that is longer than [mcp.MaxLine].
type readLine struct {
	text []byte
	err  error
}

// readLines reads until an error, and as far as somebody takes the lines.
func readLines(in io.Reader) lineInput {
	lines := make(chan readLine)
	go func() {
		defer close(lines)
		from := bufio.NewReader(in)
		for {
			var line readLine
			part, err := from.ReadSlice('\n')
			for line.text = bytes.Clone(part); err == bufio.ErrBufferFull && len(line.text) < mcp.MaxLine; {
				part, err = from.ReadSlice('\n')
				line.text = append(line.text, part...)
			}
			if err != bufio.ErrBufferFull {
				line.err = err
			}
			if lines <- line; line.err != nil {
				return
			}
		}
	}()
	return lineInput{lines: lines}
}

// Read implements [io.Reader].
func (i *lineInput) Read(p []byte) (int, error) {
	if len(i.rest) == 0 {
		line, ok := <-i.lines
		if i.rest = line.text; len(i.rest) == 0 {
			if !ok {
				return 0, io.EOF
			}
			return 0, line.err
		}
	}
	n := copy(p, i.rest)
	i.rest = i.rest[n:]
	return n, nil
}

// lostInput is the input of a server that does not know its project. It ends before the first call after which the
// project is known: by the metadata of the call, or by the roots of a client that offers them.
type lostInput struct {
	lineInput
	out         io.Writer
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

// Read implements [io.Reader].
func (l *lostInput) Read(p []byte) (int, error) {
	if l.project == "" && len(l.rest) == 0 {
		line := <-l.lines
		var m clientLine
		_ = json.Unmarshal(line.text, &m) // the server reports what is wrong with it
		switch l.rest = line.text; m.Method {
		case "initialize", "notifications/initialized":
			l.initialized = true
			l.roots = l.roots || m.Params.Capabilities.Roots != nil
			l.kept = append(l.kept, line.text...)
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
		if len(l.rest) == 0 {
			return 0, cmp.Or(line.err, io.EOF)
		}
	}
	if l.project != "" {
		l.kept, l.rest = append(l.kept, l.rest...), nil
		return 0, io.EOF
	}
	return l.lineInput.Read(p)
}

// askRoots asks the client for its roots, and reads up to its answer, or until it should have come. Of several, none is
// the project.
func (l *lostInput) askRoots() {
	l.roots = false
	fmt.Fprintf(l.out, `{"jsonrpc":"2.0","id":%q,"method":"roots/list"}`+"\n", rootsID)
	for late := time.After(rootsWait); ; {
		var line readLine
		select {
		case line = <-l.lines:
		case <-late:
			return
		}
		var m clientLine
		if json.Unmarshal(line.text, &m) == nil && m.ID == rootsID && m.Method == "" {
			if roots := m.Result.Roots; len(roots) == 1 {
				l.project = fileAt(roots[0].URI)
			}
			return
		}
		if l.rest = append(l.rest, line.text...); len(line.text) == 0 || line.err != nil {
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

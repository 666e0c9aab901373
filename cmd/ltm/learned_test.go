package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// place is a project outside of git, with the environment of its commands.
type place struct {
	t   *testing.T
	dir string
}

func (p place) env(name string) string {
	switch name {
	case "LTM_USER_DIR":
		return filepath.Join(p.dir, "person")
	case "LTM_DIR":
		return filepath.Join(p.dir, "store")
	case "HOME":
		return p.dir
	case "CLAUDE_PROJECT_DIR":
		return p.dir
	}
	return ""
}

// ltm runs a command and returns what it prints.
func (p place) ltm(args ...string) string {
	p.t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr, p.env)
	require.Equal(p.t, exitOK, status, stderr.String())
	return stdout.String()
}

// talk plays a session with the MCP server, one call after the other, and returns the texts of the answers. A call is
// a tool and its arguments.
func (p place) talk(calls ...string) []string {
	p.t.Helper()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(context.Background(), []string{"mcp"}, in, out, io.Discard, p.env)
		_ = out.Close()
	}()
	lines := bufio.NewReader(answers)
	ask := func(request string) string {
		_, err := fmt.Fprintln(client, request)
		require.NoError(p.t, err)
		for {
			line, err := lines.ReadBytes('\n')
			require.NoError(p.t, err)
			var m struct {
				ID     int
				Result struct{ Content []struct{ Text string } }
			}
			require.NoError(p.t, json.Unmarshal(line, &m))
			if m.ID > 0 && len(m.Result.Content) > 0 {
				return m.Result.Content[0].Text
			} else if m.ID > 0 {
				return ""
			}
		}
	}
	ask(initialize)
	_, err := fmt.Fprintln(client, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.NoError(p.t, err)
	var texts []string
	for i, c := range calls {
		tool, arguments, _ := strings.Cut(c, " ")
		texts = append(texts, ask(fmt.Sprintf(
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i+2, tool, arguments)))
	}
	require.NoError(p.t, client.Close())
	require.Equal(p.t, exitOK, <-done)
	return texts
}

// TestSessionsTeachAliases plays sessions through the server.
func TestSessionsTeachAliases(t *testing.T) {
	p := place{t, t.TempDir()}
	t.Chdir(p.dir)
	store := func(arguments string) string {
		return strings.Fields(p.talk("store_memory " + arguments)[0])[1][:len("mem_00000000")]
	}
	pool := store(`{"topic":"Connection pool size","content":"Sessions get 20 slots.","aliases":["pgbouncer"]}`)
	login := store(`{"topic":"Login cookies","content":"SameSite is None."}`)
	mine := store(`{"topic":"Editor of choice","content":"It is vi.","scope":"user"}`)
	aliases := func(id string) (all api.Aliases) {
		require.NoError(t, json.Unmarshal([]byte(p.ltm("alias", id, "--json")), &all))
		return all
	}

	p.ltm("trust", "--user", "--all", "--yes") // what is not approved learns nothing

	said := p.talk(`recall {"query":"why do requests hang"}`, `recall {"query":"connection pool of requests"}`,
		`get_memory {"id":"`+pool+`"}`, `recall {"query":"program for texts"}`, `recall {"query":"texts editor choice"}`,
		`get_memory {"ids":["`+mine+`"]}`, `recall {"query":"login cookies"}`, `get_memory {"id":"`+login+`"}`)
	require.Contains(t, said[0], "nothing found")
	require.Contains(t, said[2], "(also: pgbouncer)")
	require.Equal(t, []string{"why do requests hang"}, aliases(pool).Learned)
	require.Equal(t, []string{"pgbouncer"}, aliases(pool).Aliases)
	require.Equal(t, []string{"program for texts"}, aliases(mine).Learned, "of the person, too")
	require.Empty(t, aliases(login).Learned, "found at once")
	require.Contains(t, p.talk(`recall {"query":"requests hanging"}`)[0], pool)

	p.ltm("alias", pool, "rm", "why do requests hang")
	require.Empty(t, aliases(pool).Learned)
	require.Contains(t, p.talk(`recall {"query":"requests hanging"}`)[0], "nothing found")
	require.NoError(t, filepath.WalkDir(filepath.Join(p.dir, "store", "memories"),
		func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			require.NotContains(t, string(data), "hang")
			return err
		}))
}

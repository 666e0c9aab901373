package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sockets returns the local and remote addresses of a process's TCP sockets, as the kernel writes them, except those
// that listen.
func sockets(pid int) (found [][2]string, err error) {
	own := map[string]bool{}
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		to, _ := os.Readlink(link) // closed meanwhile
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			own[strings.TrimSuffix(inode, "]")] = true
		}
	}
	for _, table := range []string{"tcp", "tcp6"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if os.IsNotExist(err) {
			continue // a kernel without IPv6
		}
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			const listens = "0A"
			if f := strings.Fields(line); len(f) > 9 && own[f[9]] && f[3] != listens {
				found = append(found, [2]string{f[1], f[2]})
			}
		}
	}
	return found, nil
}

// TestNobodyIsAsked counts the connections of a server without models while clients talk to it: all are those of its
// clients.
func TestNobodyIsAsked(t *testing.T) {
	db := filepath.Join(t.TempDir(), "ltm.db")
	prepare := talking(t, db)
	server := start(t, serving(db)...)
	at, err := url.Parse(server.url)
	require.NoError(t, err)
	port, err := strconv.Atoi(at.Port())
	require.NoError(t, err)
	d := prepare(server.url)
	l := begin(d, server.url)
	seen := 0
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); {
		open, err := sockets(server.cmd.Process.Pid)
		require.NoError(t, err)
		for _, s := range open {
			require.True(t, strings.HasSuffix(s[0], fmt.Sprintf(":%04X", port)), "it has a connection from %s to %s",
				s[0], s[1])
			seen++
		}
		time.Sleep(time.Millisecond)
	}
	l.wait(clients)
	a := ask(http.DefaultClient, http.MethodPost, server.url+"/v1/retrieve", d.(talk).key,
		`{"user_id":"user 1","query":"what comes before the winter?"}`)
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	require.Contains(t, string(a.body), "gauge")
	l.end()
	require.Greater(t, seen, clients, "the clients' connections are seen")
}

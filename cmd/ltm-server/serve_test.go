package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
)

// initialized makes a database and returns it and its first token.
func initialized(t testing.TB) (db, token string) {
	t.Helper()
	db = filepath.Join(t.TempDir(), "ltm.db")
	return db, strings.TrimSpace(command(t, "init", "--db", db))
}

// TestServe starts a server, uses it, and stops it.
func TestServe(t *testing.T) {
	db, token := initialized(t)
	s := start(t, serving(db)[1:]...) // "serve" may be left out
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, s.url)
	addr := strings.TrimPrefix(s.url, "http://")
	require.Equal(t, "ready\n", command(t, "healthcheck", "--addr", addr))

	pushed := ask(http.DefaultClient, http.MethodPost, s.url+"/v1/packets", token, packetOf("first-packet", "Measure."))
	require.Equal(t, http.StatusCreated, pushed.status, "%s", pushed.body)
	wrong := ask(http.DefaultClient, http.MethodGet, s.url+"/v1/packets", "x", "")
	require.Equal(t, http.StatusUnauthorized, wrong.status)

	// a token that is issued, rotated or revoked while the server runs
	second := strings.TrimSpace(command(t, "token", "issue", "--db", db, "--name", "second"))
	require.Equal(t, http.StatusOK, ask(http.DefaultClient, http.MethodGet, s.url+"/v1/packets", second, "").status)
	var tokens []tokenReport
	require.NoError(t, json.Unmarshal([]byte(command(t, "token", "ls", "--db", db, "--json")), &tokens))
	require.Len(t, tokens, 2)
	require.Equal(t, "second", tokens[0].Name)
	third := strings.TrimSpace(command(t, "token", "rotate", "--db", db, tokens[0].ID))
	require.Equal(t, http.StatusOK, ask(http.DefaultClient, http.MethodGet, s.url+"/v1/packets", third, "").status)
	require.NoError(t, json.Unmarshal([]byte(command(t, "token", "ls", "--db", db, "--json")), &tokens))
	command(t, "token", "revoke", "--db", db, tokens[0].ID)
	require.NoError(t, json.Unmarshal([]byte(command(t, "token", "ls", "--db", db, "--json")), &tokens))
	states := map[string]int{}
	for _, tok := range tokens {
		states[tok.State]++
	}
	require.Equal(t, 1, states["valid"], "%v", tokens)

	require.Zero(t, s.stop(t), "%s", s.log())
	require.Contains(t, s.log(), `"msg":"stopped"`)
	for _, secret := range []string{token, second, third} {
		require.NotContains(t, s.log(), secret)
	}
	status, _, said := call(t, nil, "healthcheck", "--addr", addr)
	require.Equal(t, exitFailure, status)
	require.Contains(t, said, "the server does not answer")
	require.Contains(t, said, `; "ltm-server serve" starts it`)
}

// TestNamesForPeople refuses names that could do something to a terminal or a table.
func TestNamesForPeople(t *testing.T) {
	db, _ := initialized(t)
	for _, display := range []string{"a\tb", "a\nb", "\x1b[31mred", "\xff", strings.Repeat("x", 65)} {
		status, _, said := call(t, nil, "user", "add", "mira", "--db", db, "--display", display)
		require.Equal(t, exitInvalid, status, "%q", display)
		require.Contains(t, said, "the displayed name is wrong")
	}
	status, _, said := call(t, nil, "token", "issue", "--db", db, "--name", strings.Repeat("x", maxName+1))
	require.Equal(t, exitInvalid, status)
	require.Contains(t, said, "the token's name has 129 bytes")
	status, _, said = call(t, nil, "token", "ls")
	require.Equal(t, exitInvalid, status)
	require.Contains(t, said, "no database is named, and there is no home directory")
}

// TestServeRefusesToStart covers what a server cannot start with.
func TestServeRefusesToStart(t *testing.T) {
	db, _ := initialized(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	addr := taken.Addr().String()
	for name, c := range map[string]struct {
		status int
		want   string
		args   []string
	}{
		"address is taken": {exitFailure, "cannot listen on " + addr, []string{"serve", "--db", db, "--addr", addr}},
		"no certificate": {exitInvalid, "cannot use --tls-cert and --tls-key", []string{"serve", "--db", db,
			"--tls-cert", "none.pem", "--tls-key", "none.pem"}},
		"no Postgres": {exitStorage, "connection refused; see that Postgres runs and lets this user in; ", []string{
			"serve", "--db", "postgres://127.0.0.1:1/x"}},
		"no session key": {exitInvalid, "cannot read what --session-key-file names", []string{"serve", "--db", db,
			"--session-key-file", "none"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, said := call(t, nil, c.args...)
			require.Equal(t, c.status, status, said)
			require.Contains(t, said, c.want)
			require.Equal(t, 1, strings.Count(said, "\n"), said)
		})
	}
}

// TestSecondServer starts a server on the file of another one, and moves the file away under that one.
func TestSecondServer(t *testing.T) {
	db, token := initialized(t)
	s := start(t, serving(db)...)
	status, _, said := call(t, nil, serving(db)...)
	require.Equal(t, exitConflict, status, said)
	require.Contains(t, said, fmt.Sprintf("uses it: process %d; stop that server, or give", s.cmd.Process.Pid))
	command(t, "backup", "--db", db, db+".backup")

	push := func(id string) answer {
		return ask(http.DefaultClient, http.MethodPost, s.url+"/v1/packets", token, packetOf(id, "Measure."))
	}
	require.NoError(t, os.Rename(db, db+".away"))
	a := push("first-packet")
	require.Equal(t, http.StatusServiceUnavailable, a.status)
	require.Contains(t, string(a.body), "no-database")
	require.Equal(t, http.StatusServiceUnavailable, ask(http.DefaultClient, "GET", s.url+"/readyz", "", "").status)
	require.Contains(t, s.log(), sqlite.ErrMoved.Error())
	require.NoError(t, os.Rename(db+".away", db))
	require.Equal(t, http.StatusOK, ask(http.DefaultClient, "GET", s.url+"/readyz", "", "").status)
	require.Equal(t, http.StatusCreated, push("first-packet").status)

	s.kill()
	require.Zero(t, start(t, serving(db)...).stop(t), "a killed server leaves no lock")
}

// TestServeFinishesWhatRuns stops a server in the middle of a request.
func TestServeFinishesWhatRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals cannot be sent there")
	}
	db, token := initialized(t)
	s := start(t, serving(db)...)
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	body := packetOf("slow-packet", "Arrives in two parts.")
	_, err = fmt.Fprintf(conn, "POST /v1/packets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", token, len(body))
	require.NoError(t, err)
	hundred := make([]byte, len("HTTP/1.1 100 Continue\r\n\r\n"))
	_, err = io.ReadFull(conn, hundred) // the server reads the body: the request runs
	require.NoError(t, err)
	require.Contains(t, string(hundred), "100 Continue")

	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool { // it takes no more
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	}, time.Minute, 10*time.Millisecond)
	_, err = io.WriteString(conn, body)
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(answer), "HTTP/1.1 201 "), "%s", answer)
	<-s.read
	require.NoError(t, s.cmd.Wait())
}

// TestServeTLS changes the certificate of a running server.
func TestServeTLS(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals cannot be sent there")
	}
	db, _ := initialized(t)
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	begin := time.Now().Add(-time.Hour)
	writeCertificate(t, cert, key, "old.example.org", begin)
	s := start(t, serving(db, "--tls-cert", cert, "--tls-key", key)...)
	require.True(t, strings.HasPrefix(s.url, "https://"))
	addr := strings.TrimPrefix(s.url, "https://")
	name := func() string {
		conn, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true})
		require.NoError(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	require.Equal(t, "old.example.org", name())
	writeCertificate(t, cert, key, "new.example.org", begin.Add(time.Second))
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGHUP))
	require.Equal(t, "new.example.org", name())
	require.Equal(t, "ready\n", command(t, "healthcheck", "--addr", addr, "--tls-cert", cert, "--tls-key", key))

	_, err := tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11,
		MinVersion: tls.VersionTLS10})
	require.Error(t, err)
	require.Zero(t, s.stop(t), "%s", s.log())
	require.Contains(t, s.log(), "read the certificate again")
}

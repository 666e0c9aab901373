package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// TestBackupsGoFromStoreToStore takes a backup of a file under load, restores it to Postgres, and from
// there to another file.
func TestBackupsGoFromStoreToStore(t *testing.T) {
	dir := t.TempDir()
	db, token := initialized(t)
	s := start(t, serving(db)...)
	l := begin(packets{token}, s.url)
	l.wait(3 * clients)
	backup := filepath.Join(dir, "one.backup")
	command(t, "backup", backup, "--db", db)
	l.wait(clients)
	l.end()

	postgres := pgtest.New(t)
	command(t, "restore", backup, "--db", postgres)
	require.Contains(t, command(t, "check", "--db", postgres), "no problems")
	again := filepath.Join(dir, "two.backup")
	command(t, "backup", again, "--db", postgres)
	require.Equal(t, contents(t, backup), contents(t, again))
	file := filepath.Join(dir, "again.db")
	command(t, "restore", again, "--db", file)

	restored := start(t, serving(file)...)
	listed := ask(http.DefaultClient, http.MethodGet, restored.url+"/v1/packets?limit=500", token, "")
	require.Equal(t, http.StatusOK, listed.status, "the token holds")
	var page struct{ Packets []struct{ ID string } }
	require.NoError(t, json.Unmarshal(listed.body, &page))
	require.GreaterOrEqual(t, len(page.Packets), clients, "what was acknowledged before is in it")
	for _, p := range page.Packets[:3] {
		a := ask(http.DefaultClient, http.MethodGet, restored.url+"/v1/packets/"+p.ID, token, "")
		require.Equal(t, http.StatusOK, a.status)
	}
}

// TestKilledRestoresLeaveAnEmptyPlace kills restores that have read a part of a backup, and restores it into the same
// place after that.
func TestKilledRestoresLeaveAnEmptyPlace(t *testing.T) {
	db, token := initialized(t)
	s := start(t, serving(db)...)
	for n := range 300 {
		goal := strings.Repeat(fmt.Sprintf("Measure the tide %d. ", n), 40)
		require.Equal(t, http.StatusCreated, ask(http.DefaultClient, http.MethodPost, s.url+"/v1/packets", token,
			packetOf(fmt.Sprintf("packet-%04d", n), goal)).status)
	}
	require.Zero(t, s.stop(t))
	backup := filepath.Join(t.TempDir(), "all.backup")
	command(t, "backup", backup, "--db", db)
	all := contents(t, backup)
	require.Greater(t, len(all), 1<<18, "more than a pipe holds")
	for name, place := range map[string]func() string{
		"a missing file": func() string { return filepath.Join(t.TempDir(), "new.db") },
		"Postgres":       func() string { return pgtest.New(t) },
	} {
		t.Run(name, func(t *testing.T) {
			to := place()
			for _, part := range []int{1 << 10, len(all) / 2, len(all) - 1} {
				killRestore(t, to, all[:part])
			}
			command(t, "restore", backup, "--db", to)
			require.Contains(t, command(t, "check", "--db", to), "no problems")
			again := filepath.Join(t.TempDir(), "again.backup")
			command(t, "backup", again, "--db", to)
			require.Equal(t, all, contents(t, again))
		})
	}
}

// killRestore kills a restore that was given a part of a backup and waits for the rest.
func killRestore(t *testing.T, to, part string) {
	t.Helper()
	cmd := exec.Command("ltm-server", "restore", "-", "--db", to)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, part) // which waits until it is read, but for what a pipe holds
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Equal(t, -1, cmd.ProcessState.ExitCode(), "it had not ended by itself")
}

func contents(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// TestCheckFindsPacketsOfAnotherForm puts texts into a database that no server would have taken.
func TestCheckFindsPacketsOfAnotherForm(t *testing.T) {
	db, token := initialized(t)
	s := start(t, serving(db)...)
	for _, id := range []string{"packet-good", "packet-bad1", "packet-bad2"} {
		require.Equal(t, http.StatusCreated, ask(http.DefaultClient, http.MethodPost, s.url+"/v1/packets", token,
			packetOf(id, "Measure.")).status)
	}
	require.Zero(t, s.stop(t))
	raw, err := sql.Open("sqlite", db)
	require.NoError(t, err)
	for id, body := range map[string]string{"packet-bad1": `{"ltm_version":"0.1"}`,
		"packet-bad2": packetOf("other-packet", "Measure.")} {
		_, err = raw.Exec("UPDATE packets SET body = ? WHERE CAST(id AS text) = ?", []byte(body), id)
		require.NoError(t, err)
	}
	require.NoError(t, raw.Close())
	status, out, _ := call(t, nil, "check", "--db", db)
	require.Equal(t, exitFailure, status)
	require.Contains(t, out, `packet "packet-bad1": `)
	require.Contains(t, out, `packet "packet-bad2" says that it is "other-packet"`)
	require.NotContains(t, out, "packet-good")
	status, out, _ = call(t, nil, "check", "--db", db, "--json")
	require.Equal(t, exitFailure, status)
	var report checkReport
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, 3, report.Packets)
	require.GreaterOrEqual(t, len(report.Problems), 2, fmt.Sprint(report.Problems))
	require.False(t, strings.Contains(out, token))
}

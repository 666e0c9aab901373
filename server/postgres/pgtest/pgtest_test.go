package pgtest_test

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"ltm/server/postgres/pgtest"
)

// TestDatabasesAreEmptyAndApart checks that a test sees nothing of another.
func TestDatabasesAreEmptyAndApart(t *testing.T) {
	for range 2 {
		conn, err := pgx.Connect(t.Context(), pgtest.New(t))
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), "CREATE TABLE here (id int)")
		require.NoError(t, err)
		require.NoError(t, conn.Close(t.Context()))
	}
}

// TestTheClusterEndsWithItsProcess kills a process that has a cluster.
func TestTheClusterEndsWithItsProcess(t *testing.T) {
	if os.Getenv("LTM_TEST_POSTGRES") != "" {
		t.Skip("there is no private cluster: LTM_TEST_POSTGRES is set")
	}
	if os.Getenv("LTM_PGTEST_CHILD") == "1" {
		fmt.Println(pgtest.New(t))
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until it is killed
		return
	}
	pgtest.New(t) // skips where there can be none
	cmd := exec.Command(os.Args[0], "-test.run=^TestTheClusterEndsWithItsProcess$")
	cmd.Env = append(os.Environ(), "LTM_PGTEST_CHILD=1")
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	u, err := url.Parse(line[:len(line)-1])
	require.NoError(t, err)
	dir := u.Query().Get("host")
	require.DirExists(t, dir)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) }, time.Minute,
		20*time.Millisecond)
}

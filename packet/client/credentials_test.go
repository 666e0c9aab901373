package client_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet/client"
)

func credential(t testing.TB, host, token string) client.Credential {
	return client.Credential{Host: hostOf(t, host), Token: token, User: "u", Display: "Mira",
		AddedAt: time.Date(2026, 8, 28, 9, 15, 30, 0, time.UTC)}
}

func modeOf(t testing.TB, path string) fs.FileMode {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func TestCredentials(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "config", "ltm")
	c := client.NewCredentials(dir)
	_, err := c.Default()
	require.Equal(t, memory.KindHostNone, memory.KindOf(err))
	list, err := c.List()
	require.NoError(t, err)
	require.Empty(t, list)
	require.NoDirExists(t, dir, "looking makes nothing")

	one := credential(t, "https://one.example", "token-of-one")
	two := credential(t, "http://localhost:8080/x", "token-of-two")
	require.NoError(t, c.Put(one))
	require.NoError(t, c.Put(two))
	got, err := c.Find(two.Host)
	require.NoError(t, err)
	two.File = got.File
	require.Equal(t, two, got)
	host, err := c.Default()
	require.NoError(t, err)
	require.Equal(t, one.Host, host, "the first one")
	require.NoError(t, c.Use(two.Host))
	host, err = c.Default()
	require.NoError(t, err)
	require.Equal(t, two.Host, host)

	for _, other := range []string{"http://one.example", "https://one.example:8443", "https://one.example/x",
		"http://localhost:8081/x", "http://localhost:8080"} {
		_, err = c.Find(hostOf(t, other))
		require.Equal(t, memory.KindTokenNone, memory.KindOf(err), other)
	}
	again := credential(t, "https://one.example", "another-token")
	require.Equal(t, memory.KindRemoteConflict, memory.KindOf(c.Add(again)))
	one.Token = "new-token-of-one"
	require.NoError(t, c.Put(one))
	got, err = c.Find(one.Host)
	require.NoError(t, err)
	require.Equal(t, one.Token, got.Token)

	require.NoError(t, c.Remove(two.Host))
	require.Equal(t, memory.KindTokenNone, memory.KindOf(c.Remove(two.Host)))
	require.Equal(t, memory.KindTokenNone, memory.KindOf(c.Use(two.Host)))
	host, err = c.Default()
	require.NoError(t, err)
	require.Equal(t, one.Host, host, "the only one")
	require.NoError(t, c.Add(two))
	require.NoError(t, c.Put(credential(t, "https://three.example", "token-of-three")))
	require.NoError(t, c.Remove(one.Host))
	list, err = c.List()
	require.NoError(t, err)
	require.Len(t, list, 2)
}

// TestCredentialsAreSecret is about modes that were wider before.
func TestCredentialsAreSecret(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not what keeps others away there")
	}
	dir := filepath.Join(t.TempDir(), "ltm")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "hosts"), 0o777))
	require.NoError(t, os.Chmod(dir, 0o777))
	require.NoError(t, os.Chmod(filepath.Join(dir, "hosts"), 0o755))
	c := client.NewCredentials(dir)
	one := credential(t, "https://one.example", "token-of-one")
	require.NoError(t, c.Put(one))
	got, err := c.Find(one.Host)
	require.NoError(t, err)
	require.False(t, got.Exposed)
	for path, mode := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "hosts"): 0o700, got.File: 0o600,
		filepath.Join(dir, "hosts", "default"): 0o600} {
		require.Equal(t, mode, modeOf(t, path), path)
	}
	require.NoError(t, os.Chmod(got.File, 0o644))
	got, err = c.Find(one.Host)
	require.NoError(t, err)
	require.True(t, got.Exposed)
	require.Equal(t, fs.FileMode(0o600), modeOf(t, got.File))
	require.NoError(t, os.Chmod(got.File, 0o666))
	require.NoError(t, c.Put(one))
	require.Equal(t, fs.FileMode(0o600), modeOf(t, got.File))

	shared := t.TempDir()
	require.NoError(t, os.Chmod(shared, 0o777|fs.ModeSticky))
	require.Equal(t, memory.KindRemoteExposed, memory.KindOf(client.NewCredentials(shared).Put(one)))
	require.Equal(t, fs.FileMode(0o777), modeOf(t, shared), "a directory of all stays one")
}

// TestDamagedCredentials puts files in the place of one. None gives a token to any server.
func TestDamagedCredentials(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "binary": "\x00\xff", "half": `{"version":1,"host":"https://one.ex`, "newer": `{"version":2}`,
		"another host": `{"version":1,"host":"https://two.example","token":"token-of-one"}`,
		"no token":     `{"version":1,"host":"https://one.example","token":""}`,
		"wrong types":  `{"version":1,"host":5,"token":[]}`,
		"huge":         strings.Repeat(" ", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			c := client.NewCredentials(t.TempDir())
			one := credential(t, "https://one.example", "token-of-one")
			require.NoError(t, c.Put(one))
			got, err := c.Find(one.Host)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(got.File, []byte(text), 0o600))
			got, err = c.Find(one.Host)
			require.Equal(t, memory.KindRemoteDamaged, memory.KindOf(err))
			require.Empty(t, got.Token)
			list, err := c.List()
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.Equal(t, memory.KindRemoteDamaged, memory.KindOf(list[0].Err))
			require.NoError(t, c.Put(one))
			_, err = c.Find(one.Host)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(got.File, []byte(text), 0o600))
			require.NoError(t, c.Remove(one.Host))
			require.NoFileExists(t, got.File)
		})
	}
}

func TestNoPlaceForCredentials(t *testing.T) {
	c := client.NoCredentials("a project sets LTM_CONFIG_DIR")
	one := credential(t, "https://one.example", "token-of-one")
	for _, err := range []error{c.Put(one), c.Use(one.Host), c.Remove(one.Host), second(c.Find(one.Host)),
		second(c.List()), second(c.Default())} {
		require.Equal(t, memory.KindRemotePlace, memory.KindOf(err))
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Equal(t, memory.CodeStorage, memory.CodeOf(client.NewCredentials(file).Put(one)))
}

// TestCredentialsAtOnce writes for many servers and for one at the same time.
func TestCredentialsAtOnce(t *testing.T) {
	c := client.NewCredentials(t.TempDir())
	var all sync.WaitGroup
	for i := range 16 {
		one := credential(t, fmt.Sprintf("https://host-%d.example", i/2), fmt.Sprintf("token-number-%d", i))
		all.Go(func() { require.NoError(t, c.Put(one)) })
	}
	all.Wait()
	list, err := c.List()
	require.NoError(t, err)
	require.Len(t, list, 8)
	for i, one := range list {
		require.NoError(t, one.Err)
		require.Contains(t, []string{fmt.Sprintf("token-number-%d", 2*i), fmt.Sprintf("token-number-%d", 2*i+1)},
			one.Token)
	}
	_, err = c.Default()
	require.NoError(t, err)
}

// TestARemovedDefaultLeavesItsPlace: the next server that is added becomes the default one.
func TestARemovedDefaultLeavesItsPlace(t *testing.T) {
	c := client.NewCredentials(t.TempDir())
	for _, address := range []string{"https://one.example", "https://two.example", "https://three.example"} {
		require.NoError(t, c.Put(credential(t, address, "token-of-a-server")))
	}
	two := hostOf(t, "https://two.example")
	require.NoError(t, c.Use(two))
	require.NoError(t, c.Remove(two))
	four := credential(t, "https://four.example", "token-of-a-server")
	require.NoError(t, c.Put(four))
	host, err := c.Default()
	require.NoError(t, err)
	require.Equal(t, four.Host, host)
}

package keyring_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/signing/keyring"
)

const (
	storeID = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	rootA   = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	rootB   = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func home(t *testing.T, r keyring.Ring, id string, roots ...string) []string {
	t.Helper()
	found, err := r.Home(id, roots)
	require.NoError(t, err)
	return found
}

// TestTheFirstRepositoryIsTheHome of a store's id, and none is until a root commit is known.
func TestTheFirstRepositoryIsTheHome(t *testing.T) {
	r := ring(t)
	require.Empty(t, home(t, r, storeID))
	require.NoDirExists(t, r.Dir())
	require.Equal(t, []string{rootA, rootB}, home(t, r, storeID, rootA, rootB))
	require.Equal(t, []string{rootA, rootB}, home(t, r, storeID, strings.Repeat("c", 40)))
	require.Equal(t, []string{rootA, rootB}, home(t, r, storeID))
	require.Empty(t, home(t, r, strings.Repeat("0", 32)))
	generated(t, r)
	list, err := r.List()
	require.NoError(t, err)
	require.Len(t, list, 1, "the record is not a key")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(r.StoresDir())
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		require.NoError(t, os.Chmod(r.Dir(), 0o777))
		_, err = r.Home(storeID, nil)
		require.Equal(t, memory.KindKeyExposed, memory.KindOf(err), "others could have changed it")
	}
}

func TestHomesThatCannotBeRead(t *testing.T) {
	r := ring(t)
	for _, id := range []string{"", "../../current", strings.ToUpper(storeID), storeID + "/"} {
		_, err := r.Home(id, []string{rootA})
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err), id)
	}
	home(t, r, storeID, rootA)
	name := filepath.Join(r.StoresDir(), storeID)
	require.NoError(t, os.WriteFile(name, []byte(strings.Repeat(rootB+"\n", 200)), 0o600))
	_, err := r.Home(storeID, []string{rootB})
	require.Error(t, err, "too large")
	require.NoError(t, os.Remove(name))
	require.NoError(t, os.Mkdir(name, 0o700))
	_, err = r.Home(storeID, []string{rootB})
	require.Error(t, err)
	_, err = keyring.None("none").Home(storeID, []string{rootB})
	require.Equal(t, memory.KindKeyPlace, memory.KindOf(err))
}

// TestTwoRepositoriesAtOnce ends with one home, which both are told.
func TestTwoRepositoriesAtOnce(t *testing.T) {
	r := ring(t)
	var told [8]string
	var wait sync.WaitGroup
	for i := range told {
		wait.Go(func() {
			roots, err := r.Home(storeID, []string{[]string{rootA, rootB}[i%2]})
			if err != nil {
				t.Error(err)
			}
			told[i] = strings.Join(roots, " ")
		})
	}
	wait.Wait()
	for _, roots := range told {
		require.Equal(t, strings.Join(home(t, r, storeID), " "), roots)
	}
}

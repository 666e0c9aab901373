package keyring_test

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/signing"
	"ltm/store/signing/keyring"
)

func ring(t *testing.T) keyring.Ring { return keyring.New(filepath.Join(t.TempDir(), "ltm", "keys")) }

func generated(t *testing.T, r keyring.Ring) keyring.Entry {
	t.Helper()
	e, err := r.Generate(rand.Reader)
	require.NoError(t, err)
	return e
}

func current(t *testing.T, r keyring.Ring) string {
	t.Helper()
	_, key, ok := r.Keys()
	if !ok {
		return ""
	}
	return key.Fingerprint()
}

func TestKeysOfAPerson(t *testing.T) {
	r := ring(t)
	list, err := r.List()
	require.NoError(t, err)
	require.Empty(t, list)
	_, err = r.Find("")
	require.Equal(t, memory.KindKeyNone, memory.KindOf(err))

	first, second := generated(t, r), generated(t, r)
	require.True(t, second.Current, "a new key is the current one")
	require.Equal(t, second.Fingerprint, current(t, r))
	all, _, _ := r.Keys()
	require.Len(t, all, 2)

	used, err := r.Use(first.Fingerprint[:6])
	require.NoError(t, err)
	require.Equal(t, first.Fingerprint, used.Fingerprint)
	require.Equal(t, first.Fingerprint, current(t, r))

	_, err = r.Find(first.Fingerprint[:3])
	require.Equal(t, memory.KindKeyUnknown, memory.KindOf(err), "too short to name one")
	_, err = r.Find("../../etc/passwd")
	require.Equal(t, memory.KindKeyUnknown, memory.KindOf(err))

	removed, err := r.Remove(first.Fingerprint)
	require.NoError(t, err)
	require.Equal(t, first.Fingerprint, removed.Fingerprint)
	require.Equal(t, second.Fingerprint, current(t, r), "the only key that is left")
	third, err := r.Find(second.Fingerprint)
	require.NoError(t, err)
	text, err := third.Secret()
	require.NoError(t, err)
	_, err = r.Remove(second.Fingerprint)
	require.NoError(t, err)
	require.Empty(t, current(t, r))

	key, err := keyring.ParseKey(text)
	require.NoError(t, err)
	back, err := r.Add(key)
	require.NoError(t, err)
	require.True(t, back.Current, "the first key")
	require.Equal(t, second.Fingerprint, back.Fingerprint)
	again, err := r.Add(key)
	require.NoError(t, err)
	require.Equal(t, back.Fingerprint, again.Fingerprint)
}

func TestAnImportedKeyIsNotTheCurrentOne(t *testing.T) {
	r, other := ring(t), ring(t)
	mine := generated(t, r)
	e, err := other.Find(generated(t, other).Fingerprint)
	require.NoError(t, err)
	text, err := e.Secret()
	require.NoError(t, err)
	key, err := keyring.ParseKey(text)
	require.NoError(t, err)
	added, err := r.Add(key)
	require.NoError(t, err)
	require.False(t, added.Current)
	require.Equal(t, mine.Fingerprint, current(t, r))
}

func TestOnlyThePersonCanReadKeys(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no such modes")
	}
	r := ring(t)
	e := generated(t, r)
	for path, want := range map[string]os.FileMode{r.Dir(): 0o700, filepath.Dir(r.Dir()): 0o700, e.Path: 0o600,
		filepath.Join(r.Dir(), "current"): 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), path)
	}
	ignore, err := os.ReadFile(filepath.Join(r.Dir(), ".gitignore"))
	require.NoError(t, err)
	require.Equal(t, "*\n", string(ignore))

	require.NoError(t, os.Chmod(e.Path, 0o640))
	list, err := r.List()
	require.NoError(t, err)
	require.Equal(t, memory.KindKeyExposed, memory.KindOf(list[0].Err))
	require.Empty(t, current(t, r))
	_, err = r.Use(e.Fingerprint)
	require.Error(t, err)
	_, err = list[0].Secret()
	require.Error(t, err)
	require.NoError(t, os.Chmod(e.Path, 0o600))

	require.NoError(t, os.Chmod(r.Dir(), 0o755))
	_, err = r.List()
	require.Equal(t, memory.KindKeyExposed, memory.KindOf(err))
	_, err = r.Generate(rand.Reader)
	require.Equal(t, memory.KindKeyExposed, memory.KindOf(err))
	require.Empty(t, current(t, r))

	path := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(path, []byte("ltm-key-v1 "+strings.Repeat("0123", 16)), 0o644))
	_, err = keyring.ReadKey(path)
	require.Equal(t, memory.KindKeyExposed, memory.KindOf(err))
	require.NoError(t, os.Chmod(path, 0o600))
	_, err = keyring.ReadKey(path)
	require.NoError(t, err)
}

// TestFilesThatAreNotKeys has a good key beside them, which still counts.
func TestFilesThatAreNotKeys(t *testing.T) {
	r := ring(t)
	good := generated(t, r)
	text, err := os.ReadFile(good.Path)
	require.NoError(t, err)
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(r.Dir(), name), []byte(text), 0o600))
	}
	put("0000000000000001.key", "")
	put("0000000000000002.key", string(text))
	put("0000000000000003.key", strings.Repeat("x", 10000))
	put("notes.txt", "mine")
	put("ABC.key", string(text))
	require.NoError(t, os.Mkdir(filepath.Join(r.Dir(), "0000000000000004.key"), 0o700))
	want := 5
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(good.Path, filepath.Join(r.Dir(), "0000000000000005.key")))
		want = 6
	}
	list, err := r.List()
	require.NoError(t, err)
	require.Len(t, list, want)
	for _, e := range list {
		require.Equal(t, e.Fingerprint == good.Fingerprint, e.Err == nil, e.Fingerprint)
		if e.Err != nil {
			require.NotContains(t, e.Err.Error(), strings.TrimSpace(string(text))[11:20])
		}
	}
	require.Equal(t, good.Fingerprint, current(t, r))
	_, err = r.Remove("0000000000000001")
	require.NoError(t, err, "one that cannot be used can be removed")
	put("current", "0000000000000002\n")
	require.Empty(t, current(t, r))
	put("current", strings.Repeat("y", 10000))
	require.Empty(t, current(t, r))
}

func TestTwoAddTheSameKey(t *testing.T) {
	r := ring(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			key, err := keyring.ParseKey([]byte(strings.Repeat("5a0f", 16)))
			if err == nil {
				_, err = r.Add(key)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	list, err := r.List()
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, list[0].Current)
	names, err := os.ReadDir(r.Dir())
	require.NoError(t, err)
	require.Len(t, names, 3, "no temporary files")
}

func TestSavedKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, keyring.Save(path, []byte("secret")))
	require.Error(t, keyring.Save(path, []byte("other")), "it replaces nothing")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestAllowed(t *testing.T) {
	top, outside := t.TempDir(), t.TempDir()
	line := []byte("alice ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + strings.Repeat("A", 42) + "A\n")
	inside := filepath.Join(top, "allowed_signers")
	path := filepath.Join(outside, "allowed_signers")
	for _, p := range []string{inside, path} {
		require.NoError(t, os.WriteFile(p, line, 0o644))
	}
	list, err := keyring.Allowed(path, top)
	require.NoError(t, err)
	require.Len(t, list, 1)
	_, err = keyring.Allowed(inside, top)
	require.ErrorIs(t, err, keyring.ErrInside)
	_, err = keyring.Allowed("allowed_signers", top)
	require.ErrorIs(t, err, keyring.ErrRelative)
	_, err = keyring.Allowed(filepath.Join(outside, "missing"), top)
	require.ErrorIs(t, err, os.ErrNotExist)
	if runtime.GOOS != "windows" {
		link := filepath.Join(outside, "link")
		require.NoError(t, os.Symlink(inside, link))
		_, err = keyring.Allowed(link, top)
		require.ErrorIs(t, err, keyring.ErrInside, "a link into the repository")
	}
	require.NoError(t, os.WriteFile(path, make([]byte, signing.MaxAllowedBytes+1), 0o644))
	_, err = keyring.Allowed(path, top)
	require.Error(t, err)
}

func TestSecretsAreNotInErrors(t *testing.T) {
	secret := hex.EncodeToString([]byte("thirty-one bytes are too short."))
	_, err := keyring.ParseKey([]byte(secret))
	require.Equal(t, memory.KindKeyMalformed, memory.KindOf(err))
	require.NotContains(t, err.Error(), secret[:8])
}

func TestADirectoryIsNoKey(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"..", ".", t.TempDir()} {
		_, err := keyring.ReadKey(path)
		require.ErrorContains(t, err, "not a regular file", path)
	}
}

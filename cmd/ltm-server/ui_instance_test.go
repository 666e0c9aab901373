package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
)

// TestAPageThatCannotBeFoundSaysSo, as another one starts beside it.
func TestAPageThatCannotBeFoundSaysSo(t *testing.T) {
	project := somewhere(t)
	env := []string{"HOME=", "USERPROFILE=", "XDG_CACHE_HOME=caches", "LOCALAPPDATA=caches"}
	one, two := openPage(t, project, env), openPage(t, project, env)
	require.NotEqual(t, one.link.Host, two.link.Host)
	for _, p := range []*opened{one, two} {
		status, page := p.get(p.link.RequestURI())
		require.Equal(t, 200, status, page)
		require.NoError(t, p.cmd.Process.Kill())
		_ = p.cmd.Wait() // it was killed
		require.Contains(t, p.stderr.String(), "will not find this page")
	}
	require.NoDirExists(t, project+"/caches")
}

// TestACacheThatIsRelativeIsPassedOver for that in the home directory.
func TestACacheThatIsRelativeIsPassedOver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, one setting names the cache")
	}
	project := somewhere(t)
	relative := []string{"XDG_CACHE_HOME=caches"}
	require.Equal(t, openPage(t, project, relative).link.Host, openPage(t, project, relative).link.Host)
}

// TestAPageEndsWithItsTerminalBeforeItIsThere, too: what it leaves until then is removed.
func TestAPageEndsWithItsTerminalBeforeItIsThere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGHUP")
	}
	heedHangup(t)
	project := somewhere(t)
	asked := make(chan struct{}, 1)
	running := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer running.Close()
	cache := filepath.Join(project, "home", "Library", "Caches", "ltm")
	forget, err := noteOf(cache, locate.Places(filepath.Join(project, ".claude", "ltm"), "").Store).keep(
		instance{Address: running.URL + "/", Control: "secret"})
	require.NoError(t, err)
	defer forget()
	second := uiProcess(project, nil)
	require.NoError(t, second.Start())
	late := time.AfterFunc(30*time.Second, func() { _ = second.Process.Kill() })
	defer late.Stop()
	select {
	case <-asked:
	case <-time.After(time.Minute):
		t.Fatal("the page that runs was not asked")
	}
	require.NoError(t, second.Process.Signal(syscall.SIGHUP))
	_ = second.Wait()
	require.True(t, second.ProcessState.Exited(), "it was not just cut off: %v", second.ProcessState)
}

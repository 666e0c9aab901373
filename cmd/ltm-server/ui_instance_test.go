package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
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

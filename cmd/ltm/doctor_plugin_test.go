package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// TestPluginHooksNeedAProgramOnWindows names what is missing, and only there.
func TestPluginHooksNeedAProgramOnWindows(t *testing.T) {
	root := t.TempDir()
	plugin := &setup.Plugin{Why: "it is enabled", Root: root}
	require.Equal(t, stateOK, pluginHooks(plugin, false).State)
	found := pluginHooks(plugin, true)
	require.Equal(t, stateWarn, found.State)
	require.Contains(t, found.Do, "ltm.cmd")
	require.Equal(t, stateOK, pluginHooks(&setup.Plugin{Why: "it is enabled"}, true).State,
		"where the plugin is, is not known")
	require.NoError(t, os.Mkdir(filepath.Join(root, "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "bin", "ltm.exe"), nil, 0o755))
	require.Equal(t, stateOK, pluginHooks(plugin, true).State)
}

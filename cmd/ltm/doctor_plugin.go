package main

import (
	"os"
	"path/filepath"
	"runtime"

	"ltm/setup"
)

func (d *doctor) pluginHooks() finding {
	return pluginHooks(d.client.Plugin, runtime.GOOS == "windows")
}

// pluginHooks checks whether the client can start the hooks of the plugin. On Windows it does
// not start scripts as hooks, only bin\ltm.exe, which bin\ltm.cmd creates when the server
// first starts.
func pluginHooks(p *setup.Plugin, windows bool) finding {
	program := filepath.Join(p.Root, "bin", "ltm.exe")
	if _, err := os.Stat(program); windows && p.Root != "" && err != nil {
		return warn("registered once, by the plugin ("+p.Why+"), but Windows cannot start them without "+program,
			`run "`+filepath.Join(p.Root, "bin", "ltm.cmd")+`" version, which creates it`)
	}
	return fine("registered once, by the plugin (" + p.Why + ")")
}

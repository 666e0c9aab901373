package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ltm-server": main, "ltm": standIn})
}

// TestScript runs the scripts that specify the command line, with the real program in processes of
// its own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA"} {
				env.Setenv(name, filepath.Join(env.WorkDir, "home"))
			}
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o755)
		},
	})
}

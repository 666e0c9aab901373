//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// asks are programs for shells that complete a tag, and then what follows each candidate. In fish, a quoted agent is
// before it too.
func asks() map[string]string {
	return map[string]string{
		"bash": `. /usr/share/bash-completion/bash_completion
. ./script
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMPREPLY=()
  __start_ltm; }
ask ltm list --tag ''
for one in "${COMPREPLY[@]%% *}"; do echo "$one"; ask ltm list --tag "$one" --agent ''; done
printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `compdef() { }
_describe() { print -l -- ${completions%%:*}; offered=(${completions%%:*}) }
. ./script
ask() { words=("$@"); CURRENT=$#; _ltm }
ask ltm list --tag ''
for one in $offered; do ask ltm list --tag "$one" --agent ''; done`,
		"fish": `source ./script
complete -C "ltm list --agent '"'$(./x)'"' --tag "
complete -C "ltm list --agent '(./x)' --tag "
for one in (complete -C 'ltm list --tag '); complete -C "ltm list --tag "(string split \t -- $one)[1]" --agent "; end`,
	}
}

// TestShellsRunNothingOfARepository completes in real shells, in a clone whose tags and agents are commands.
func TestShellsRunNothingOfARepository(t *testing.T) {
	for shell, ask := range asks() {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if _, noBash := os.Stat("/usr/share/bash-completion/bash_completion"); shell == "bash" && err == nil {
				err = noBash
			}
			if err != nil && os.Getenv("LTM_REQUIRE_SHELLS") != "" {
				require.NoError(t, err)
			} else if err != nil {
				t.Skip(err)
			}
			p := newProject(t)
			for name, text := range map[string]string{
				"x": "#!/bin/sh\ntouch ran\n",
				".claude/ltm/memories/mem_0000000a.md": "---\ntopic: \"`./x`$(./x)\"\n" +
					"tags: [\"a`./x`1\", \"$(./x)\", \"a(./x)\", \"a;./x;\", \"--hard\", plain]\n" +
					"agent: \"$(./x)\"\n---\ntext\n",
				".claude/ltm/memories/mem_0000000b.md": "---\ntopic: b\ntags: [größe]\nagent: reviewer\n---\ntext\n",
			} {
				file := filepath.Join(p.dir, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o755))
			}
			script := p.run("", "completion", shell)
			require.NoError(t, os.WriteFile(filepath.Join(p.dir, "script"), []byte(script), 0o644))
			cmd := exec.Command(path, "-c", ask)
			cmd.Dir = p.dir
			cmd.Env = append(os.Environ(), "HOME="+p.dir, "LC_ALL=C.UTF-8", "LTM_DIR=", "CLAUDE_PROJECT_DIR=")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.NoFileExists(t, filepath.Join(p.dir, "ran"), "%s", out)
			for _, offered := range []string{"plain", "größe", "reviewer"} {
				require.Contains(t, string(out), offered)
			}
			require.NotContains(t, string(out), "./x")
			require.NotContains(t, string(out), "--hard")
		})
	}
}

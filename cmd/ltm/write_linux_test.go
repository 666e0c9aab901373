package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// editing is an environment whose editor runs a shell script on the file "$1". N is how often it
// was started before.
func editing(t *testing.T, tmp, text string) []string {
	t.Helper()
	count := filepath.Join(t.TempDir(), "count")
	text = `N=$(cat '` + count + `' 2>/dev/null || echo 0); echo $((N+1)) > '` + count + "'\n" + text
	return []string{"VISUAL=", "EDITOR=" + script(t, t.TempDir(), "editor", text), "TMPDIR=" + tmp}
}

// filesIn returns the paths of the files that are left in the temporary directory.
func filesIn(t *testing.T, tmp string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(tmp, "*", "*"))
	require.NoError(t, err)
	return left
}

// TestWriteInTheEditor writes what a person fills in.
func TestWriteInTheEditor(t *testing.T) {
	p, tmp := newProject(t), t.TempDir()
	out := p.onTerminal(80, editing(t, tmp, `grep -q '^- \[unverified\] Flash is small.$' "$1" || exit 9
sed -i 's/^## Goal$/## Goal\nKeep the clock./; s/^## Next step$/## Next step\nLook.\nThen run./' "$1"`),
		"write", "--constraint", "[unverified] Flash is small.", "--tag", "rtc")
	require.Contains(t, out, "wrote packet ")
	require.Empty(t, filesIn(t, tmp))
	shown := p.run("", "packet", "show", packetIn(t, out))
	require.Contains(t, shown, "Goal\n  Keep the clock.\n\nNext step\n  Look.\n  Then run.\n\nConstraints\n"+
		"  1. [unverified] Flash is small.\n")
	require.NotContains(t, shown, "Done when")
}

// TestTheEditorOpensAgain as long as something is wrong, with what it is.
func TestTheEditorOpensAgain(t *testing.T) {
	p, tmp := newProject(t), t.TempDir()
	out := p.onTerminal(80, editing(t, tmp, `case $N in
0) printf '## Goal\nghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\n## Decisions\n- x\n' > "$1" ;;
1) grep -q '^<!-- Not written. Correct this' "$1" && grep -q '^  line 4: has no "why"' "$1" || exit 9
   sed -i 's/^- x$/- x\n  why: y/' "$1" ;;
2) grep -c 'Not written' "$1" | grep -qx 1 || exit 9
   grep -q '^  /next_step: is empty' "$1" && grep -q '^  line [0-9]* (/goal): has GitHub token: ghp_. (40' "$1" || exit 9
   sed -i 's/^ghp_.*$/Keep it./' "$1"; printf '## Next step\nLook.\n## Continues\n01K3Q8\n' >> "$1" ;;
3) grep -q 'there is no packet "01K3Q8"' "$1" || exit 9
   sed -i 's/^01K3Q8$//' "$1" ;;
*) exit 9 ;;
esac`), "write")
	require.Contains(t, out, "wrote packet ")
	require.NotContains(t, out, "ABCDEFGH")
	require.Empty(t, filesIn(t, tmp))
	require.Contains(t, p.run("", "packet", "show", packetIn(t, out)), "  1. x\n     why: y\n")
}

// TestGivingUpInTheEditor keeps a text that was typed, and nothing else.
func TestGivingUpInTheEditor(t *testing.T) {
	for name, c := range map[string]struct {
		text, want string
		kept       bool
	}{
		"nothing typed":                   {"true", "the text is empty, or was left as it was; nothing", false},
		"emptied":                         {`: > "$1"`, "the text is empty", false},
		"the editor fails":                {"exit 3", "failed", false},
		"the file is gone":                {`rm "$1"`, "cannot read what the editor left", false},
		"left with faults":                {`[ $N = 0 ] && printf '## Goal\nMine\n' > "$1"; true`, "still has faults", true},
		"the editor fails after a change": {`printf '## Goal\nMine\n' > "$1"; exit 3`, "failed", true},
		"binary":                          {`[ $N = 0 ] && printf '## Goal\nMine\000\377\n' > "$1"; true`, "still has faults", true},
	} {
		t.Run(name, func(t *testing.T) {
			p, tmp := newProject(t), t.TempDir()
			out, failed := p.fails(editing(t, tmp, c.text), "write")
			require.True(t, failed)
			require.Contains(t, out, c.want)
			require.NoDirExists(t, filepath.Join(p.dir, ".claude"))
			if !c.kept {
				require.Empty(t, filesIn(t, tmp))
				return
			}
			left := filesIn(t, tmp)
			require.Len(t, left, 1)
			require.Contains(t, out, "your text is saved in "+left[0])
			require.Contains(t, out, "ltm write --edit --from "+left[0]+" resumes with it")
			data, err := os.ReadFile(left[0])
			require.NoError(t, err)
			require.Contains(t, string(data), "Mine")
		})
	}
}

// TestResumeInTheEditor goes on with a text that was kept.
func TestResumeInTheEditor(t *testing.T) {
	p, tmp := newProject(t), t.TempDir()
	kept := filepath.Join(t.TempDir(), "kept.md")
	require.NoError(t, os.WriteFile(kept, []byte("## Goal\nMine\n## Next step\nLook.\n"), 0o644))
	out := p.onTerminal(80, editing(t, tmp, `sed -i 's/^Mine$/Yours/' "$1"`), "write", "--edit", "--from", kept)
	require.Contains(t, p.run("", "packet", "show", packetIn(t, out)), "Goal\n  Yours\n")
	out = p.onTerminal(80, editing(t, tmp, "true"), "write", "--edit", "--from", kept)
	require.Contains(t, out, "wrote packet ", "a whole text that is left as it is")
	out = p.onTerminal(80, editing(t, tmp, "exit 9"), "write", "--from", kept)
	require.Contains(t, out, "wrote packet ", "without --edit no editor opens")
}

// TestPickingAPacket lets a person choose between several.
func TestPickingAPacket(t *testing.T) {
	p := newProject(t)
	first := packetIn(t, p.run("", "write", "--goal", "Keep the \x1b[31mclock", "--next", "Look", "--criterion", "c"))
	require.Contains(t, p.typed("", 100, nil, "resume"), "packet > "+first, "one packet is not asked for")
	second := packetIn(t, p.run("", "write", "--goal", "Size the pool", "--next", "Measure", "--criterion", "c"))
	out := p.typed("\n", 100, nil, "resume")
	require.Contains(t, picked(t, out, "\n"), "packet > "+second)
	require.NotContains(t, out, "\x1b[31m")
	require.Contains(t, picked(t, p.typed("2\n", 100, nil, "resume"), "2\n"), "packet > "+first)
	out, failed := p.leaves("3\n", nil, "resume")
	require.True(t, failed)
	require.Contains(t, picked(t, out, "3\n"), "give numbers from 1 to 2")
	require.Contains(t, p.run("", "resume"), "packet > "+second, "without a terminal it is the newest")
}

// TestCopying asks the terminal to put the text into its clipboard.
func TestCopying(t *testing.T) {
	p := newProject(t)
	id := packetIn(t, p.run("", "write", "--goal", "Keep the clock", "--next", "Look", "--criterion", "c"))
	text := strings.TrimSuffix(p.run("", "resume", id), "\n")
	none := []string{"TMUX=", "STY=", "TERM=xterm"}
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	out := p.onTerminal(200, none, "resume", id, "--copy")
	require.Contains(t, out, "\x1b]52;c;"+encoded+"\x07")
	require.Contains(t, out, "copied the packet "+id+" to the clipboard, if the terminal allows that (")
	out = p.onTerminal(200, append(none, "TMUX=/tmp/x"), "resume", id, "--copy")
	require.Contains(t, out, "\x1bPtmux;\x1b\x1b]52;c;"+encoded+"\x07\x1b\\")
	out, failed := p.fails(append(none, "TERM=dumb"), "resume", id, "--copy")
	require.True(t, failed)
	require.Contains(t, out, "there is no clipboard here")
}

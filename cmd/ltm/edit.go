package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/engine/change"
	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

func (a *app) editCommand() *cobra.Command {
	var from string
	c := &cobra.Command{Use: "edit ID", Args: arguments(1, anID)}
	c.Flags().StringVar(&from, "from", "", "start with the text in `FILE`, such as one that was not stored")
	var p api.Patch
	kindFlags(c, &p)
	c.RunE = func(c *cobra.Command, given []string) error {
		// Ctrl-C in the editor is for the editor, and must not discard what it saved.
		ctx := context.WithoutCancel(c.Context())
		e, wanted, err := a.oneID(ctx, given[0])
		if err != nil {
			return err
		}
		id, before, err := e.File(ctx, wanted)
		if err != nil {
			return err
		}
		draft := before
		if from != "" {
			if draft, err = os.ReadFile(from); err != nil {
				return unusable("", "cannot read the text to begin with", err)
			}
		}
		if draft, err = withKind(id, draft, p); err != nil {
			return err
		}
		r, err := a.edit(ctx, e, id, before, draft)
		if kept, ok := errors.AsType[*change.Rejected](err); ok {
			return advice.With(err, advice.Join(nextSteps().Step(kept.Err), "ltm edit "+string(id)+
				" --from FILE resumes with it"))
		}
		if err != nil {
			return err
		}
		if old, err := memfile.Parse(before); err == nil && old.Memory.Conflicted && r.ID == id {
			r.Message = append(r.Message, a.resolvedNote(id, before)...)
		}
		return answer(a, r, nil, a.printReceipt)
	}
	return c
}

// edit lets a person edit a copy of a file, and stores the result.
func (a *app) edit(ctx context.Context, e *engine.Engine, id memory.ID, before, draft []byte) (api.Receipt, error) {
	dir, err := os.MkdirTemp("", "ltm-edit-")
	if err != nil {
		return api.Receipt{}, copyFailed("cannot make a copy to edit", err)
	}
	path := filepath.Join(dir, id.File())
	r, err := a.editCopy(ctx, e, id, path, before, draft)
	text, readErr := os.ReadFile(path)
	unchanged := readErr != nil || bytes.Equal(text, draft) || len(bytes.TrimSpace(text)) == 0
	if _, kept := errors.AsType[*change.Rejected](err); err == nil || kept || unchanged {
		_ = os.RemoveAll(dir)
		return r, err
	}
	return r, &change.Rejected{ID: id, Path: path, Err: err} // not saved in the store
}

func (a *app) editCopy(ctx context.Context, e *engine.Engine, id memory.ID, path string,
	before, draft []byte) (api.Receipt, error) {
	text, err := a.edited(path, string(draft))
	after := []byte(text)
	switch {
	case err != nil:
		return api.Receipt{}, err
	case len(bytes.TrimSpace(after)) == 0:
		return api.Receipt{}, invalid("ltm forget takes a memory out", "the text is empty")
	case bytes.Equal(after, before):
		return api.Receipt{Success: true, ID: id, Message: memory.Say(fmt.Sprintf("no change to %s", id)),
			Tags: []string{}}, nil
	}
	return e.EditFile(ctx, id, before, after)
}

// runEditor runs the person's editor on a file and waits until it exits. It is never a program in the repository.
func (a *app) runEditor(path string) error {
	fallback := "vi"
	if runtime.GOOS == "windows" {
		fallback = "notepad"
	}
	named := cmp.Or(strings.TrimSpace(a.getenv("VISUAL")), strings.TrimSpace(a.getenv("EDITOR")), fallback)
	argv := splitCommand(named)
	if _, err := os.Stat(named); filepath.IsAbs(named) && err == nil || len(argv) == 0 {
		argv = []string{named} // a path with spaces
	}
	if needsTerminal(argv) && !a.canCompose() {
		return invalid(
			"start it on a terminal, or change the memory without an editor: ltm update ID --content - < FILE",
			"the editor %q needs a terminal for input and output", named)
	}
	program := a.trustedProgram(argv[0])
	if program == "" {
		return invalid("set VISUAL or EDITOR to the name or the full path of an editor outside the project",
			"the editor %q was not found outside the project", argv[0])
	}
	cmd := exec.Command(program, append(argv[1:], path)...)
	cmd.Args[0] = argv[0] // some editors behave as they are called
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Dir = a.stdin, a.stdout, a.stderr, a.editorDir(path)
	if !terminal.Is(a.stdout) {
		cmd.Stdout = a.stderr // only the answer goes into the pipe
	}
	if err := cmd.Run(); err != nil {
		return unusable("set VISUAL or EDITOR to an editor that waits until you are done",
			fmt.Sprintf("the editor %q failed", named), err)
	}
	return nil
}

// editorDir returns the directory that the editor runs in, or "" for that of this process.
// Editors read settings from there and run git in it. A store can come from anyone, so in a
// store the editor runs in the directory of the copy instead.
func (a *app) editorDir(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for base := a.place().Store; ; dir = filepath.Dir(dir) {
		if gitdir.SameFile(dir, base) {
			return filepath.Dir(path)
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// splitCommand splits a command at spaces outside quotes. Backslashes have no special
// meaning, because paths on Windows are full of them.
func splitCommand(s string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// composeHint is what the editor opens with. It is an HTML comment because in markdown "#" begins a heading.
const composeHint = "<!-- Write what to remember above this line. Without a text nothing is stored. -->\n"

// canCompose reports whether a person can be asked for a text in an editor.
func (a *app) canCompose() bool { return terminal.Is(a.stdin) && terminal.Is(a.stdout) }

// composeTopic is [app.compose] for a topic in the first line and a text below it. again is the command that takes the
// text, for a topic.
func (a *app) composeTopic(begin string, again func(topic string) string, use func(topic, text string) error) error {
	cut := func(text string) (topic, content string) {
		topic, content, _ = strings.Cut(strings.TrimSpace(text), "\n")
		return topic, strings.TrimSpace(content)
	}
	return a.compose(begin, func(text string) (string, string) {
		topic, content := cut(text)
		return content, again(shellWord(topic))
	}, func(text string) error {
		topic, content := cut(text)
		if content == "" {
			return invalid("write the topic in the first line, and the text below it", "the text is empty")
		}
		return use(topic, content)
	})
}

// compose lets a person write a text in the editor, which opens with what is given, and calls use with it. The file is
// removed if use succeeds. Otherwise kept returns what of the text is kept in it, "" for all, and the command that
// takes that from standard input.
func (a *app) compose(begin string, kept func(text string) (rest, again string), use func(text string) error) error {
	dir, err := os.MkdirTemp("", "ltm-remember-")
	if err != nil {
		return copyFailed("cannot make a file to write in", err)
	}
	path := filepath.Join(dir, "memory.md")
	text, err := a.composed(path, begin)
	if err == nil {
		err = use(text)
	}
	if err != nil && strings.TrimSpace(text) != "" {
		step := nextSteps().Step(err)
		if rest, again := kept(text); rest != "" && os.WriteFile(path, []byte(rest), 0o600) == nil {
			step = advice.Join(step, fmt.Sprintf("%s < %s stores it", again, path))
		}
		return advice.With(&savedText{path, err}, step)
	}
	_ = os.RemoveAll(dir)
	return err
}

// shellWord quotes a text as one word of a shell.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// composed returns what a person wrote into a new file, even if the editor failed.
func (a *app) composed(path, begin string) (string, error) {
	text, err := a.edited(path, begin+"\n\n"+composeHint)
	text = strings.Replace(text, composeHint, "", 1)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", invalid("", "the text is empty")
	}
	return text, err
}

// edited writes a text into a new file and returns what a person made of it, even if the editor failed.
func (a *app) edited(path, begin string) (string, error) {
	if err := os.WriteFile(path, []byte(begin), 0o600); err != nil {
		return "", copyFailed("cannot make a file to write in", err)
	}
	failed := a.runEditor(path)
	data, err := os.ReadFile(path)
	if err != nil {
		return "", copyFailed("cannot read what the editor left", err)
	}
	return string(data), failed
}

// savedText is the error about a text that was written but not stored.
type savedText struct {
	path string
	err  error
}

func (k *savedText) Error() string { return fmt.Sprintf("%v; your text is saved in %s", k.err, k.path) }

// Unwrap returns the reason.
func (k *savedText) Unwrap() error { return k.err }

// tellStore says where the store was created for the first memory of a project.
func (a *app) tellStore(place locate.Place) {
	if place.Own {
		a.notice(fmt.Sprintf("created the store of your own memories, %s; \"ltm user init\" makes it a repository",
			place.Store))
		return
	}
	share := "; commit it to share it, and \"ltm init\" sets up the project's hooks and commands"
	if place.Local {
		share = "; \"ltm init\" sets up the project's hooks and commands"
	}
	a.notice(fmt.Sprintf("created the store %s (%s)%s", place.Store, place.Why, share))
}

// confirmPinned asks before pinned memories are forgotten. Without a terminal it refuses.
// Memories that cannot be read do not count as pinned.
func (a *app) confirmPinned(ctx context.Context, e *engine.Engine, ids []string, yes bool) error {
	if yes {
		return nil
	}
	for _, id := range ids {
		d, err := e.Peek(ctx, id)
		if err != nil || d.Importance != memory.Critical {
			continue
		}
		if !a.confirm(fmt.Sprintf("%s (%s) is pinned. Forget it anyway?", d.ID, markedTopic(d.Topic, d.Foreign))) {
			return invalid("--yes forgets it without asking", "%s is pinned", d.ID)
		}
	}
	return nil
}

// resolvedNote says how to tell git that a conflict is resolved, if the memory's file was changed.
func (a *app) resolvedNote(id memory.ID, before []byte) memory.Note {
	path := filepath.Join(a.place().Store, "memories", id.File())
	if now, err := os.ReadFile(path); err != nil || bytes.Equal(now, before) {
		return nil
	}
	return memory.Say("the conflict is resolved: git add " + a.fromHere(path))
}

// fromHere returns a path as a person would type it in the current directory.
func (a *app) fromHere(path string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// needsTerminal reports whether an editor draws on the terminal, unlike scripts and editors with windows of their own.
func needsTerminal(argv []string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(argv[0])), ".exe")
	if name == "emacs" {
		return slices.Contains(argv, "-nw")
	}
	return slices.Contains([]string{"vi", "vim", "nvim", "view", "nano", "pico", "micro", "helix", "hx", "kak", "joe",
		"jed", "ne", "mcedit", "mg"}, name)
}

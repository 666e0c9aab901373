package gitcmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/git/gitcmd"
)

// tree makes directories (with a slash at the end) and files.
func tree(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if name[len(name)-1] == '/' {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte("ref: refs/heads/main\n"), 0o644))
	}
}

// real returns the shape of a git directory.
func real(dir string) []string { return []string{dir + "HEAD", dir + "objects/", dir + "refs/"} }

// program makes a stand-in for git outside of every work tree and returns an
// environment that finds it.
func program(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755))
	return []string{"PATH=" + dir}
}

func TestOpen(t *testing.T) {
	shape := func(err error) bool { var e *gitcmd.ShapeError; return errors.As(err, &e) }
	for name, c := range map[string]struct {
		files   []string
		gitFile string // what .git says when it is a file
		want    func(error) bool
	}{
		"a clone": {files: real(".git/"), want: isNil},
		"a linked work tree": {files: append(real("../main/"), "../main/worktrees/w/HEAD"),
			gitFile: "gitdir: ../main/worktrees/w\n", want: isNil},
		"a submodule": {files: real("../modules/sub/"), gitFile: "gitdir: ../modules/sub\r\n",
			want: isNil},
		"no git":                   {want: isNoTree},
		"an empty .git":            {files: []string{".git/"}, want: isNoTree},
		".git without refs":        {files: []string{".git/HEAD", ".git/objects/"}, want: isNoTree},
		".git names nothing":       {gitFile: "gitdir: ../nowhere\n", want: isNoTree},
		".git says something else": {gitFile: "hello\n", want: isNoTree},
		".git leads into the store": {files: real(".claude/ltm/"), gitFile: "gitdir: .claude/ltm\n",
			want: shape},
		".git leads into the work tree":        {files: real("other/"), gitFile: "gitdir: ./other\n", want: shape},
		"the store is shaped":                  {files: append(real(".git/"), real(".claude/ltm/")...), want: shape},
		"the directory above is shaped":        {files: append(real(".git/"), real(".claude/")...), want: shape},
		"the top is shaped":                    {files: append(real(".git/"), real("")...), want: shape},
		"the top is shaped, and .git is empty": {files: append(real(""), ".git/"), want: isNoTree},
		"the store has a common directory": {files: append(real(".git/"), ".claude/ltm/HEAD",
			".claude/ltm/commondir"), want: shape},
		"a repository inside the store": {files: append(real(".git/"), real(".claude/ltm/.git/")...), want: isNil},
		"names that are no shape": {files: append(real(".git/"), ".claude/ltm/objects/", ".claude/ltm/refs/"),
			want: isNil},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			top := filepath.Join(root, "project")
			tree(t, top, c.files...)
			tree(t, top, "sub/")
			if c.files != nil && filepath.Base(c.files[0]) == "HEAD" {
				tree(t, root, "main/worktrees/w/")
				require.NoError(t, os.WriteFile(filepath.Join(root, "main/worktrees/w/commondir"), []byte("../..\n"),
					0o644))
			}
			if c.gitFile != "" {
				require.NoError(t, os.WriteFile(filepath.Join(top, ".git"), []byte(c.gitFile), 0o644))
			}
			for _, project := range []string{top, filepath.Join(top, "sub"), filepath.Join(top, "not", "made")} {
				found, err := gitcmd.Open(project, filepath.Join(top, ".claude", "ltm"), program(t))
				require.True(t, c.want(err), "%v", err)
				if err == nil {
					require.Equal(t, top, found.Top())
				}
			}
		})
	}
}

func isNil(err error) bool    { return err == nil }
func isNoTree(err error) bool { return errors.Is(err, gitcmd.ErrNoTree) }

// TestOpenFindsGitOutsideOfTheTree skips programs that came with the repository.
func TestOpenFindsGitOutsideOfTheTree(t *testing.T) {
	top := t.TempDir()
	tree(t, top, real(".git/")...)
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, dir := range []string{"bin", ".claude/ltm"} {
		tree(t, top, dir+"/"+name)
		require.NoError(t, os.Chmod(filepath.Join(top, dir, name), 0o755))
	}
	t.Chdir(top)
	inside := filepath.Join(top, "bin") + string(filepath.ListSeparator) + "bin" + string(filepath.ListSeparator) +
		"." + string(filepath.ListSeparator) +
		string(filepath.ListSeparator) + filepath.Join(top, ".claude", "ltm")
	_, err := gitcmd.Open(top, filepath.Join(top, ".claude", "ltm"), []string{"PATH=" + inside})
	require.ErrorIs(t, err, gitcmd.ErrNoProgram)
	if runtime.GOOS != "windows" { // links need a privilege there
		outside := t.TempDir()
		require.NoError(t, os.Symlink(filepath.Join(top, "bin", "git"), filepath.Join(outside, "git")))
		_, err = gitcmd.Open(top, filepath.Join(top, ".claude", "ltm"), []string{"PATH=" + outside})
		require.ErrorIs(t, err, gitcmd.ErrNoProgram)
	}
}

func TestRel(t *testing.T) {
	top := t.TempDir()
	tree(t, top, real(".git/")...)
	found, err := gitcmd.Open(top, filepath.Join(top, "store"), program(t))
	require.NoError(t, err)
	rel, err := found.Rel(filepath.Join(top, "a", "not-made"))
	require.NoError(t, err)
	require.Equal(t, "a/not-made", rel)
	_, err = found.Rel(filepath.Dir(top))
	require.Error(t, err)
}

// TestOnlyListedCommandsRun has a stand-in for git that could not be started.
func TestOnlyListedCommandsRun(t *testing.T) {
	top := t.TempDir()
	tree(t, top, real(".git/")...)
	found, err := gitcmd.Open(top, filepath.Join(top, "store"), program(t))
	require.NoError(t, err)
	for _, args := range [][]string{
		{}, {"status"}, {"fetch"}, {"trap"}, {"-c", "x=y", "log"}, {"log", "--ext-diff"}, {"log", "-p", "--textconv"},
		{"log", "--format=%H %G?"}, {"log", "--output=x"}, {"rev-list", "--pretty=%GK", "HEAD"},
		{"cat-file", "--textconv", "HEAD:x"}, {"cat-file", "--filters", "HEAD:x"}, {"config", "--edit"},
		{"config", "-f", "x", "a.b", "c"}, {"config", "--global", "a.b", "c"}, {"ls-files", "-m"},
		{"ls-files", "--recurse-submodules"}, {"diff-index", "--no-cached", "HEAD"}, {"diff-files"}, {"status"},
		{"diff-tree", "--ext-diff", "-p", "HEAD"}, {"diff-tree", "--pretty=%G?", "HEAD"},
		{"for-each-ref"}, {"tag"}, {"diff"}, {"patch-id-x"},
	} {
		out, err := found.Output(t.Context(), args...)
		require.ErrorContains(t, err, "git ", "%q", args)
		require.Zero(t, gitcmd.Status(err), "%q", args)
		require.Empty(t, out, "%q", args)
	}
}

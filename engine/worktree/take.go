package worktree

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ltm/internal/git/gitindex"
	"ltm/memory"
	"ltm/memory/refs"
)

// Git is asked what only git can tell. Paths are relative to the top.
type Git interface {
	// Ignored returns those of some paths that git does not track and ignores.
	Ignored(ctx context.Context, paths []string) (map[string]bool, error)

	// Attributes returns how git converts files.
	Attributes(ctx context.Context, paths []string) (map[string]refs.Attributes, error)

	// Digits returns the number of digits of ids in the repository.
	Digits(ctx context.Context) int

	// Renamed returns where git's history, or what is staged, has a file now that was at a path, or "".
	Renamed(ctx context.Context, path string) string

	// Touched returns the newest commits that touched a file, at most limit.
	Touched(ctx context.Context, path string, limit int) []Commit
}

// Commit is a commit that touched a file.
type Commit struct {
	Hash    string
	At      time.Time
	Subject string
}

// Find returns what in a text may be references to files of the work tree, as [refs.Find] does.
func (f *Files) Find(text string) []memory.Ref {
	return refs.Find(text, f.Fold, filepath.ToSlash(f.Place().Top))
}

// Rel returns the path of a file as references have it. ok is false if it is not in the work tree.
func (f *Files) Rel(name string) (rel string, ok bool) {
	if !filepath.IsAbs(name) || f.Place().Top == "" {
		return "", false
	}
	if rel, ok = f.below(name); ok {
		return rel, true
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return "", false
	}
	return f.below(filepath.Join(dir, filepath.Base(name)))
}

func (f *Files) below(name string) (rel string, ok bool) {
	rel, ok = refs.Below(filepath.ToSlash(filepath.Clean(name)), filepath.ToSlash(f.Place().Top), f.Fold)
	return rel, ok && (memory.Ref{Path: rel}).IsNormal()
}

// Same reports whether two paths, as references have them, are spellings of one.
func (f *Files) Same(a, b string) bool {
	return a == b || f != nil && f.Fold != nil && f.Fold(a) == f.Fold(b)
}

// Take returns those of some references whose files exist and are tracked by git or not ignored, as they
// are now: with the ids of their content and the hashes of their lines. A line or symbol that the file
// does not have is left out of its reference. A path that does not exist at the top is looked for below
// the project's own directory. Files of a store are never taken. Where several spellings are one name, git's counts.
//
// Without git, nothing is known of files that git does not track, so that in a work tree of git they are not taken.
func (f *Files) Take(ctx context.Context, all []memory.Ref) []memory.Ref {
	var out []memory.Ref
	for _, taken := range f.takeEach(ctx, all) {
		if taken.Path != "" && !slices.ContainsFunc(out, taken.Same) {
			out = append(out, taken)
		}
	}
	out = refs.Narrow(out)
	return out[:min(len(out), memory.MaxRefs)]
}

// takeEach returns references as [Files.Take] does, in their order; those that are not taken are empty. It
// asks git once for all.
func (f *Files) takeEach(ctx context.Context, all []memory.Ref) []memory.Ref {
	out := make([]memory.Ref, len(all))
	if len(all) == 0 {
		return out
	}
	t, err := openTree(f.Place().Top)
	if err != nil {
		return out
	}
	defer t.close()
	k := &taking{place: f.Place(), git: f.Git, tree: t,
		stamps: map[string]stamp{}, ids: map[string]string{}, tracked: map[string]bool{}}
	k.index, k.hasIndex = readIndex(k.place.GitDir, Thorough().Index)
	k.spell(all, f.Fold)
	for i, r := range all {
		if at, ok := k.locate(r); ok {
			out[i] = at
		}
	}
	if len(k.stamps) == 0 {
		return out
	}
	k.askGit(ctx)
	for i, r := range out {
		if r.Path == "" {
			continue
		}
		var ok bool
		if out[i], ok = k.take(r); !ok {
			out[i] = memory.Ref{}
		}
	}
	return out
}

// taking is a look at files that a memory is about to refer to.
type taking struct {
	place    Place
	git      Git
	tree     *tree
	index    index
	hasIndex bool
	spelled  map[string]string // how git spells paths that it has in another spelling only
	stamps   map[string]stamp  // of the files that exist, by path
	ids      map[string]string // that git's index has of files that have not changed since
	tracked  map[string]bool
	ignored  map[string]bool
	attrs    map[string]refs.Attributes
	digits   int
}

// candidates returns the paths that a reference may mean.
func (k *taking) candidates(r memory.Ref) []string {
	if k.place.Below == "" {
		return []string{r.Path}
	}
	return []string{r.Path, k.place.Below + "/" + r.Path}
}

// spell learns how git spells the paths of references.
func (k *taking) spell(all []memory.Ref, fold func(string) string) {
	if fold == nil || !k.hasIndex {
		return
	}
	wanted := map[string][]string{}
	for _, r := range all {
		for _, name := range k.candidates(r) {
			wanted[fold(name)] = append(wanted[fold(name)], name)
		}
	}
	spelled, exact := map[string]string{}, map[string]bool{}
	err := gitindex.Each(k.index.data, func(e gitindex.Entry) bool {
		for _, name := range wanted[fold(string(e.Path))] {
			spelled[name] = string(e.Path)
			exact[name] = exact[name] || name == string(e.Path)
		}
		return true
	})
	if err == nil {
		maps.DeleteFunc(spelled, func(name, _ string) bool { return exact[name] })
		k.spelled = spelled
	}
}

// locate finds the file of a reference.
func (k *taking) locate(r memory.Ref) (memory.Ref, bool) {
	for _, name := range k.candidates(r) {
		at := r
		at.Path = cmp.Or(k.spelled[name], name)
		if !(memory.Ref{Path: at.Path}).IsNormal() || isStore(at.Path) {
			continue
		}
		if _, known := k.stamps[at.Path]; known {
			return at, true
		}
		if s, kind := k.tree.stat(at.Path); kind == file && s.size <= Thorough().File {
			k.stamps[at.Path] = s
			return at, true
		}
	}
	return r, false
}

// askGit learns what git knows about the files.
func (k *taking) askGit(ctx context.Context) {
	k.digits = 40
	if k.place.GitDir == "" {
		return
	}
	ok := k.hasIndex && gitindex.Each(k.index.data, func(e gitindex.Entry) bool {
		k.digits = e.Digits()
		if s, wanted := k.stamps[string(e.Path)]; wanted {
			name := string(e.Path)
			k.tracked[name] = true
			if k.index.same(e, s) {
				k.ids[name] = e.ID()
			}
		}
		return true
	}) == nil
	git := k.git
	if git != nil && !ok {
		k.digits = git.Digits(ctx)
	}
	var untracked, unknown []string
	for name := range k.stamps {
		if !k.tracked[name] {
			untracked = append(untracked, name)
		}
		if k.ids[name] == "" {
			unknown = append(unknown, name)
		}
	}
	var err error
	if git != nil && len(untracked) > 0 {
		k.ignored, err = git.Ignored(ctx, untracked)
	}
	if git == nil || err != nil {
		k.ignored = map[string]bool{}
		for _, name := range untracked {
			k.ignored[name] = true
		}
	}
	if git != nil && len(unknown) > 0 {
		k.attrs, _ = git.Attributes(ctx, unknown)
	}
}

// take returns a reference as it is now.
func (k *taking) take(r memory.Ref) (memory.Ref, bool) {
	if k.ignored[r.Path] {
		return r, false
	}
	r.Near = ""
	if r.Blob = k.ids[r.Path]; r.Blob != "" && r.Line == 0 && r.Symbol == "" {
		return r, true
	}
	content, _, err := k.tree.read(r.Path, Thorough().File)
	if err != nil {
		return r, false
	}
	if r.Blob == "" {
		kept, _ := refs.Convert(content, k.attrs[r.Path])
		r.Blob = refs.Blob(kept, k.digits)
	}
	if r.Line > 0 || r.Symbol != "" {
		var ok bool
		if r.Near, ok = refs.Near(content, r); !ok {
			r.Line, r.End, r.Symbol = 0, 0, ""
		}
	}
	return r, r.IsNormal()
}

// Verify returns references as their files are now, those of a memory that holds for them. Lines that
// are elsewhere in their file now are followed. A reference to a file that is gone is left out, and one
// to a file that has moved stays as it is unless follow is set.
func (f *Files) Verify(ctx context.Context, cache Cache, all []memory.Ref, follow bool) []memory.Ref {
	var out, wanted []memory.Ref
	var at []int // of the wanted ones in out
	for i, v := range f.Check(cache, all, Thorough()) {
		r := all[i]
		switch {
		case v.State == memory.RefGone:
			continue
		case v.State == memory.RefMoved && follow:
			r.Path = v.To
			fallthrough
		case v.State == memory.RefFresh, v.State == memory.RefChanged:
			r = f.placed(r)
			at, wanted = append(at, len(out)), append(wanted, r)
		}
		out = append(out, r)
	}
	for i, taken := range f.takeEach(ctx, wanted) {
		if taken.Path != "" {
			out[at[i]] = taken
		}
	}
	var kept []memory.Ref
	for _, r := range out {
		if !slices.ContainsFunc(kept, r.Same) {
			kept = append(kept, r)
		}
	}
	return refs.Narrow(kept) // a symbol may be gone, and another one still be there
}

// placed returns a reference with the lines where its text is now.
func (f *Files) placed(r memory.Ref) memory.Ref {
	if r.Line == 0 {
		return r
	}
	t, err := openTree(f.Place().Top)
	if err != nil {
		return r
	}
	defer t.close()
	if content, _, err := t.read(r.Path, Thorough().File); err == nil {
		if now, ok := refs.Place(content, r); ok {
			return now
		}
	}
	return r
}

// Renamed asks git's history for files of references that are gone, and keeps what it says.
func (f *Files) Renamed(ctx context.Context, cache Cache, r memory.Ref) (to string, ok bool) {
	if f.Git == nil {
		return "", false
	}
	to = f.Git.Renamed(ctx, r.Path)
	if to == "" || !(memory.Ref{Path: to}).IsNormal() || strings.EqualFold(to, r.Path) || isStore(to) {
		return "", false
	}
	t, err := openTree(f.Place().Top)
	if err != nil {
		return "", false
	}
	defer t.close()
	if _, k := t.stat(to); k != file {
		return "", false
	}
	f.Follow(cache, r, to)
	return to, true
}

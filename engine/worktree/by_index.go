package worktree

import (
	"path"
	"slices"
	"strings"

	"ltm/internal/git/gitindex"
	"ltm/memory"
	"ltm/memory/refs"
)

// byIndex decides the rest by git's index. It reports whether all are decided.
func (c *check) byIndex(left []pendingRef) bool {
	if len(left) == 0 {
		return true
	}
	if !c.readIndex() {
		c.withoutIndex(left)
		return c.gitDir == ""
	}
	found, same, absent, ok := c.search(left)
	if !ok {
		return false // what is kept of them stays
	}
	for i, o := range left {
		if c.late() {
			return false
		}
		if o.kind == missing && absent.has(o.Path) {
			// It stays as it was when it was last on the disk.
			if was := c.files.known[o.key]; was.state == memory.RefFresh || was.state == memory.RefChanged {
				c.decide(o, was.state, was.to)
			} else {
				c.out[o.at] = Verdict{}
			}
			continue
		}
		known := c.files.known[o.key]
		candidates := slices.Concat(found[o.Blob], found[o.blob])
		to := c.moved(o, candidates)
		switch {
		case o.kind == file && same[i]:
			c.decide(o, memory.RefFresh, "")
		case o.kind == file:
			c.decide(o, memory.RefChanged, "")
		case known.state == memory.RefMoved && (to == "" || slices.Contains(candidates, known.to)) &&
			c.isFile(known.to): // as git's history may have told
			c.decide(o, memory.RefMoved, known.to)
		case to != "":
			c.decide(o, memory.RefMoved, to)
		default:
			c.decide(o, memory.RefGone, "")
		}
	}
	return true
}

// absentees are the missing files and the directories above them, with a slash at their ends; true are those
// that git's index has without having checked them out.
type absentees map[string]bool

func (a absentees) add(name string) {
	for a[name] = false; ; {
		at := strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/')
		if at < 0 {
			return
		}
		name = name[:at+1]
		a[name] = false
	}
}

func (a absentees) has(name string) bool {
	for !a[name] {
		at := strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/')
		if at < 0 {
			return false
		}
		name = name[:at+1]
	}
	return true
}

// withoutIndex decides the rest of a work tree that is not in git, as far as the files tell. In git, a file
// may be as git converts it, or may have moved: what is kept of it stays.
func (c *check) withoutIndex(left []pendingRef) {
	if c.gitDir != "" {
		return
	}
	for _, o := range left {
		to := c.files.known[o.key].to
		switch {
		case o.kind != missing:
			c.decide(o, memory.RefChanged, "")
		case c.isFile(to):
			c.decide(o, memory.RefMoved, to)
		default:
			c.decide(o, memory.RefGone, "")
		}
	}
}

func (c *check) readIndex() bool {
	if !c.indexRead {
		c.index, c.hasIndex = readIndex(c.gitDir, c.limits.Index)
		c.indexRead = true
	}
	return c.hasIndex
}

// lateEntries is after how many entries of the index the clock is asked.
const lateEntries = 256

// maxCandidates bounds the paths that are kept for one id.
const maxCandidates = 20

// search walks the index once. found has the paths of the blobs of missing files, and same says which of
// the others are files as git last saw them, with their blob. ok is false if there was no time.
func (c *check) search(left []pendingRef) (found map[string][]string, same []bool, absent absentees, ok bool) {
	found, same, absent = map[string][]string{}, make([]bool, len(left)), absentees{}
	blobs, paths := map[string]bool{}, map[string][]int{}
	for i, o := range left {
		if o.kind == missing {
			for _, id := range []string{o.Blob, o.blob} {
				blobs[id] = id != refs.Blob(nil, len(id))
			}
			absent.add(o.Path)
		} else {
			paths[o.Path] = append(paths[o.Path], i)
		}
	}
	n, late := 0, false
	err := gitindex.Each(c.index.data, func(e gitindex.Entry) bool {
		if n++; n%lateEntries == 0 && c.late() {
			late = true
			return false
		}
		if e.Absent {
			if _, wanted := absent[string(e.Path)]; wanted {
				absent[string(e.Path)] = true
			}
			return true
		}
		for _, i := range paths[string(e.Path)] {
			same[i] = e.Is(left[i].Blob) && c.index.same(e, left[i].stamp)
		}
		if len(blobs) > 0 {
			if id := e.ID(); blobs[id] && len(found[id]) < maxCandidates {
				found[id] = append(found[id], string(e.Path))
			}
		}
		return true
	})
	if err != nil {
		clear(found)
		clear(same)
		clear(absent)
	}
	return found, same, absent, !late && !c.late()
}

// moved returns where the content of a missing file is now: in a file of the same name, or in the only
// one that has it. It is "" if no file has it, or if it tells no file from others, as of an empty file.
func (c *check) moved(o pendingRef, paths []string) string {
	if o.kind != missing || o.Blob == "" {
		return ""
	}
	slices.Sort(paths)
	paths = slices.DeleteFunc(slices.Compact(paths), func(p string) bool {
		return !(memory.Ref{Path: p}).IsNormal() || isStore(p) || !c.isFile(p)
	})
	if i := slices.IndexFunc(paths, func(p string) bool { return path.Base(p) == path.Base(o.Path) }); i >= 0 {
		return paths[i]
	}
	if len(paths) == 1 {
		return paths[0]
	}
	return ""
}

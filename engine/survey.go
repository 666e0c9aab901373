package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/store"
)

// The kinds of what a check finds.
const (
	kindUnreadable = "unreadable"
	kindMisnamed   = "misnamed"
	kindMerge      = "unsettled merge"
	kindLost       = "archive missing"
	kindLacking    = "not in the index"
	kindStale      = "stale in the index"
	kindNoFile     = "without a file"
	kindStats      = "stats without a file"
	kindArchive    = "archive out of index"
	kindBadArchive = "unreadable archive"
	kindMissing    = "missing"
	kindFull       = "too many files"

	// These are remarks.
	kindForeign   = "foreign file"
	kindLeftover  = "left over"
	kindRejected  = "rejected text"
	kindDamaged   = "damaged copy"
	kindLoneNote  = "note without an archive"
	kindBadNote   = "no note"
	kindRules     = "rules for git"
	kindLog       = "log"
	kindElsewhere = "record of another folder"
)

// finding is one thing that is wrong, or worth a remark, and its repair.
type finding struct {
	kind   string
	where  string
	reason string // what is wrong
	todo   string // what to do; "": what the repair does
	action string // the repair; "": only a person can settle it
	target string // of the action; "": where
	remark bool

	unread bool // a file that a repair may delete when it is told to
}

func (f finding) problem() memory.Problem {
	todo := f.todo
	if todo == "" {
		todo = repairText(f.action)
	}
	reason := f.reason
	if todo != "" {
		reason += "; " + todo
	}
	return memory.Problem{Kind: f.kind, Where: f.where, Reason: reason, Repair: f.action}
}

// repairText says what an action of a repair does.
func repairText(action string) string {
	switch action {
	case actionReindex:
		return "ltm fix enters what the file says"
	case actionDropEntry, actionDropStats:
		return "ltm fix takes the entry out"
	case actionArchiveFile:
		return "mend it by hand (ltm edit), or ltm fix moves it to archives/ byte for byte"
	case actionRules:
		return "ltm fix adds what is missing and keeps the rest"
	case actionRemoveTemp:
		return "the next change, or ltm fix, removes it"
	}
	return ""
}

// survey is what was found in a store, in the order in which a repair goes
// through it.
type survey struct {
	view             *store.View
	active, archives *store.Snapshot
	found            []finding
	read             int64 // bytes of files that are no readable memories
	stuck            error // why nothing can be repaired before a person has done something
}

func (s *survey) add(f finding) { s.found = append(s.found, f) }

// examine looks at all parts of a store and changes nothing.
func examine(v *store.View) (*survey, error) {
	s := &survey{view: v}
	var err error
	if s.active, err = s.folder("memories", v.Memories); err != nil {
		return nil, err
	}
	if s.archives, err = s.folder("archives", v.Archives); err != nil {
		return nil, err
	}
	if s.stuck != nil {
		return s, nil // all else would only say the same
	}
	s.files(s.active, memoriesPath)
	s.files(s.archives, archivesPath)
	s.merges()
	s.lost()
	s.index("index.json", s.active, memoriesPath, v.Index)
	s.index("archive_index.json", s.archives, archivesPath, v.ArchiveIndex)
	s.volatile()
	s.settings()
	s.rules()
	s.strays()
	return s, nil
}

// folder reads a folder of the store. One that is something else stops every
// repair, and reads as empty.
func (s *survey) folder(name string, read func() (*store.Snapshot, error)) (*store.Snapshot, error) {
	snapshot, err := read()
	shape := s.view.Shape(name)
	if err == nil || !shape.There || shape.Mode.IsDir() {
		return snapshot, err
	}
	s.stuck = err
	s.add(finding{kind: kindUnreadable, where: name, reason: fmt.Sprintf("%s is %s, not a folder", name, shape), todo: "put the folder itself in its place, or move it away"})
	return &store.Snapshot{}, nil
}

// files looks at the files of a folder that are no readable memories.
func (s *survey) files(folder *store.Snapshot, path func(string) string) {
	if folder.Full {
		s.add(finding{kind: kindFull, where: path(""), reason: fmt.Sprintf("it has %d files or more, and those beyond are not looked at", store.MaxFiles),
			todo: "take away what is no memory"})
	}
	for _, p := range folder.Problems {
		_, named := memory.IDFromFile(p.File)
		s.add(s.noMemory(path(p.File), p, named))
	}
}

// noMemory says what becomes of a file that is no readable memory. Only a
// readable file that has the name of a memory was surely one.
func (s *survey) noMemory(where string, p memory.FileProblem, named bool) finding {
	shape := s.view.Shape(where)
	text, err := s.textOf(where, shape)
	archive := strings.HasPrefix(where, archivesPath(""))
	bad := finding{kind: kindUnreadable, where: where, reason: p.Reason}
	if archive {
		bad.kind = kindBadArchive
	}
	switch {
	case !shape.There || !archive && named && isMemory(text, p.File):
		bad.reason, bad.todo, bad.remark = p.Reason+", and that is over by now", "check again", true
		return bad
	case !named && !isNumbered(p.File), isAnyMemory(text) && !isMemory(text, p.File):
		return s.foreign(where, p, shape, text, err)
	case !shape.Regular():
		bad.reason = "it is " + shape.String() + " and not a regular file; ltm does not follow it"
		bad.todo = "put the memory itself in its place, or take it away"
		return bad
	case errors.Is(err, errUnlooked):
		bad.todo = err.Error() + "; ltm leaves it alone"
		return bad
	case err != nil:
		bad.reason, bad.todo = err.Error(), "make it readable for this user, such as with chmod u+r; ltm leaves it alone"
		return bad
	case archive:
		return s.noArchive(bad, p.File)
	case memory.HasConflictMarks(string(text)):
		bad.todo = "settle the merge in it by hand; ltm leaves it alone"
		return bad
	}
	bad.action, bad.unread = actionArchiveFile, true
	return bad
}

// noArchive says what becomes of an archive that cannot be read. What a reduced
// memory has nowhere else is not removed, whatever the options say.
func (s *survey) noArchive(bad finding, file string) finding {
	base, numbered := cutNumber(file)
	if numbered {
		bad.reason = "it was set aside as an unreadable " + memoriesPath(base)
	} else {
		base = file
	}
	id, _ := memory.IDFromFile(base)
	if m, ok := s.active.Find(id); ok && m.Phase != memory.Full && !numbered {
		bad.reason += fmt.Sprintf("; the full text of the reduced %s should be in it", memoriesPath(base))
		bad.todo = fmt.Sprintf("mend it by hand, or take it from git's history (git log -- %s %s)", memoriesPath(base), bad.where)
		return bad
	}
	bad.unread = true
	bad.todo = "mend it by hand, or remove it when nobody needs it (ltm fix --clean-orphaned-archives)"
	return bad
}

// maxRead bounds how many bytes of unreadable files a check reads, to see whether
// they hold a merge, or a memory that is misnamed.
const maxRead = 256 << 20

var errUnlooked = errors.New("there are too many files like it to look into them all: mend or take away the others first")

// textOf returns what a file holds, nil when it is none or larger than a memory
// can be, or why it cannot be read.
func (s *survey) textOf(where string, shape store.Shape) ([]byte, error) {
	if !shape.Regular() || shape.Err != nil || shape.Size > memory.MaxFileBytes {
		return nil, shape.Err
	}
	if s.read += shape.Size; s.read > maxRead {
		return nil, errUnlooked
	}
	return s.view.ReadBytes(where)
}

// isMemory says whether a text is that of the memory whose file has that name: a
// disk that failed once may have given it the next time.
func isMemory(text []byte, name string) bool {
	file, err := memory.Parse(text)
	return err == nil && (file.Memory.ID == "" || file.Memory.ID.File() == name)
}

// isAnyMemory says whether a text is that of a memory, whatever its file's name.
func isAnyMemory(text []byte) bool {
	_, err := memory.Parse(text)
	return err == nil
}

// foreign is a file of which the name is not that of a memory. When it holds one,
// that is not served, and whoever put it there may not know.
func (s *survey) foreign(where string, p memory.FileProblem, shape store.Shape, text []byte, err error) finding {
	f := finding{kind: kindForeign, where: where, remark: true,
		reason: "it is " + shape.String() + " that is not ltm's", todo: "ltm leaves it alone"}
	f.unread = shape.Regular() && err == nil
	if file, err := memory.Parse(text); err == nil {
		_, named := memory.IDFromFile(p.File)
		todo := "rename it to mem_, 8 hex digits that no other has, and .md"
		switch id := file.Memory.ID; {
		case id != "" && !s.view.Taken(id):
			todo = "rename it to " + id.File()
		case id != "" && named:
			todo = fmt.Sprintf("it is a copy of %s: take over there what is missing, or take the id out of its header, so that it is a memory of its own", id)
		case id != "":
			todo = fmt.Sprintf("it is a copy of %s: take over there what is missing, or give it an id of its own, in the header and as its name", id)
		}
		return finding{kind: kindMisnamed, where: where, reason: "it holds a memory that is not served: " + p.Reason, todo: todo + "; ltm leaves it alone"}
	}
	return f
}

// isNumbered says whether a name is one that a repair gave to a file for which
// the archives had another.
func isNumbered(name string) bool {
	_, ok := cutNumber(name)
	return ok
}

func cutNumber(name string) (string, bool) {
	base := strings.TrimSuffix(strings.TrimRight(name, "0123456789"), ".")
	_, ok := memory.IDFromFile(base)
	return base, ok && base != name
}

func (s *survey) merges() {
	for _, m := range s.active.Records {
		if m.Conflicted {
			s.add(finding{kind: kindMerge, where: memoriesPath(m.ID.File()), reason: "our side is served until somebody settles it",
				todo: "settle it in the file, by hand or with ltm edit"})
		}
	}
	for _, m := range s.archives.Records {
		if m.Conflicted {
			s.add(finding{kind: kindMerge, where: archivesPath(m.ID.File()), reason: "our side of the archive is shown until somebody settles it",
				todo: "settle it in the file, by hand"})
		}
	}
}

// lost finds reduced memories without an archive: their full text is nowhere in
// the store.
func (s *survey) lost() {
	broken := map[string]bool{}
	for _, p := range s.archives.Problems {
		broken[p.File] = true
	}
	for _, m := range s.active.Records {
		if _, ok := s.archives.Find(m.ID); ok || broken[m.ID.File()] || m.Phase == memory.Full || m.Conflicted {
			continue
		}
		memoryPath, archivePath := memoriesPath(m.ID.File()), archivesPath(m.ID.File())
		s.add(finding{kind: kindLost, where: memoryPath,
			reason: fmt.Sprintf("it was reduced (%s), and there is no %s, so that its full text is nowhere but in git's history", m.Phase, archivePath),
			todo: fmt.Sprintf("look there, in the folder of the store, with git log -- %s %s, and put the full file back as %[2]s; or set phase: 0 in the memory when what is left is enough",
				memoryPath, archivePath)})
	}
}

// compare tells a folder from its index: files that the index lacks, entries
// without a file, and entries that differ. All are in order.
func compare(s *store.Snapshot, index store.Index) (lacking, missing, stale []memory.ID) {
	for id, want := range store.IndexOf(s) {
		entry, ok := index[id]
		switch {
		case !ok:
			lacking = append(lacking, id)
		case !entry.Equal(want):
			stale = append(stale, id)
		}
	}
	for id := range index {
		if _, ok := s.Find(id); !ok {
			missing = append(missing, id)
		}
	}
	slices.Sort(lacking)
	slices.Sort(missing)
	slices.Sort(stale)
	return lacking, missing, stale
}

// index compares a folder with its index. One that cannot be read, or is missing,
// is one thing to repair and not as many as there are memories.
func (s *survey) index(name string, folder *store.Snapshot, path func(string) string, read func() (store.Index, error)) {
	index, err := read()
	if err != nil {
		s.damaged(name, err, "ltm fix makes it anew from the files")
		return
	}
	if len(folder.Records) > 0 && !s.view.Shape(name).There {
		s.add(finding{kind: kindMissing, where: name, reason: "there are files and no " + name, todo: "ltm fix makes it from the files", action: actionRebuild})
		return
	}
	lacking, missing, stale := compare(folder, index)
	for _, id := range lacking {
		f := finding{kind: kindLacking, where: path(id.File()), reason: name + " lacks it", action: actionReindex}
		if folder == s.archives {
			f.kind = kindArchive
		}
		s.add(f)
	}
	for _, id := range stale {
		f := finding{kind: kindStale, where: string(id), target: path(id.File()), reason: name + " shows it otherwise", action: actionReindex}
		if folder == s.archives {
			f.kind, f.where = kindArchive, f.target
		}
		s.add(f)
	}
	if folder.Full {
		return // what has no file may be among those that were not looked at
	}
	for _, id := range missing {
		if slices.ContainsFunc(folder.Problems, func(p memory.FileProblem) bool { return p.File == id.File() }) {
			continue // there is a file; it is named already
		}
		s.add(finding{kind: kindNoFile, where: string(id), reason: fmt.Sprintf("%s has it, and there is no %s", name, path(id.File())), action: actionDropEntry})
	}
}

// damaged notes that one of the store's own files cannot be read. What is more
// than damaged, such as of a newer version or not a file, stops every repair: no
// change can be completed.
func (s *survey) damaged(name string, err error, todo string) {
	f := finding{kind: kindUnreadable, where: name, reason: err.Error()}
	shape := s.view.Shape(name)
	if shape.There && !shape.Regular() {
		f.reason = fmt.Sprintf("%s is %s, not a file", name, shape)
	}
	derived := strings.HasSuffix(name, "index.json")
	if derived && shape.Mode.IsDir() { // no file can take its place
		f.todo = "move it away, then ltm fix"
		err = memory.Errorf(memory.CodeStorage, f.todo+"; nothing was changed", "%s", f.reason)
	}
	if memory.CodeOf(err) != memory.CodeUnreadable {
		if s.stuck == nil {
			s.stuck = err
		}
		s.add(f)
		return
	}
	f.todo, f.action = todo, actionRebuild
	if s.view.HoldsMerge(name) {
		f.reason = name + " holds an unsettled merge"
		f.todo += ", then git add"
	}
	s.add(f)
}

package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

const (
	kindUnreadable = "unreadable"
	kindMisnamed   = "misnamed"
	kindMerge      = "unresolved merge"
	kindLost       = "full text missing"
	kindText       = "text in a stub"
	kindStale      = "stale index"
	kindBadArchive = "unreadable archive"
	kindFull       = "too many files"
	kindAltered    = "altered after signing"
	kindLeft       = "left by a work tree"

	// These are remarks.
	kindUnknown  = "unknown file"
	kindLeftover = "left over"
	kindRejected = "rejected text"
	kindDamaged  = "damaged copy"
	kindOlder    = "older layout"
	kindLog      = "log"
	kindOdd      = "unknown value"
	kindSetting  = "setting"

	kindSuperseded  = "superseded, but active"
	kindCorrections = "several corrections"
	kindCycle       = "cycle of corrections"
	kindLink        = "link to nothing"
	kindUnsigned    = "not signed"

	kindPacket = "unreadable packet"
	kindNotes  = "unreadable notes"
)

// finding is a problem or a remark, and its repair.
type finding struct {
	kind   string
	where  string
	reason string      // what is wrong
	next   memory.Kind // what to do with subject; "": it follows from action
	action string      // the repair; "": a person has to act
	target string      // of the action; "": where
	remark bool

	subject string // of next
	odd     string // the id of another length that the file's memory has
	gitAdd  bool   // git waits for the repaired file
	unread  bool   // the options may ask a repair to delete the file
}

func (f finding) problem() api.Problem {
	reason := memory.Advise(cmp.Or(f.next, afterRepair(f.action)), f.subject, f.reason)
	if f.gitAdd {
		reason = append(reason, memory.Remark{Kind: memory.KindFoundGitAdd})
	}
	return api.Problem{Kind: f.kind, Where: f.where, Reason: reason, Repair: f.action}
}

// afterRepair returns the kind of a finding that an action repairs.
func afterRepair(action string) memory.Kind {
	switch action {
	case actionRecover:
		return memory.KindFoundLost
	case actionResolve:
		return memory.KindFoundMerge
	case actionArchiveFile:
		return memory.KindFoundUnreadable
	case actionArchiveText:
		return memory.KindFoundText
	case actionRemoveTemp:
		return memory.KindFoundLeftover
	case actionBringBack:
		return memory.KindFoundLeft
	}
	return ""
}

// Survey has the findings about a store, in the order of their repair.
type Survey struct {
	Active *store.Snapshot // what is in memories/

	view     *store.View
	archives *store.Snapshot
	found    []finding
	read     int64        // bytes of files that are not readable memories
	left     []store.Left // what removed work trees left
	spent    []store.Left // what a commit has of it
	stuck    error        // why a person has to act before anything can be repaired
}

func (s *Survey) add(f finding) { s.found = append(s.found, f) }

// Signatures reports what the signatures of active memories prove.
type Signatures interface {
	// Altered reports whether a memory was changed after it was signed, and no person has approved it since.
	Altered(store.Record) bool

	// Missed reports whether other clones hold a memory of this clone back, because the team requires a signature.
	Missed(store.Record) bool
}

// Examine checks all parts of a store and changes nothing.
func Examine(ctx context.Context, v *store.View, signatures Signatures, h History) (*Survey, error) {
	s := &Survey{view: v}
	var err error
	if s.Active, err = s.folder("memories", v.Memories); err != nil {
		return nil, err
	}
	if s.archives, err = s.folder("archives", v.Archives); err != nil {
		return nil, err
	}
	if s.stuck != nil {
		return s, nil // other findings would only repeat it
	}
	s.files(s.Active, store.MemoryPath)
	s.files(s.archives, store.ArchivePath)
	s.merges()
	s.lost()
	s.texts()
	s.odd()
	s.links()
	s.signatures(signatures)
	s.index()
	s.volatile()
	s.settings()
	s.strays()
	s.packets()
	s.leftBehind(ctx, h)
	return s, nil
}

// folder reads a directory of the store. Anything else in its place stops every repair and is read as empty.
func (s *Survey) folder(name string, read func() (*store.Snapshot, error)) (*store.Snapshot, error) {
	snapshot, err := read()
	shape := s.view.Shape(name)
	if err == nil || !shape.There || shape.Mode.IsDir() {
		return snapshot, err
	}
	s.stuck = err
	s.add(finding{kind: kindUnreadable, where: name, reason: fmt.Sprintf("%s is %s, not a directory", name, shape),
		next: memory.KindFoundDirectory})
	return &store.Snapshot{}, nil
}

// files adds findings about the files of a directory that are not readable memories.
func (s *Survey) files(folder *store.Snapshot, path func(string) string) {
	if folder.Full {
		s.add(finding{kind: kindFull, where: path(""),
			reason: fmt.Sprintf("it has %d files or more, and ltm does not read the rest", store.MaxFiles),
			next:   memory.KindFoundTooMany})
	}
	for _, p := range folder.Problems {
		s.add(s.noMemory(path(p.File), p))
	}
}

// noMemory decides about a file that is not a readable memory. Only a readable file with
// the name of a memory is certain to have been one.
func (s *Survey) noMemory(where string, p memory.FileProblem) finding {
	shape := s.view.Shape(where)
	if p.Reason == store.Crowded {
		return finding{kind: kindUnreadable, where: where, reason: p.Reason, next: memory.KindFoundUnlooked}
	}
	text, err := s.textOf(where, shape)
	archive := strings.HasPrefix(where, store.ArchivePath(""))
	_, named := idOfName(p.File, archive)
	bad := finding{kind: kindUnreadable, where: where, reason: p.Reason}
	if archive {
		bad.kind = kindBadArchive
	}
	_, numbered := cutNumber(p.File)
	switch {
	case !shape.There || !archive && named && isMemory(text, p.File):
		bad.reason, bad.next, bad.remark = p.Reason+", but no longer", memory.KindFoundGone, true
		return bad
	case err == nil && oddID(p.File, text) != "":
		return oddFinding(where, oddID(p.File, text))
	case !named && !numbered, isAnyMemory(text) && !isMemory(text, p.File):
		return s.unknownFile(where, p, shape, text, err)
	case !shape.Regular():
		bad.reason = "it is " + shape.String() + ", not a regular file; ltm does not open it"
		bad.next = memory.KindFoundIrregular
		return bad
	case errors.Is(err, errUnlooked):
		bad.reason, bad.next = bad.reason+"; "+err.Error(), memory.KindFoundUnlooked
		return bad
	case memory.CodeOf(err) == memory.CodeInvalid: // the system opens another file under this name
		bad.reason, bad.next = err.Error(), memory.KindOf(err)
		return bad
	case err != nil:
		bad.reason, bad.next = err.Error(), memory.KindFoundNoAccess
		return bad
	case archive:
		return s.noArchive(bad, p.File)
	case memory.HasConflictMarks(string(text)):
		bad.next = memory.KindFoundMergeHand
		return bad
	}
	bad.action, bad.unread = actionArchiveFile, true
	return bad
}

// idOfName returns the id of the memory whose file, or one of whose archived versions, has that name.
func idOfName(name string, archive bool) (memory.ID, bool) {
	if !archive {
		return memory.IDFromFile(name)
	}
	id, _, ok := memory.ParseArchiveName(name)
	return id, ok
}

// noArchive decides about an archive that cannot be read. If a reduced or archived memory
// needs it, it is not removed, whatever the options say.
func (s *Survey) noArchive(bad finding, file string) finding {
	base, numbered := cutNumber(file)
	if numbered {
		bad.reason = "a repair moved it here: it was an unreadable " + store.MemoryPath(base)
	} else {
		base = file
	}
	id, _ := idOfName(base, true)
	if what := s.needsArchive(id); what != "" && !numbered {
		path := store.MemoryPath(id.File())
		bad.reason += fmt.Sprintf("; the full text of the %s %s should be in it", what, path)
		bad.next, bad.subject = memory.KindFoundArchiveNeeded, path+" "+bad.where
		return bad
	}
	bad.unread, bad.remark = true, true // a repair moves damaged files here
	bad.next = memory.KindFoundArchive
	return bad
}

// needsArchive returns a word for why the text of a memory is only in the archives, or "".
func (s *Survey) needsArchive(id memory.ID) string {
	if m, ok := s.Active.Find(id); ok && m.Phase != memory.Full {
		return "fading"
	}
	if m, ok := s.Active.FindStub(id); ok && m.ArchivedReason != memory.ReasonErased {
		return "forgotten"
	}
	return ""
}

// maxRead bounds how many bytes of unreadable files a check reads, to see whether
// they hold a merge, or a memory that is misnamed.
const maxRead = 256 << 20

var errUnlooked = errors.New("there are too many such files to read them all")

// textOf returns the content of a file, nil if it is not a regular file or larger than a
// memory can be, or why it cannot be read.
func (s *Survey) textOf(where string, shape store.Shape) ([]byte, error) {
	if !shape.Regular() || shape.Err != nil || shape.Size > memfile.MaxFileBytes {
		return nil, shape.Err
	}
	if s.read += shape.Size; s.read > maxRead {
		return nil, errUnlooked
	}
	return s.view.ReadBytes(where)
}

// isMemory reports whether a text is that of the memory whose file has that name: the
// scan's read may have failed, and this one not.
func isMemory(text []byte, name string) bool {
	file, err := memfile.Parse(text)
	id, _, named := memory.ParseArchiveName(name)
	return err == nil && (file.Memory.ID == "" || named && file.Memory.ID == id)
}

// isAnyMemory reports whether a text is that of a memory, whatever its file's name.
func isAnyMemory(text []byte) bool {
	file, err := memfile.Parse(text)
	return err == nil && !file.IsPlain()
}

// unknownFile is the finding about a file without the name of a memory. If it holds a memory,
// that is not served, and the person who put it there may not know.
func (s *Survey) unknownFile(where string, p memory.FileProblem, shape store.Shape, text []byte, err error) finding {
	f := finding{kind: kindUnknown, where: where, remark: true,
		reason: "it is " + shape.String() + " that ltm did not write", next: memory.KindFoundOther}
	f.unread = shape.Regular() && err == nil
	if file, err := memfile.Parse(text); err == nil && !file.IsPlain() {
		_, named := memory.IDFromFile(p.File)
		next, subject := memory.KindFoundMisnamed, ""
		switch id := file.Memory.ID; {
		case id != "" && !s.view.Taken(id):
			next, subject = memory.KindFoundRename, id.File()
		case id != "" && named:
			next, subject = memory.KindFoundCopy, string(id)
		case id != "":
			next, subject = memory.KindFoundCopyNamed, string(id)
		}
		return finding{kind: kindMisnamed, where: where, reason: "it holds a memory that is not served: " + p.Reason,
			next: next, subject: subject}
	}
	return f
}

// cutNumber takes from a file's name the number that a repair gave it because the archives had another of its own.
func cutNumber(name string) (string, bool) {
	base := strings.TrimSuffix(strings.TrimRight(name, "0123456789"), ".")
	_, ok := memory.IDFromFile(base)
	return base, ok && base != name
}

// index compares index.json with the memories, if the team settings ask for one.
func (s *Survey) index() {
	team, err := s.view.TeamConfig()
	if err != nil || !settings.TracksIndex(team) {
		return
	}
	index, err := s.view.Index()
	if err != nil {
		s.damaged("index.json", err, memory.KindFoundIndex)
		return
	}
	want := store.IndexOf(s.Active)
	if !s.view.Shape("index.json").There && len(want) == 0 {
		return
	}
	same := func(a, b store.IndexEntry) bool { return a.Equal(b) }
	if !maps.EqualFunc(index, want, same) {
		s.add(finding{kind: kindStale, where: "index.json", reason: "it differs from the memories",
			next: memory.KindFoundIndex, action: actionRebuild, remark: true})
	}
}

// damaged adds a finding about one of the store's own files that cannot be read. If it is not just damaged, but of a
// newer version or not a file, it stops every repair: no change can be completed.
func (s *Survey) damaged(name string, err error, next memory.Kind) {
	f := finding{kind: kindUnreadable, where: name, reason: err.Error(), next: memory.KindOf(err)}
	shape := s.view.Shape(name)
	if shape.There && !shape.Regular() {
		f.reason = fmt.Sprintf("%s is %s, not a file", name, shape)
	}
	derived := strings.HasSuffix(name, "index.json")
	if derived && shape.Mode.IsDir() { // no file can take its place
		f.next = memory.KindFoundBlocked
		err = memory.NewError(memory.CodeStorage, memory.KindPathBlocked, name, "%s", f.reason)
	}
	if memory.CodeOf(err) != memory.CodeUnreadable {
		if s.stuck == nil {
			s.stuck = err
		}
		s.add(f)
		return
	}
	f.next, f.action, f.remark = next, actionRebuild, name != "trust" // without the trust record nothing can be changed
	if s.view.HoldsMerge(name) {
		f.reason = name + " holds an unresolved merge"
		f.gitAdd = true
		f.remark = false // git waits for a person
	}
	s.add(f)
}

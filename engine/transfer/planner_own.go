package transfer

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/memfile"
)

// decideOwn decides about a record of ltm's own form, whose id is that of the memory.
func (p *planner) decideOwn(i int) (err error) {
	item, f := &p.items[i], &p.fates[i]
	if id, ok := p.lib.OfOrigin(SystemLTM, item.Key); ok { // it has another id here
		return p.decideKnownOwn(i, id)
	}
	if p.lib.Taken(item.WantID) {
		have, err := p.lib.Look(item.WantID)
		if err != nil {
			return err
		}
		if sameMemory(have, item.Memory) {
			return p.decideKnownOwn(i, item.WantID)
		}
	}
	if isActive(item.Own) && p.skipDuplicate(i) {
		return nil
	}
	f.action, f.id = ActionNew, p.freeID(*item)
	return nil
}

func isActive(r *Record) bool { return r.File != nil && !memfile.IsStubFile(r.File) }

// sameMemory reports whether an id means the same memory here and in a document: two that were made independently can
// have one id, but not one time. An erased one leaves only its stub.
func sameMemory(have Holding, m memory.Memory) bool {
	text := have.Text()
	return text.CreatedAt.Equal(m.CreatedAt) || text.IsStub()
}

func (p *planner) decideKnownOwn(i int, id memory.ID) (err error) {
	item, f := &p.items[i], &p.fates[i]
	f.id = id
	if f.have, err = p.lib.Look(id); err != nil {
		return err
	}
	same := func(m memory.Memory) bool {
		return m.Topic == item.Memory.Topic && m.Summary == item.Memory.Summary && m.Content == item.Memory.Content
	}
	switch {
	case f.have.File != nil && !f.have.Active():
		p.decideArchived(f)
		return nil
	case item.Own.File == nil:
		f.action, f.reason = ActionSkip, "it is here already"
	case f.have.File == nil:
		f.action, f.reason = ActionNew, "only its archives are here"
		return nil
	case memfile.Same(item.Own.File, f.have.File.Bytes()), isActive(item.Own) && same(f.have.File.Memory):
		p.decideSame(i)
	case f.have.Had(same) && isActive(item.Own):
		f.action, f.reason = ActionSkip, "it is here already, and was changed here since"
	default:
		p.decideChanged(f)
		if !isActive(item.Own) {
			f.reason = strings.Replace(f.reason, "its text has changed", "it is archived", 1)
		}
	}
	if f.action == ActionSkip && len(p.missing(*item, f)) > 0 {
		if p.o.Known == KnownKeep {
			f.action, f.reason = ActionMerge, "archived texts of it are added"
		} else {
			p.remark(i, "archived texts of it are not here")
		}
	}
	return nil
}

// missing returns the archived texts of a record whose names are free here.
func (p *planner) missing(item draft, f *fate) []Version {
	isHere := func(v Version) bool { return slices.ContainsFunc(f.have.Versions, v.isLike) }
	return slices.DeleteFunc(slices.Clone(item.Own.Versions), isHere)
}

// isLike reports whether another version has the name or the text of this one.
func (v Version) isLike(o Version) bool { return v.Name == o.Name || memfile.Same(v.Data, o.Data) }

package transfer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/memory/links"
)

// NewPlan decides what becomes of entries in a store. It fails only if the library does, or if the
// store has no room: what speaks against single entries is in their steps, see [Plan.Err].
func NewPlan(r Ready, lib Library, o Options) (Plan, error) {
	p := &planner{lib: lib, o: o, ready: r, items: slices.Clone(r.items), byKey: map[string]int{},
		taken: map[memory.ID]bool{}, texts: map[string]string{}, aside: map[memory.ID]bool{}}
	p.fates = make([]fate, len(p.items))
	for i, item := range p.items {
		if _, twice := p.byKey[item.Key]; !twice {
			p.byKey[item.Key] = i
		}
	}
	p.readLinks()
	for i := range p.items {
		if err := p.decide(i); err != nil {
			return Plan{}, err
		}
	}
	plan := Plan{Source: r.Source, Form: r.Form, Steps: []Step{}, Remarks: []string{}, skipBad: o.SkipBad}
	for _, remark := range r.Reading.Remarks {
		plan.Remarks = append(plan.Remarks, remark.Text)
	}
	for i := range p.items {
		steps, err := p.carryOut(i)
		if err != nil {
			return Plan{}, err
		}
		plan.Steps = append(plan.Steps, steps...)
	}
	plan.count()
	return plan, p.checkRoom(plan)
}

// planner makes one plan.
type planner struct {
	lib   Library
	o     Options
	ready Ready
	items []draft
	fates []fate
	byKey map[string]int
	taken map[memory.ID]bool
	texts map[string]string // topic, content and agent of new active memories → entry
	aside map[memory.ID]bool
}

// fate is what becomes of an entry.
type fate struct {
	action   Action
	reason   string
	kind     memory.Kind
	id       memory.ID // here
	have     Holding   // of a known one
	archived string    // the reason with which it is archived
	news     bool      // archived is because of this document, not a state that it already had
}

// readLinks turns links around where needed, finds cycles, and what is archived because of others.
func (p *planner) readLinks() {
	for i := range p.items {
		item := &p.items[i]
		if item.Archived != nil {
			p.fates[i].archived = item.Archived.Reason
		}
		for _, key := range item.SupersededBy {
			p.turnAround(i, key)
		}
	}
	for i := range p.items {
		if to := p.items[i].Forgets; to != "" && p.items[i].Err == nil {
			if j, ok := p.byKey[to]; ok && p.items[j].Forgets == "" {
				p.fates[j].archived, p.fates[j].news = memory.ReasonForgotten, true
			}
		}
	}
	circular := p.cycles()
	for i := range p.items {
		if !circular[i] {
			for _, key := range p.items[i].Supersedes {
				if j, ok := p.byKey[key]; ok && p.items[j].Err == nil && p.items[i].Err == nil {
					p.fates[j].archived, p.fates[j].news = memory.ReasonSuperseded, true
				}
			}
			continue
		}
		p.items[i].Supersedes = slices.DeleteFunc(p.items[i].Supersedes, func(key string) bool {
			j, ok := p.byKey[key]
			return ok && circular[j]
		})
		p.remark(i, "it is part of a circle of entries that supersede each other; none of them is archived")
	}
}

// turnAround makes "superseded by" of entry i a "supersedes" of the other one.
func (p *planner) turnAround(i int, key string) {
	j, ok := p.byKey[key]
	switch {
	case !ok:
		p.fates[i].archived, p.fates[i].news = memory.ReasonSuperseded, true
		p.remark(i, "what superseded it, "+memory.Quote(key, maxShown)+", is missing")
	case p.items[j].Forgets != "": // a note that it was forgotten
		p.fates[i].archived, p.fates[i].news = memory.ReasonForgotten, true
	case !slices.Contains(p.items[j].Supersedes, p.items[i].Key):
		p.items[j].Supersedes = append(slices.Clone(p.items[j].Supersedes), p.items[i].Key)
	}
}

// cycles returns which entries supersede themselves, at once or through others.
func (p *planner) cycles() []bool {
	circular, index := make([]bool, len(p.items)), map[memory.ID]int{}
	all := make([]memory.Memory, len(p.items))
	for i := range all { // as memories, with ids that only count here
		all[i].ID = memory.ID(fmt.Sprintf("mem_%08x", i))
		index[all[i].ID] = i
	}
	for i, item := range p.items {
		for _, key := range item.Supersedes {
			if j, ok := p.byKey[key]; ok {
				all[i].Supersedes = append(all[i].Supersedes, all[j].ID)
				circular[i] = circular[i] || i == j
			}
		}
	}
	graph := links.New(func(yield func(*memory.Memory) bool) {
		for i := range all {
			if !yield(&all[i]) {
				return
			}
		}
	})
	for _, cycle := range graph.Cycles() {
		for _, id := range cycle {
			circular[index[id]] = true
		}
	}
	return circular
}

func (p *planner) remark(i int, text string) {
	p.items[i].remarks = append(slices.Clone(p.items[i].remarks), text)
}

// decide says what becomes of an entry, and which id it gets.
func (p *planner) decide(i int) error {
	item, f := &p.items[i], &p.fates[i]
	switch shelf := cmp.Or(p.o.Force, item.Scope, p.o.Scope); {
	case item.Err != nil:
		f.action, f.reason, f.kind = ActionRefuse, item.Err.Error(), item.kind
		return nil
	case shelf != p.o.Scope && item.Forgets == "":
		f.action, f.kind = ActionRefuse, memory.KindImportScope
		f.reason = fmt.Sprintf("it belongs to the scope %s, and the import is into the scope %s", shelf, p.o.Scope)
		return nil
	case item.Forgets != "":
		return p.decideNote(i)
	case item.Own != nil:
		return p.decideOwn(i)
	}
	if id, ok := p.lib.OfOrigin(p.ready.Reading.System, item.Key); ok {
		return p.decideKnown(i, id)
	}
	if p.skipDuplicate(i) {
		return nil
	}
	f.action, f.id = ActionNew, p.freeID(*item)
	return nil
}

// decideNote decides about a note that another entry was forgotten. The note is dropped.
func (p *planner) decideNote(i int) error {
	f, to := &p.fates[i], p.items[i].Forgets
	f.action, f.reason = ActionSkip, "it only notes that "+memory.Quote(to, maxShown)+" was forgotten"
	if _, ok := p.byKey[to]; ok {
		return nil
	}
	id, ok := p.lib.OfOrigin(p.ready.Reading.System, to)
	if !ok {
		f.reason += ", which is not there"
		return nil
	}
	have, err := p.lib.Look(id)
	if err == nil && have.Active() && !p.aside[id] {
		f.action, f.id, f.archived, f.have = ActionArchive, id, memory.ReasonForgotten, have
		p.aside[id] = true
	}
	return err
}

// decideKnown decides about an entry whose origin the store knows.
func (p *planner) decideKnown(i int, id memory.ID) (err error) {
	item, f := &p.items[i], &p.fates[i]
	f.id = id
	if f.have, err = p.lib.Look(id); err != nil {
		return err
	}
	if !f.have.Active() {
		p.decideArchived(f)
		p.remarkForeign(i, f.action != ActionSkip)
		return nil
	}
	if f.have.File.Memory.Conflicted {
		f.action, f.reason = ActionSkip, "it is here, with an unresolved merge"
		return nil
	}
	same := func(m memory.Memory) bool { return p.sameText(*item, m) }
	switch {
	case same(f.have.Text()) && f.archived != "" && f.news:
		f.action, f.reason = ActionArchive, "it was here, and is archived in the document"
	case same(f.have.Text()):
		p.decideSame(i)
	case f.have.Had(same):
		f.action, f.reason = ActionSkip, "it is here already, and was changed here since"
	default:
		p.decideChanged(f)
	}
	p.remarkForeign(i, same(f.have.File.Memory))
	return nil
}

// remarkForeign names a memory from elsewhere that says something else than the document and passes for an entry of it.
func (p *planner) remarkForeign(i int, same bool) {
	if p.fates[i].have.Foreign && !same && p.fates[i].action != ActionUpdate {
		p.remark(i, "what is here was not written or approved in this clone")
	}
}

// decideArchived decides about a memory that was archived here.
func (p *planner) decideArchived(f *fate) {
	reason := ""
	if f.have.File != nil {
		reason = f.have.File.Memory.ArchivedReason
	}
	switch {
	case reason == memory.ReasonUndone:
		f.action, f.reason = ActionNew, "what stored it was undone"
		return
	case f.have.File != nil && reason != memory.ReasonErased && len(f.have.Versions) == 0:
		// Nothing that archives a memory leaves this: it may only claim to be the entry.
		f.action, f.reason = ActionNew, "it is archived here without its text"
		return
	}
	f.action, f.reason = ActionSkip, "it is archived here"
	if reason != "" {
		f.reason += " (" + reason + ")"
	}
}

// decideSame decides about an entry whose text is here.
func (p *planner) decideSame(i int) {
	item, f := &p.items[i], &p.fates[i]
	f.action, f.reason = ActionSkip, "it is here already"
	here := f.have.File.Memory.Agent
	switch {
	case item.Memory.Agent == here, item.Memory.Agent == "" && item.Own == nil && p.o.Agent == nil: // no form says none
	case p.o.Known == KnownUpdate:
		f.action, f.reason = ActionUpdate, "its agent has changed"
	case here == "":
		p.remark(i, "it stays for the sessions of all agents")
	default:
		p.remark(i, "its agent stays as it is here: "+here)
	}
}

func (p *planner) decideChanged(f *fate) {
	switch p.o.Known {
	case KnownUpdate:
		f.action, f.reason = ActionUpdate, "its text has changed"
	case KnownKeep:
		f.action, f.reason = ActionSkip, "its text has changed there; it stays as it is here"
	default:
		f.action, f.reason = ActionChanged, "its text has changed"
	}
}

// sameText reports whether a memory has the text and the aliases of a draft. A summary that only
// repeats the content does not count.
func (p *planner) sameText(d draft, m memory.Memory) bool {
	isNew := func(alias string) bool { return !memory.HasAlias(m.Aliases, alias) }
	return flat(m.Content) == flat(d.Memory.Content) && !slices.ContainsFunc(d.Memory.Aliases, isNew) &&
		(d.plainSummary || flat(m.Summary) == flat(d.Memory.Summary))
}

// flat returns a text with every run of white space replaced by one space.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// skipDuplicate skips an entry whose text is there already, and reports whether it did.
func (p *planner) skipDuplicate(i int) bool {
	same := p.duplicate(i)
	if same == "" {
		return false
	}
	f := &p.fates[i]
	f.action, f.reason = ActionSkip, same+" has the same topic and content"
	if id, err := memory.ParseID(same); err == nil {
		f.id = id
	}
	return true
}

// duplicate returns the active memory, or the earlier entry, that has the same topic and content and that the same
// agent sees.
func (p *planner) duplicate(i int) string {
	if p.fates[i].archived != "" {
		return ""
	}
	m := p.items[i].Memory
	for _, id := range p.lib.SameTopic(m.Topic) {
		have, err := p.lib.Look(id)
		if err == nil && have.Active() && have.File.Memory.IsFor(m.Agent) &&
			flat(have.Text().Content) == flat(m.Content) {
			return string(id)
		}
	}
	if p.items[i].Own != nil && p.o.Agent == nil {
		return ""
	}
	key := strings.ToLower(flat(m.Topic)) + "\n" + flat(m.Content) + "\n"
	for _, agent := range []string{"", m.Agent} {
		if entry, ok := p.texts[key+agent]; ok {
			return entry
		}
	}
	p.texts[key+m.Agent] = p.items[i].Entry
	return ""
}

// freeID returns the id that an entry wants, or else the first free one that its key and a counter
// give. So two people who import one document get the same ids.
func (p *planner) freeID(item draft) memory.ID {
	free := func(id memory.ID) bool {
		if id == "" || p.taken[id] || p.lib.Taken(id) {
			return false
		}
		p.taken[id] = true
		return true
	}
	if free(item.WantID) {
		return item.WantID
	}
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(item.Key + "\n" + strconv.Itoa(n)))
		id, err := memory.ParseID(hex.EncodeToString(sum[:4]))
		if err == nil && free(id) {
			return id
		}
	}
}

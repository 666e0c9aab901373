package transfer

import (
	"cmp"
	"slices"

	"ltm/memory"
	"ltm/memory/memfile"
)

// carryOut returns the steps of an entry, with what they write.
func (p *planner) carryOut(i int) ([]Step, error) {
	item, f := p.items[i], p.fates[i]
	s := Step{Action: f.action, Entry: item.Entry, ID: f.id, Topic: item.Memory.Topic, Reason: f.reason,
		Remarks: item.remarks, Masked: item.masked, kind: f.kind}
	if f.action == ActionRefuse || f.action == ActionSkip {
		s.Masked = 0
	}
	if f.action != ActionRefuse {
		s.Scope = p.o.Scope
	}
	var err error
	if f.action == ActionNew || f.action == ActionUpdate {
		s.Agent, s.Trusted = item.Memory.Agent, p.o.Trust || item.Proof == Proven
	}
	switch f.action {
	case ActionNew:
		s.Archived = f.archived
		if item.Own != nil {
			err = p.newOwn(&s, item, f)
		} else {
			err = p.newMemory(&s, item, f)
		}
	case ActionUpdate:
		err = p.update(&s, item, f)
	case ActionMerge:
		for _, v := range p.missing(item, &f) {
			s.Writes = append(s.Writes,
				Write{Place: InArchivesAs, ID: f.id, Name: v.Name, Data: v.Data, Own: p.o.Trust})
		}
	case ActionArchive:
		s.Archived = f.archived
		s.Topic = cmp.Or(s.Topic, f.have.File.Memory.Topic)
		s.Writes = []Write{{Place: Aside, ID: f.id, Reason: f.archived}}
	}
	if err != nil { // the text as it is with its links cannot be stored
		s = Step{Action: ActionRefuse, Entry: item.Entry, Topic: item.Memory.Topic, Reason: err.Error(),
			kind: memory.KindImportMalformed, Remarks: item.remarks}
		return []Step{s}, nil
	}
	steps := []Step{s}
	if f.action == ActionNew {
		more, err := p.superseded(item)
		return append(steps, more...), err
	}
	return steps, nil
}

// drafted returns a draft as a memory of its own, with the links that can be resolved.
func (p *planner) drafted(s *Step, item draft, f fate) (memory.Memory, error) {
	m := item.Memory
	m.ID = f.id
	m.Origin = &memory.Origin{System: p.ready.Reading.System, ID: item.Key, Agent: item.Agent}
	var dropped []string
	m.Supersedes = p.links(item.Supersedes, f.id, &dropped)
	m.Disputes = p.links(item.Disputes, f.id, &dropped)
	m.Related = p.links(item.Related, f.id, &dropped)
	for _, key := range dropped {
		s.Remarks = append(slices.Clip(s.Remarks), "the link to "+memory.Quote(key, maxShown)+" was dropped")
	}
	return memory.Normalize(m)
}

// newMemory writes a draft as a memory, or as an archived one.
func (p *planner) newMemory(s *Step, item draft, f fate) error {
	m, err := p.drafted(s, item, f)
	if err != nil {
		return err
	}
	data := memfile.Format(m)
	if f.archived == "" {
		s.Writes = []Write{{Place: InMemories, ID: f.id, Data: data, Own: s.Trusted}}
		return nil
	}
	day := p.o.Day
	if item.Archived != nil && !item.Archived.Day.IsZero() {
		day = item.Archived.Day
	}
	s.Writes = []Write{{Place: InArchives, ID: f.id, Data: data, Own: s.Trusted},
		{Place: InMemories, ID: f.id, Data: memfile.FormatStub(m, day, f.archived), Own: s.Trusted}}
	return nil
}

// links returns the ids of the entries, or of known memories, with these keys.
func (p *planner) links(keys []string, self memory.ID, dropped *[]string) []memory.ID {
	var ids []memory.ID
	for _, key := range keys {
		id, ok := p.resolve(key)
		switch {
		case !ok || len(ids) == memory.MaxLinks:
			*dropped = append(*dropped, key)
		case id != self && !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	return ids
}

func (p *planner) resolve(key string) (memory.ID, bool) {
	if i, ok := p.byKey[key]; ok {
		return p.fates[i].id, p.fates[i].id != "" && p.fates[i].action != ActionRefuse
	}
	return p.lib.OfOrigin(p.ready.Reading.System, key)
}

// superseded archives memories that are here, are not in the document, and are superseded by a new entry.
func (p *planner) superseded(item draft) ([]Step, error) {
	var steps []Step
	for _, key := range item.Supersedes {
		if _, ok := p.byKey[key]; ok {
			continue
		}
		id, ok := p.lib.OfOrigin(p.ready.Reading.System, key)
		if !ok || p.aside[id] {
			continue
		}
		have, err := p.lib.Look(id)
		if err != nil {
			return nil, err
		}
		if have.Active() {
			p.aside[id] = true
			steps = append(steps, Step{Action: ActionArchive, Entry: key, ID: id, Topic: have.File.Memory.Topic,
				Scope: p.o.Scope, Archived: memory.ReasonSuperseded, Reason: "superseded by " + item.Entry,
				Writes: []Write{{Place: Aside, ID: id, Reason: memory.ReasonSuperseded}}})
		}
	}
	return steps, nil
}

// newOwn writes a record as it is. If its id is taken by another memory, it gets a new one, and an origin.
func (p *planner) newOwn(s *Step, item draft, f fate) error {
	if stub, err := memfile.Parse(item.Own.File); err == nil && stub.Memory.IsStub() {
		s.Archived = stub.Memory.ArchivedReason
	}
	for _, v := range item.Own.Versions {
		if slices.ContainsFunc(f.have.Versions, v.isLike) {
			continue
		}
		data, err := p.renamed(v.Data, item, f.id)
		if err != nil {
			return err
		}
		_, number, _ := memory.ParseArchiveName(v.Name)
		s.Writes = append(s.Writes, Write{Place: InArchivesAs, ID: f.id, Name: memfile.VersionName(f.id, number, data),
			Data: data, Own: s.Trusted})
	}
	if item.Own.File == nil {
		return nil
	}
	data, err := p.renamed(item.Own.File, item, f.id)
	s.Writes = append(s.Writes, Write{Place: InMemories, ID: f.id, Data: data, Own: s.Trusted})
	return err
}

// renamed returns a file with the ids that its memory and those that it links to have here.
func (p *planner) renamed(data []byte, item draft, id memory.ID) ([]byte, error) {
	file, err := memfile.Parse(data)
	if err != nil {
		return nil, err
	}
	m := file.Memory
	changed := false
	for _, list := range []*[]memory.ID{&m.Supersedes, &m.Disputes, &m.Related} {
		*list = slices.Clone(*list)
		for i, link := range *list {
			if j, ok := p.byKey[string(link)]; ok && p.fates[j].id != "" && p.fates[j].id != link {
				(*list)[i], changed = p.fates[j].id, true
			}
		}
	}
	if id == item.WantID && !changed {
		return data, nil
	}
	if id != item.WantID {
		m.ID = id
		m.Origin = cmp.Or(m.Origin, &memory.Origin{System: SystemLTM, ID: item.Key})
	}
	m.Signature = "" // it signs the ids
	return file.With(m)
}

// update gives a known memory the text that it has in the document.
func (p *planner) update(s *Step, item draft, f fate) error {
	if item.Own != nil {
		return p.updateOwn(s, item, f)
	}
	if s.Trusted && f.have.Foreign { // a person approves the document, not the links of what is here
		return p.replaceForeign(s, item, f)
	}
	m := f.have.File.Memory
	m.Topic, m.Content, m.Summary = item.Memory.Topic, item.Memory.Content, item.Memory.Summary
	m.Category, m.Confidence = item.Memory.Category, item.Memory.Confidence
	m.OddCategory, m.OddConfidence = false, false
	if len(item.Memory.Aliases) > 0 { // most forms know none
		m.Aliases, m.OddAliases = item.Memory.Aliases, false
	}
	if item.Memory.Agent != "" || p.o.Agent != nil {
		m.Agent = item.Memory.Agent
	}
	if level := item.Memory.Importance(); level != memory.Normal { // most forms know none
		m.Tags = memory.WithImportance(m.Tags, level)
	}
	m.Phase, m.Signature = memory.Full, ""
	data, err := f.have.File.With(m)
	if err != nil {
		return err
	}
	p.writeUpdate(s, f, m, data)
	return nil
}

// replaceForeign is update for a memory from elsewhere: nothing of it stays, for it may only claim
// to be what the document has.
func (p *planner) replaceForeign(s *Step, item draft, f fate) error {
	m, err := p.drafted(s, item, f)
	if err == nil {
		p.writeUpdate(s, f, m, memfile.Format(m))
	}
	return err
}

func (p *planner) writeUpdate(s *Step, f fate, m memory.Memory, data []byte) {
	s.Writes = []Write{{Place: Replaced, ID: f.id}, {Place: InMemories, ID: f.id, Data: data, Own: s.Trusted}}
	if f.archived != "" {
		s.Archived = f.archived
		s.Writes = []Write{{Place: Replaced, ID: f.id}, {Place: InArchives, ID: f.id, Data: data, Own: s.Trusted},
			{Place: InMemories, ID: f.id, Data: memfile.FormatStub(m, p.o.Day, f.archived), Own: s.Trusted}}
	}
}

// updateOwn is update for a record of ltm's own form. One that is archived there is archived here.
func (p *planner) updateOwn(s *Step, item draft, f fate) error {
	if !isActive(item.Own) {
		s.Archived = memory.ReasonForgotten
		if stub, err := memfile.Parse(item.Own.File); err == nil && stub.Memory.ArchivedReason != memory.ReasonErased {
			s.Archived = stub.Memory.ArchivedReason
		}
		s.Writes = []Write{{Place: Aside, ID: f.id, Reason: s.Archived}}
		return nil
	}
	data, err := p.renamed(item.Own.File, item, f.id)
	s.Writes = []Write{{Place: Replaced, ID: f.id}, {Place: InMemories, ID: f.id, Data: data, Own: s.Trusted}}
	return err
}

// checkRoom refuses a plan for which the store has no room.
func (p *planner) checkRoom(plan Plan) error {
	memories, archives := p.lib.Room()
	for _, s := range plan.Steps {
		for _, w := range s.Writes {
			switch w.Place {
			case InArchives, InArchivesAs, Aside, Replaced:
				archives--
			}
		}
		if s.Action == ActionNew {
			memories--
		}
	}
	if memories >= 0 && archives >= 0 {
		return nil
	}
	what, over := "memories", -memories
	if archives < 0 {
		what, over = "archives", -archives
	}
	return memory.NewError(memory.CodeInvalid, memory.KindImportFull, plan.Source,
		"the store has room for %d fewer %s than the import needs; "+
			"a store looks at no more than %d files of a directory", over, what, MaxFiles)
}

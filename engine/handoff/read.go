package handoff

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// kept is a packet of the store.
type kept struct {
	file   store.PacketFile
	packet packet.Packet
	notes  api.PacketBeside

	continued int       // how many packets continue it, where that was counted
	written   time.Time // when its file was written here, where that was looked at
}

// since returns when a packet was made, or when its file was written if it claims to be later than that: a clock
// that is ahead keeps no packet on top of lists.
func (k *kept) since() time.Time {
	at := k.packet.Time()
	if !k.written.IsZero() && at.After(k.written) {
		return k.written
	}
	return at
}

func (k *kept) entry() api.PacketEntry {
	p := &k.packet
	e := api.PacketEntry{ID: p.ID, Parent: p.ParentID, CreatedAt: p.Time(), Goal: p.Goal, NextStep: p.NextStep,
		Tags: p.Tags, Branch: k.notes.Branch, Drafted: k.notes.Drafted, Draft: k.file.Draft,
		Done: !k.file.Done.IsZero()}
	if p.Project != nil {
		e.Project = p.Project.Name
	}
	if p.Provenance != nil {
		e.Author, e.Model = p.Provenance.AuthorHuman, p.Provenance.AuthorModel
	}
	return e
}

// read reads one packet. It returns nil if the packet was removed. The faults are those of files
// that cannot be used: without its own file, there is no packet.
func read(v *store.View, file store.PacketFile) (*kept, []api.PacketFault) {
	data, err := v.ReadPacket(file)
	if err != nil {
		return nil, []api.PacketFault{{File: file.Path(), Faults: []string{err.Error()}}}
	}
	if data == nil {
		return nil, nil
	}
	p, err := packet.ParseStored(data)
	if err != nil {
		return nil, []api.PacketFault{{File: file.Path(), Faults: faultLines(err)}}
	}
	if store.PacketName(p.ID) != file.Name {
		return nil, []api.PacketFault{{File: file.Path(), Faults: []string{"/id: is not that of the file's name"}}}
	}
	file.ID = p.ID
	k := &kept{file: file, packet: p}
	data, err = v.ReadPacketNotes(file)
	fault := ""
	if err == nil {
		k.notes, fault = decodeNotes(data)
	} else {
		fault = err.Error()
	}
	k.notes.Done = file.Done
	if fault != "" {
		return k, []api.PacketFault{{File: file.NotesPath(), Faults: []string{fault}}}
	}
	return k, nil
}

// maxFaultLines is how many faults of a packet are listed.
const maxFaultLines = 20

// faultLines lists the faults of a packet, one on each line.
func faultLines(err error) []string {
	faults := packet.FaultsOf(err)
	if faults == nil {
		return []string{err.Error()}
	}
	var lines []string
	for _, f := range faults[:min(len(faults), maxFaultLines)] {
		lines = append(lines, f.String())
	}
	if more := len(faults) - len(lines); more > 0 {
		lines = append(lines, "and more")
	}
	return lines
}

// all is every packet of a store.
type all struct {
	packets   []*kept // in the order of their files' names, descending
	faulty    []api.PacketFault
	continued map[string][]string // the ids of packets by that of the one that they continue
}

// maxRead bounds how many bytes of packets are read for one answer.
const maxRead = 256 << 20

func readAll(v *store.View) (*all, error) {
	files, err := v.Packets()
	if err != nil {
		return nil, err
	}
	a := &all{continued: map[string][]string{}}
	for _, path := range files.Others {
		a.faulty = append(a.faulty, api.PacketFault{File: path,
			Faults: []string{"it is no packet, and nothing that belongs to one"}})
	}
	size := int64(0)
	for _, f := range files.Files {
		bytes, written := v.PacketStamp(f)
		if size += bytes; size > maxRead {
			a.faulty = append(a.faulty, api.PacketFault{File: f.Path(),
				Faults: []string{"the packets before it are so large that it was not read"}})
			continue
		}
		k, faults := read(v, f)
		a.faulty = append(a.faulty, faults...)
		if k == nil {
			continue
		}
		k.written = written
		a.packets = append(a.packets, k)
		if k.packet.ParentID != "" && k.packet.ParentID != k.packet.ID {
			a.continued[k.packet.ParentID] = append(a.continued[k.packet.ParentID], k.packet.ID)
		}
	}
	if files.Cut {
		a.faulty = append(a.faulty, api.PacketFault{File: "packets", Faults: []string{
			"it has more files than are looked at, and some packets are not listed"}})
	}
	return a, nil
}

func sortNewest(packets []*kept) {
	slices.SortFunc(packets, func(a, b *kept) int {
		return cmp.Or(b.since().Compare(a.since()), strings.Compare(b.packet.ID, a.packet.ID))
	})
}

const mostNamed = 5

// find returns the packet with an id, or the only one whose id begins like that.
func find(v *store.View, id string) (*kept, error) {
	files, err := v.Packets()
	if err != nil {
		return nil, err
	}
	if id == "" {
		return nil, unknownPacket(id)
	}
	if f, ok := files.Find(id); ok {
		if k, faults := read(v, f); k != nil || len(faults) > 0 {
			return k, damagedPacket(k, f, faults)
		}
		return nil, unknownPacket(id)
	}
	found := beginning(v, files.Files, id)
	if len(found) == 0 && strings.ToUpper(id) != id {
		found = beginning(v, files.Files, strings.ToUpper(id)) // a ULID, as a person types it
	}
	switch len(found) {
	case 0:
		return nil, unknownPacket(id)
	case 1:
		return found[0].kept, damagedPacket(found[0].kept, found[0].file, found[0].faults)
	}
	var lines []string
	for _, f := range found[:min(len(found), mostNamed)] {
		lines = append(lines, memory.Quote(f.file.ID, maxID))
	}
	if len(found) > mostNamed {
		lines = append(lines, "and more")
	}
	return nil, memory.NewError(memory.CodeInvalid, memory.KindPacketAmbiguous, id,
		"several packets' ids begin with %s\n%s", memory.Quote(id, maxID), strings.Join(lines, "\n"))
}

// maxID is how much of an id a message quotes, in characters.
const maxID = 70

// candidate is a packet whose id begins as asked, or its file, if that is damaged.
type candidate struct {
	*kept
	file   store.PacketFile
	faults []api.PacketFault
}

// beginning returns up to mostNamed+1 packets whose ids begin with a prefix.
func beginning(v *store.View, files []store.PacketFile, prefix string) []candidate {
	var found []candidate
	for _, f := range files {
		if len(found) > mostNamed {
			break
		}
		if f.ID != "" && !strings.HasPrefix(f.ID, prefix) {
			continue
		}
		k, faults := read(v, f)
		if k == nil && (len(faults) == 0 || f.ID == "") || k != nil && !strings.HasPrefix(k.packet.ID, prefix) {
			continue
		}
		if k != nil {
			f.ID = k.packet.ID
		}
		found = append(found, candidate{k, f, faults})
	}
	return found
}

func unknownPacket(id string) error {
	return memory.NewError(memory.CodeNotFound, memory.KindPacketUnknown, id, "there is no packet %s",
		memory.Quote(id, maxID))
}

// damagedPacket returns the error about a packet that cannot be used, or nil. What cannot be used of
// the notes about it is no reason to withhold it.
func damagedPacket(k *kept, f store.PacketFile, faults []api.PacketFault) error {
	if k != nil {
		return nil
	}
	var lines []string
	for _, fault := range faults {
		lines = append(lines, fault.Faults...)
	}
	return memory.NewError(memory.CodeUnreadable, memory.KindPacketDamaged, f.Path(), "%s cannot be used\n%s", f.Path(),
		strings.Join(lines, "\n"))
}

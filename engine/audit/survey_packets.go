package audit

import (
	"encoding/json"
	"fmt"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/packet"
	"ltm/store"
)

// packets adds findings about the files of packets that cannot be used. Packets are never changed,
// so a person decides about all of them.
func (s *Survey) packets() {
	files, err := s.view.Packets()
	if err != nil {
		s.add(finding{kind: kindUnreadable, where: "packets", reason: err.Error(), next: memory.KindFoundDirectory})
		return
	}
	if files.Cut {
		s.add(finding{kind: kindFull, where: "packets", next: memory.KindFoundTooMany,
			reason: fmt.Sprintf("it has more than %d files, and ltm does not read the rest", store.MaxFiles)})
	}
	for _, path := range files.Others {
		s.add(finding{kind: kindUnknown, where: path, remark: true, next: memory.KindFoundOther,
			reason: "it is no packet, and nothing that belongs to one"})
	}
	for _, f := range files.Files {
		if s.read += s.view.PacketSize(f); s.read > maxRead {
			s.add(finding{kind: kindPacket, where: f.Path(), reason: errUnlooked.Error(),
				next: memory.KindFoundUnlooked})
			continue
		}
		if fault := packetFault(s.view, f); fault != "" {
			s.add(finding{kind: kindPacket, where: f.Path(), reason: fault, next: memory.KindFoundPacket})
			continue
		}
		notes, err := s.view.ReadPacketNotes(f)
		switch {
		case err != nil:
			s.add(finding{kind: kindNotes, where: f.NotesPath(), remark: true, reason: err.Error(),
				next: memory.KindFoundPacket})
		case len(notes) > 0 && !json.Valid(notes):
			s.add(finding{kind: kindNotes, where: f.NotesPath(), remark: true, reason: "it is not JSON",
				next: memory.KindFoundPacket})
		}
	}
}

// packetFault says what is wrong with the file of a packet, or "".
func packetFault(v *store.View, f store.PacketFile) string {
	data, err := v.ReadPacket(f)
	if err != nil {
		return err.Error()
	}
	if data == nil { // removed
		return ""
	}
	p, err := packet.ParseStored(data)
	if faults := packet.FaultsOf(err); len(faults) > 1 {
		return faults[0].String() + ", and " + plural.Of(len(faults)-1, "other fault", "other faults")
	}
	if err != nil {
		return err.Error()
	}
	if store.PacketName(p.ID) != f.Name {
		return "/id: is not that of the file's name"
	}
	return ""
}

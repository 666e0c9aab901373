package handoff

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// List returns the packets that a filter asks for, and all files that cannot be used.
func (d *Desk) List(_ context.Context, f api.PacketFilter) (api.PacketList, error) {
	list := api.PacketList{Packets: []api.PacketEntry{}}
	err := d.o.Store.View(func(v *store.View) error {
		a, err := readAll(v)
		if err != nil {
			return err
		}
		list.Faulty = a.faulty
		words := strings.Fields(fold(f.Text))
		found := slices.DeleteFunc(a.packets, func(k *kept) bool { return !a.matches(k, f, words) })
		sortNewest(found)
		limit := d.o.Now().Add(clockSkew)
		slices.SortStableFunc(found, func(x, y *kept) int {
			return cmp.Compare(max(x.packet.Time().Compare(limit), 0), max(y.packet.Time().Compare(limit), 0))
		})
		list.Total = len(found)
		if f.Limit > 0 {
			found = found[:min(len(found), f.Limit)]
		}
		for _, k := range found {
			list.Packets = append(list.Packets, a.entry(k))
		}
		return nil
	})
	return list, err
}

func (a *all) entry(k *kept) api.PacketEntry {
	e := k.entry()
	e.Continued = len(a.continued[e.ID]) > 0
	return e
}

// matches reports whether a filter asks for a packet. words are those of its text, folded.
func (a *all) matches(k *kept, f api.PacketFilter, words []string) bool {
	p := &k.packet
	switch {
	case f.Open && (!k.file.Done.IsZero() || len(a.continued[p.ID]) > 0),
		f.Tag != "" && !slices.Contains(p.Tags, strings.ToLower(f.Tag)),
		f.Parent != "" && !strings.HasPrefix(p.ParentID, f.Parent),
		f.Branch != "" && k.notes.Branch != f.Branch,
		f.Project != "" && !ofProject(p.Project, f.Project),
		!f.Since.IsZero() && p.Time().Before(f.Since):
		return false
	}
	return hasWords(p, words)
}

// ofProject reports whether a project has a name, or is that repository, with or without its host and owner.
func ofProject(p *packet.Project, name string) bool {
	if p == nil {
		return false
	}
	ref, _, _ := strings.Cut(fold(p.Ref), "@")
	name = fold(name)
	return fold(p.Name) == name || ref == name || strings.HasSuffix(ref, "/"+name)
}

// hasWords reports whether each of the words is in one of the texts of a packet.
func hasWords(p *packet.Packet, words []string) bool {
	if len(words) == 0 {
		return true
	}
	var texts []string
	for _, t := range p.Texts() {
		texts = append(texts, fold(t.Value))
	}
	return !slices.ContainsFunc(words, func(word string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	})
}

// fold makes texts that differ in upper and lower case alone the same.
func fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }

// Show returns one packet. id may be a unique beginning.
func (d *Desk) Show(_ context.Context, id string) (api.PacketDetail, error) {
	var detail api.PacketDetail
	err := d.o.Store.View(func(v *store.View) error {
		k, err := find(v, id)
		if err != nil {
			return err
		}
		detail = api.PacketDetail{Packet: k.packet, Beside: k.notes, Path: d.path(k.file)}
		return nil
	})
	return detail, err
}

// Chain returns the chain of a packet, which ends with it, and the entries of the packets in it that
// are here, the oldest first, followed by those that continue it, directly or not.
func (d *Desk) Chain(_ context.Context, id string) (packet.Chain, []api.PacketEntry, error) {
	var chain packet.Chain
	entries := []api.PacketEntry{}
	err := d.o.Store.View(func(v *store.View) error {
		k, err := find(v, id)
		if err != nil {
			return err
		}
		a, err := readAll(v)
		if err != nil {
			return err
		}
		byID := make(map[string]*kept, len(a.packets))
		for _, k := range a.packets {
			byID[k.packet.ID] = k
		}
		chain = packet.ChainOf(k.packet.ID, func(id string) (string, bool) {
			k, known := byID[id]
			if !known {
				return "", false
			}
			return k.packet.ParentID, true
		})
		ids, listed := slices.Clone(chain.IDs), map[string]bool{}
		for i := 0; i < len(ids); i++ {
			if listed[ids[i]] {
				continue
			}
			listed[ids[i]] = true
			entries = append(entries, a.entry(byID[ids[i]]))
			if i >= len(chain.IDs)-1 {
				ids = append(ids, slices.Sorted(slices.Values(a.continued[ids[i]]))...)
			}
		}
		return nil
	})
	return chain, entries, err
}

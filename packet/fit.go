package packet

import (
	"fmt"
	"strings"
)

// mode is how much of an entry a block with a cap shows.
type mode int

const (
	hidden mode = iota
	brief       // its first text, on one line
	entire
)

// capped returns the block in at most that many units. The fixed parts get their room first, then one entry of each
// section in turn.
func (w *writer) capped(most int) Block {
	foot := w.shortFoot()
	room := most - units(opening+lastHeading+w.locked()+w.restLine(10_000, 10_000)+"\n"+foot+closing)
	for i := range w.sections {
		s := &w.sections[i]
		room -= units(s.heading() + count(len(s.entries)))
	}
	// Usually all of them are shown entire. In the smallest block they leave two fifths.
	share := room / 5
	goal, goalCut := w.short("", w.p.Goal, share)
	next, nextCut := w.short("", w.p.NextStep, share)
	again, _ := w.short("next step ", w.firstLine(w.p.NextStep)[0], share)
	w.countCut(goalCut, nextCut)
	top := "\n## Goal\n" + goal + "\n## Next step\n" + next
	modes, texts := w.choose(room - units(top+again))

	var b strings.Builder
	b.WriteString(opening + top)
	for i := range w.sections {
		w.writeSection(&b, &w.sections[i], modes[i], texts[i])
	}
	b.WriteString(lastHeading + again + w.locked() + w.restLine(w.left, w.cut) + "\n" + foot + closing)
	return Block{Text: b.String(), Left: w.left, Cut: w.cut}
}

// writeSection writes the entries of a section that were chosen, and counts what is missing.
func (w *writer) writeSection(b *strings.Builder, s *section, modes []mode, texts [][2]string) {
	b.WriteString(s.heading())
	missing := 0
	for i, m := range modes {
		switch m {
		case hidden:
			missing++
		case brief:
			b.WriteString(texts[i][0])
			w.countCut(texts[i][0] != texts[i][1])
		case entire:
			b.WriteString(texts[i][1])
		}
	}
	b.WriteString(count(missing))
	w.left += missing
}

// choose decides how much of each entry is shown in that many units, and returns the brief and the
// entire text of each. A rank of sections is brief, then entire, before the next gets any room.
func (w *writer) choose(room int) (modes [][]mode, texts [][][2]string) {
	for i := range w.sections {
		s := &w.sections[i]
		modes = append(modes, make([]mode, len(s.entries)))
		var both [][2]string
		for j := range s.entries {
			whole := w.full(&s.entries[j])
			both = append(both, [2]string{w.brief(&s.entries[j], whole), whole})
		}
		texts = append(texts, both)
	}
	for rank := range 2 {
		for _, want := range []mode{brief, entire} {
			w.eachInTurn(rank, func(i, j int) {
				cost := units(texts[i][j][want-1])
				if modes[i][j] == brief {
					cost -= units(texts[i][j][0])
				}
				if modes[i][j] == want-1 && cost <= room {
					modes[i][j] = want
					room -= cost
				}
			})
		}
	}
	return modes, texts
}

// eachInTurn visits the first entries of all sections of a rank, then the second, and so on, so
// that a long section does not crowd out the others.
func (w *writer) eachInTurn(rank int, visit func(i, j int)) {
	for j, more := 0, true; more; j++ {
		more = false
		for i := range w.sections {
			if s := &w.sections[i]; s.rank == rank && j < len(s.entries) {
				visit(i, j)
				more = true
			}
		}
	}
}

// brief returns the first text of an entry as one line; its label says if there is more.
func (w *writer) brief(e *entry, whole string) string {
	f := e.fields[0]
	if strings.Count(whole, "\n") == 1 && units(whole) <= frame(f.label)+shortUnits {
		return whole
	}
	return quotedLine(f.label+"(shortened) ", cutLine(shown(f.text, w.show), w.show, shortUnits))
}

// shortFoot returns the end of a block with a cap: who made the packet and when, and counts what of the end is missing.
func (w *writer) shortFoot() string {
	text := ""
	for _, f := range w.foot() {
		switch f.label {
		case "version ", "confidence ", "source ", "tags ":
			w.left++
			continue
		}
		line, cut := w.short(f.label, f.text, frame(f.label)+footUnits)
		w.countCut(cut)
		text += line
	}
	return text
}

func (w *writer) countCut(cuts ...bool) {
	for _, cut := range cuts {
		if cut {
			w.cut++
		}
	}
}

// restLine says how much of the packet is not in the block.
func (w *writer) restLine(left, cut int) string {
	line := fmt.Sprintf("Not all of the packet is here: %d parts are left out, %d are shortened.", left, cut)
	if w.rest != "" {
		line += " " + w.rest
	}
	return line + "\n"
}

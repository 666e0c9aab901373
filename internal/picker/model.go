package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// maxQuery bounds a query, in characters.
const maxQuery = 200

// Item is one line of the list.
type Item struct {
	Value string // what picking it returns
	Text  string // what is shown and searched
}

// Model is the state of the list. Use [New].
type Model struct {
	items  []Item
	query  []rune
	found  []int // indexes into items, the best first
	cursor int   // index into found
	marked []int // indexes into items, in the order of marking
	page   int   // the number of items in the last view
}

// New returns a list with an initial query.
func New(items []Item, query string) *Model {
	m := &Model{items: items, query: []rune(strings.TrimSpace(query)), page: 1}
	m.search()
	return m
}

// search finds the items that match the query, the best first; ties keep the order of items.
func (m *Model) search() {
	scores := map[int]int{}
	m.found, m.cursor = m.found[:0], 0
	for i, item := range m.items {
		if score, ok := Match(string(m.query), item.Text); ok {
			scores[i] = score
			m.found = append(m.found, i)
		}
	}
	slices.SortStableFunc(m.found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
}

// Press carries out a key, and reports whether the person is done.
func (m *Model) Press(k Key) (done bool) {
	switch k {
	case Ignored:
	case Accept, Cancel:
		return true
	case Up:
		m.move(-1)
	case Down:
		m.move(1)
	case PageUp:
		m.move(-m.page)
	case PageDown:
		m.move(m.page)
	case Mark:
		m.mark()
	case Rubout:
		m.edit(m.query[:max(0, len(m.query)-1)])
	case ClearWord:
		text := strings.TrimRightFunc(string(m.query), unicode.IsSpace)
		m.edit([]rune(text[:strings.LastIndexFunc(text, unicode.IsSpace)+1]))
	case ClearAll:
		m.edit(nil)
	default:
		if len(m.query) < maxQuery {
			m.edit(append(m.query, rune(k)))
		}
	}
	return false
}

func (m *Model) edit(query []rune) {
	m.query = query
	m.search()
}

func (m *Model) move(by int) {
	m.cursor = max(0, min(len(m.found)-1, m.cursor+by))
}

// mark marks or unmarks the item at the cursor, and moves to the next.
func (m *Model) mark() {
	if len(m.found) == 0 {
		return
	}
	item := m.found[m.cursor]
	if at := slices.Index(m.marked, item); at >= 0 {
		m.marked = slices.Delete(m.marked, at, at+1)
	} else {
		m.marked = append(m.marked, item)
	}
	m.move(1)
}

// Current returns the item at the cursor; ok is false if none matches.
func (m *Model) Current() (Item, bool) {
	if len(m.found) == 0 {
		return Item{}, false
	}
	return m.items[m.found[m.cursor]], true
}

// Picked returns the values of the marked items, or else of the item at the cursor.
func (m *Model) Picked() []string {
	var values []string
	for _, i := range m.marked {
		values = append(values, m.items[i].Value)
	}
	if item, ok := m.Current(); ok && len(values) == 0 {
		values = append(values, item.Value)
	}
	return values
}

package picker

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// maxQuery is how many characters of a query count.
const maxQuery = 200

// Item is one line of the list.
type Item struct {
	Value string // what picking it returns
	Text  string // what is shown and searched
}

// Model is the state of the list. New makes one.
type Model struct {
	items  []Item
	query  []rune
	found  []int // of items, the best first
	cursor int   // in found
	marked []int // of items, in the order in which they were marked
	page   int   // how many items the last view showed
}

// New returns a list with a query that is typed already.
func New(items []Item, query string) *Model {
	m := &Model{items: items, query: []rune(strings.TrimSpace(query)), page: 1}
	m.search()
	return m
}

// search finds what matches the query. Of what matches as well, the first item comes first.
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

// Press does what a key says, and reports whether the person is done.
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

// mark marks the item at the cursor or takes the mark away, and goes on to the next.
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

// Current returns the item at the cursor, if any matches.
func (m *Model) Current() (Item, bool) {
	if len(m.found) == 0 {
		return Item{}, false
	}
	return m.items[m.found[m.cursor]], true
}

// Picked returns the values of what is marked, or else of the item at the cursor.
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

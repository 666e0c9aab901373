package secrets

import "strings"

// joint returns where the text of the next literal begins when the one that ends
// at i, a quote, is joined to it, as in "ab" + "cd", 'ab' . 'cd' or two literals
// side by side, or 0 when it is not.
func joint(t string, i int) int {
	const reach = 80
	if i >= len(t) || t[i] != '"' && t[i] != '\'' { // what stands in backquotes is code in a text
		return 0
	}
	var sign byte
	breaks := 0
	for j := i + 1; j < len(t) && j < i+reach; j++ {
		switch c := t[j]; c {
		case ' ', '\t', '\r':
		case '\n':
			breaks++
		case '+', '.', '&', '\\':
			if sign != 0 && sign != '\\' && c != '\\' || c == '.' && isSpace(t[j-1]) != isSpace(t[min(j+1, len(t)-1)]) {
				return 0 // the dot ends a sentence
			}
			sign = c
		case t[i]:
			if breaks > 1 || j == i+1 || sign == 0 && isKey(t, j, c) {
				return 0
			}
			return j + 1
		default:
			return 0
		}
	}
	return 0
}

// isKey reports whether the literal at i is the key of what follows: "user": "x".
func isKey(t string, i int, quote byte) bool {
	rest := t[i+1 : min(len(t), i+1+maxName)]
	end := strings.IndexByte(rest, quote)
	return end >= 0 && end+1 < len(rest) && (rest[end+1] == ':' || rest[end+1] == '=')
}

// beside handles two literals of which the first is a name, set "Smtp:Password"
// "…"; the first ends at i.
func (s *scanner) beside(i int) {
	t := s.text
	if i+2 >= len(t) || t[i+1] != ' ' || t[i+2] != t[i] || i == 0 || !isAlpha(t[i-1]) {
		return
	}
	name, start := s.nameBefore(i)
	if start == 0 || t[start-1] != t[i] && t[start-1] != ':' {
		return
	}
	s.value(roleOf(name), i+1, false, true)
}

// literal returns the text of the literal whose text ends at end, which began at
// start, with all that is joined to it, and where the last one ends.
func (s *scanner) literal(start, end int) (string, int) {
	t := s.text
	text := t[start:end]
	for len(text) < lookAhead {
		next := joint(t, end)
		if next == 0 {
			break
		}
		stop := s.extent(next, t[end], false)
		if stop >= len(t) || t[stop] != t[end] {
			break
		}
		text += t[next:stop]
		end = stop
	}
	return text, end
}

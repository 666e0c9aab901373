package server

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/threads"
)

// A cursor is where a page of a list ended. It tells nothing that the list did not, and a list shows
// only what its caller sees, so it needs no secret: a checksum of the place and the list holds that
// it is unharmed and belongs to the same list, whichever server made it.
const (
	cursorVersion = 1
	cursorSum     = 8
	maxPlace      = 1024 // bytes of a place in a list
)

// pageOf is what a cursor belongs to: a list and all that selects from it.
type pageOf []string

// cursor returns the cursor of a place.
func (l pageOf) cursor(place string) string {
	sum := l.sum(place)
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{cursorVersion}, sum[:]...), place...))
}

// place reads a cursor; "" is the beginning.
func (l pageOf) place(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	if len(text) > base64.RawURLEncoding.EncodedLen(1+cursorSum+maxPlace) {
		return "", wrongCursor()
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) <= 1+cursorSum || b[0] != cursorVersion {
		return "", wrongCursor()
	}
	place := string(b[1+cursorSum:])
	if l.sum(place) != [cursorSum]byte(b[1:]) {
		return "", wrongCursor()
	}
	return place, nil
}

func wrongCursor() *Problem {
	return problem(kindRequest, "this cursor does not belong to this list; start again without one")
}

func (l pageOf) sum(place string) [cursorSum]byte {
	h := sha256.New()
	for _, part := range append([]string{place}, l...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [cursorSum]byte(h.Sum(nil))
}

// page is a page of a list that was asked for: how many rows, and where it begins; "": with the first.
type page struct {
	limit int
	place string
	of    pageOf
}

// pageAsked reads which page of a list is asked for.
func pageAsked(limit clampParam, otherwise int, cursor string, of ...string) (p page, err error) {
	p.of = of
	if p.limit, err = limit.clampTo(maxPage, otherwise); err != nil {
		return p, err
	}
	p.place, err = p.of.place(cursor)
	return p, err
}

// cut returns the rows of a page, and the cursor of the next one, from rows of which one more than it has tells that
// there is one. place names the last row.
func cut[T any](p page, rows []T, place func(T) string) (all []T, next string) {
	if len(rows) <= p.limit {
		return rows, ""
	}
	return rows[:p.limit], p.of.cursor(place(rows[p.limit-1]))
}

// timePlace and readTimePlace write and read a place in an order by time and then something else.
func timePlace(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMicro(), 10) + "|" + id
}

func readTimePlace(text string) (at time.Time, id string, ok bool) {
	micros, id, _ := strings.Cut(text, "|")
	n, err := strconv.ParseInt(micros, 10, 64)
	return time.UnixMicro(n).UTC(), id, err == nil
}

// claimPlaceText and claimPlace write and read the place of a claim.
func claimPlaceText(c threads.Claim) string {
	return strings.Join([]string{strconv.FormatFloat(c.Confidence, 'g', -1, 64), strconv.Itoa(c.Reinforced),
		strconv.FormatInt(c.UpdatedAt.UnixMicro(), 10), c.ID}, "|")
}

// claimPlace returns nil for what is no place, such as that of an older version.
func claimPlace(text string) *threads.ClaimPlace {
	parts := strings.Split(text, "|")
	if len(parts) != 4 {
		return nil
	}
	confidence, err := strconv.ParseFloat(parts[0], 64)
	reinforced, errReinforced := strconv.Atoi(parts[1])
	micros, errMicros := strconv.ParseInt(parts[2], 10, 64)
	if errors.Join(err, errReinforced, errMicros) != nil {
		return nil
	}
	return &threads.ClaimPlace{Confidence: confidence, Reinforced: reinforced, UpdatedAt: time.UnixMicro(micros).UTC(),
		ID: parts[3]}
}

// next returns the link to the page that begins at a cursor, with the parameters of the page before; "" without one.
func (s *Server) next(path, param, cursor string, params map[string]string) string {
	if cursor == "" {
		return ""
	}
	v := url.Values{param: {cursor}}
	for name, value := range params {
		if value != "" {
			v.Set(name, value)
		}
	}
	return "<" + s.prefix + path + "?" + v.Encode() + `>; rel="next"`
}

// clampParam is a limit of the reference implementation: a number outside its bounds is the nearest within.
type clampParam string

// Schema implements huma.SchemaProvider.
func (clampParam) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger} }

// maxPage is how many rows a page has at most, as in the reference implementation.
const maxPage = 200

// clampTo returns the number, or otherwise without one.
func (p clampParam) clampTo(most, otherwise int) (int, error) {
	if p == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(p)))
	if err != nil {
		return 0, problem(kindInvalid, "limit must be a number")
	}
	return min(max(n, 1), most), nil
}

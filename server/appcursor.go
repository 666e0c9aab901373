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

// maxPlace is the length of a place in a list, in bytes.
const maxPlace = 1024

// pageOf is what a cursor belongs to: a list and all that selects from it.
type pageOf []string

// cursor returns the cursor of a place. See cursor.go: its checksum holds that it belongs to the same list.
func (l pageOf) cursor(place string) string {
	sum := l.sum(place)
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{cursorVersion}, sum[:]...), place...))
}

// place reads a cursor; "" is the beginning.
func (l pageOf) place(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	wrong := problem(kindRequest, "this cursor does not belong to this list; start again without one")
	if len(text) > base64.RawURLEncoding.EncodedLen(1+cursorSum+maxPlace) {
		return "", wrong
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) <= 1+cursorSum || b[0] != cursorVersion {
		return "", wrong
	}
	place := string(b[1+cursorSum:])
	if l.sum(place) != [cursorSum]byte(b[1:]) {
		return "", wrong
	}
	return place, nil
}

func (l pageOf) sum(place string) [cursorSum]byte {
	h := sha256.New()
	for _, part := range append([]string{"apps", place}, l...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [cursorSum]byte(h.Sum(nil))
}

// placeText and threadPlace write and read the place of a thread.
func placeText(t threads.Thread) string {
	return strconv.FormatInt(t.CreatedAt.UnixMicro(), 10) + "|" + t.ID
}

func threadPlace(text string) *threads.Place {
	micros, id, _ := strings.Cut(text, "|")
	n, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		return nil
	}
	return &threads.Place{At: time.UnixMicro(n).UTC(), ID: id}
}

// claimPlaceText and claimPlace write and read the place of a claim.
func claimPlaceText(p threads.ClaimPlace) string {
	return strings.Join([]string{strconv.FormatFloat(p.Confidence, 'g', -1, 64), strconv.Itoa(p.Reinforced),
		strconv.FormatInt(p.UpdatedAt.UnixMicro(), 10), p.ID}, "|")
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

// next returns the link to the page of a cursor, with the parameters of the page before.
func (s *Server) next(path string, params map[string]string, cursor string) string {
	v := url.Values{"cursor": {cursor}}
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

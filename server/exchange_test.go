package server_test

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// exchange is a request and what it must be answered with.
type exchange struct {
	Name    string            `json:"name"`
	Request string            `json:"request"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Packet  json.RawMessage   `json:"packet"` // instead of Body, with blanks to be PadTo bytes long
	PadTo   int               `json:"pad_to"`
	Status  int               `json:"status"`
	Allow   string            `json:"allow"`
	Answer  any               `json:"answer"`
	Error   string            `json:"error"`
	Differs string            `json:"differs"` // why this is not what the reference answers
}

// deviations is how many of the exchanges end otherwise than with the reference implementation.
const deviations = 17

// TestExchange replays what was recorded of the reference implementation, in order. What we answer
// otherwise has a reason in the file.
func TestExchange(t *testing.T) {
	p := start(t)
	replay(t, p)
}

// replay returns what the placeholders stood for.
func replay(t *testing.T, p *place) map[string]string {
	exchanges := readExchanges(t)
	require.Len(t, exchanges, 144)
	names := &bindings{values: map[string]string{"HOST": strings.TrimPrefix(p.url, "http://")}}
	names.values["USER_ROOT"], names.values["TOKEN_ROOT"] = p.newUser("root")
	differ := 0
	for _, e := range exchanges {
		if e.Differs != "" {
			differ++
		}
		body := names.fill(e.Body)
		if e.Packet != nil {
			body = string(e.Packet) + strings.Repeat(" ", e.PadTo-len(e.Packet))
		}
		headers := map[string]string{}
		for name, value := range e.Headers {
			headers[name] = names.fill(value)
		}
		got := p.do(names.fill(e.Request), request{header: headers, body: body})
		require.Equal(t, e.Status, got.status, "%s: %s", e.Name, got.body)
		if e.Allow != "" {
			require.Equal(t, e.Allow, got.header.Get("Allow"), e.Name)
		}
		method, path, _ := strings.Cut(e.Request, " ")
		switch {
		case method == "HEAD" || got.status == 204:
			require.Empty(t, got.body, e.Name)
		case got.status >= 400:
			p.isProblem(got)
			if e.Error != "" {
				require.Equal(t, e.Error, got.value(t)["error"], e.Name)
			}
		case e.Answer != nil && method == "GET" && strings.HasPrefix(path, "/v1/packets/"):
			samePacket(t, e, got.body)
		case e.Answer != nil:
			names.match(t, e.Name, e.Answer, got.value(t))
		}
	}
	require.Equal(t, deviations, differ)
	return names.values
}

func readExchanges(t *testing.T) (all []exchange) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "exchange.jsonl"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e exchange
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		all = append(all, e)
	}
	return all
}

// samePacket compares packets by value: ours come back in canonical form.
func samePacket(t *testing.T, e exchange, got []byte) {
	t.Helper()
	b, err := json.Marshal(e.Answer)
	require.NoError(t, err)
	want, err := packet.ParseStored(b)
	require.NoError(t, err, e.Name)
	canonical, err := want.Canonical()
	require.NoError(t, err)
	require.Equal(t, string(canonical), string(got), e.Name)
}

// bindings are the values of the placeholders such as <TOKEN_ALICE>, each bound where it is met
// first.
type bindings struct{ values map[string]string }

var placeholder = regexp.MustCompile(`<([A-Z][A-Z0-9_]*)>`)

func (b *bindings) fill(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(name string) string {
		if v, ok := b.values[strings.Trim(name, "<>")]; ok {
			if strings.Contains(s, "/v1/invites/"+name) {
				return url.PathEscape(v)
			}
			return v
		}
		return name
	})
}

// match compares an answer, whose keys must be the same, and binds placeholders.
func (b *bindings) match(t *testing.T, where string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		require.True(t, ok, where)
		require.Len(t, g, len(w), "%s: %v", where, g)
		for _, name := range []string{"code", "url"} { // the code binds what the URL has
			if v, ok := w[name]; ok {
				b.match(t, where+"."+name, v, g[name])
			}
		}
		for name, v := range w {
			b.match(t, where+"."+name, v, g[name])
		}
	case []any:
		g, ok := got.([]any)
		require.True(t, ok, where)
		require.Len(t, g, len(w), "%s: %v", where, g)
		for i := range w {
			b.match(t, where, w[i], g[i])
		}
	case string:
		name := placeholder.FindStringSubmatch(w)
		switch {
		case w == "<TIME>":
			require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`, got, where)
		case name != nil && name[0] == w && b.values[name[1]] == "":
			b.values[name[1]] = got.(string)
		default:
			require.Equal(t, b.fill(w), got, where)
		}
	default:
		require.Equal(t, want, got, where)
	}
}

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// rootToken is the token of the first user of a stand-in.
const rootToken = "root-token-0123456789"

// standIn is a server of packets in this process, which keeps everything in memory. It has what
// ltm-server has, and less if it plays the reference implementation.
type standIn struct {
	mu        sync.Mutex
	reference bool
	users     map[string]map[string]string // by token: id, display
	teams     map[string][]string          // ids of members, the owner first
	invites   map[string]string            // team by code
	packets   map[string]kept              // by scope and id
	approved  bool                         // the device flow
	pushes    int
	full      bool // the quotas of users are used up, and those of teams are not

	server  *httptest.Server
	address string
}

type kept struct{ scope, id, body string }

func newStandIn(reference bool) *standIn {
	return &standIn{reference: reference, users: map[string]map[string]string{
		rootToken: {"id": "user-root", "display": "root"}}, teams: map[string][]string{}, invites: map[string]string{},
		packets: map[string]kept{}}
}

// start listens, at the same address as before if it did before.
func (s *standIn) start() error {
	l, err := net.Listen("tcp", cmp.Or(s.address, "127.0.0.1:0"))
	if err != nil {
		return err
	}
	s.address = l.Addr().String()
	s.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: s.routes()}}
	s.server.Start()
	return nil
}

// startStandIn starts a stand-in for a test, and returns it with the environment that names it.
func startStandIn(t *testing.T, reference bool) (*standIn, []string) {
	t.Helper()
	s := newStandIn(reference)
	require.NoError(t, s.start())
	t.Cleanup(func() { s.server.Close() })
	return s, []string{"LTM_HOST=http://" + s.address, "LTM_TOKEN=" + rootToken}
}

// packetServer starts and stops a stand-in:
// packetserver start|stop|reference|approve|full|pushes N|has FILE. A packet of another client, in FILE, is root's.
func packetServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: packetserver start|stop|reference|approve|full|pushes N|has FILE")
	}
	s, _ := ts.Value(standInKey{}).(**standIn)
	switch args[0] {
	case "start", "reference":
		if *s == nil {
			*s = newStandIn(args[0] == "reference")
			ts.Defer(func() { (*s).server.Close() })
		}
		ts.Check((*s).start())
		ts.Setenv("SERVER", "http://"+(*s).address)
		ts.Setenv("ROOT", rootToken)
	case "stop":
		(*s).server.Close()
	case "approve":
		(*s).mu.Lock()
		(*s).approved = true
		(*s).mu.Unlock()
	case "full":
		(*s).mu.Lock()
		(*s).full = true
		(*s).mu.Unlock()
	case "pushes":
		(*s).mu.Lock()
		defer (*s).mu.Unlock()
		if got := fmt.Sprint((*s).pushes); got != args[1] {
			ts.Fatalf("%s pushes", got)
		}
	case "has":
		body := ts.ReadFile(args[1])
		p, err := packet.Parse([]byte(body))
		ts.Check(err)
		(*s).mu.Lock()
		defer (*s).mu.Unlock()
		scope := (*s).users[rootToken]["id"]
		(*s).packets[scope+" "+p.ID] = kept{scope, p.ID, body}
	default:
		ts.Fatalf("unknown: %s", args[0])
	}
}

type standInKey struct{}

// joinLink runs ltm join with the link in a file: join FILE ARGS.
func joinLink(ts *testscript.TestScript, neg bool, args []string) {
	link := strings.TrimSpace(ts.ReadFile(args[0]))
	err := ts.Exec("ltm", append([]string{"join", link}, args[1:]...)...)
	if (err != nil) != neg {
		ts.Fatalf("join %s: %v", link, err)
	}
}

// atOnce runs ltm in several processes at once, whatever comes of each: atonce N ARGS.
func atOnce(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	if neg || err != nil {
		ts.Fatalf("usage: atonce N ARGS")
	}
	var all sync.WaitGroup
	for range n {
		cmd := exec.Command("ltm", args[1:]...)
		cmd.Dir = ts.MkAbs(".")
		cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH")}
		all.Go(func() { _ = cmd.Run() })
	}
	all.Wait()
}

// setPacket sets a variable to the first id of a packet in the last command's output.
func setPacket(ts *testscript.TestScript, neg bool, args []string) {
	id := regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`).FindString(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || id == "" {
		ts.Fatalf("no id of a packet in stdout")
	}
	ts.Setenv(args[0], id)
}

// setInvite sets a variable to the first id of an invite in the last command's output.
func setInvite(ts *testscript.TestScript, neg bool, args []string) {
	id := regexp.MustCompile(`id-[0-9a-f]{8}`).FindString(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || id == "" {
		ts.Fatalf("no id of an invite in stdout")
	}
	ts.Setenv(args[0], id)
}

// call is one request of a user to a stand-in.
type remoteCall struct {
	*http.Request
	w     http.ResponseWriter
	token string
	user  map[string]string
	body  []byte
}

func (c *remoteCall) answer(status int, v any) {
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(status)
	if v != nil {
		_ = json.NewEncoder(c.w).Encode(v)
	}
}

func (c *remoteCall) refuse(status int, text string) {
	c.answer(status, map[string]string{"error": text})
}

func (s *standIn) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, route := range map[string]func(*remoteCall){
		"GET /v1/healthz":  func(c *remoteCall) { c.answer(200, map[string]any{"ok": true, "version": "0.2"}) },
		"POST /v1/packets": s.push,
		"GET /v1/packets":  s.list,
		"GET /v1/packets/{id}": func(c *remoteCall) {
			if p, ok := s.find(c); ok {
				c.w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(c.w, p.body)
			}
		},
		"DELETE /v1/packets/{id}": func(c *remoteCall) {
			if p, ok := s.find(c); ok {
				delete(s.packets, p.scope+" "+p.id)
				c.answer(204, nil)
			}
		},
		"POST /v1/teams":                         s.createTeam,
		"GET /v1/teams":                          s.listTeams,
		"DELETE /v1/teams/{name}":                s.deleteTeam,
		"GET /v1/teams/{name}/members":           s.members,
		"DELETE /v1/teams/{name}/members/{user}": s.removeMember,
		"POST /v1/teams/{name}/leave":            s.leave,
		"POST /v1/teams/{name}/invites":          s.invite,
		"POST /v1/invites/{code}/accept":         s.accept,
	} {
		mux.HandleFunc(pattern, s.handler(route))
	}
	if !s.reference {
		s.more(mux)
	}
	return mux
}

// more adds what only ltm-server has.
func (s *standIn) more(mux *http.ServeMux) {
	for pattern, route := range map[string]func(*remoteCall){
		"GET /v1/claims":                   claims,
		"GET /v1/threads/{thread}/summary": summary,
		"GET /v1/whoami":                   func(c *remoteCall) { c.answer(200, map[string]any{"user": c.user}) },
		"GET /v1/invites/{code}": func(c *remoteCall) {
			if team := s.invites[c.PathValue("code")]; team != "" {
				c.answer(200, map[string]any{"team": map[string]string{"name": team}})
			} else {
				c.refuse(410, "invite expired or already consumed")
			}
		},
		"GET /v1/teams/{name}/invites": func(c *remoteCall) {
			list := []map[string]string{}
			for code, team := range s.invites {
				if team == c.PathValue("name") {
					list = append(list, map[string]string{"id": "id-" + code[:8], "created_by": c.user["id"],
						"created_at": "2026-08-28T10:00:00Z", "expires_at": "2026-09-04T10:00:00Z"})
				}
			}
			c.answer(200, map[string]any{"invites": list})
		},
		"DELETE /v1/teams/{name}/invites/{id}": func(c *remoteCall) {
			for code := range s.invites {
				if "id-"+code[:8] == c.PathValue("id") {
					delete(s.invites, code)
					c.answer(204, nil)
					return
				}
			}
			c.refuse(404, "team or invite not found")
		},
		"POST /v1/teams/{name}/transfer": func(c *remoteCall) {
			var to struct {
				User string `json:"user_id"`
			}
			_ = json.Unmarshal(c.body, &to)
			members := s.teams[c.PathValue("name")]
			if !slices.Contains(members, to.User) {
				c.refuse(404, "not a member")
				return
			}
			others := slices.DeleteFunc(slices.Clone(members), func(m string) bool { return m == to.User })
			s.teams[c.PathValue("name")] = append([]string{to.User}, others...)
			c.answer(204, nil)
		},
		"POST /oauth/authorize_device": func(c *remoteCall) {
			c.answer(200, map[string]any{"device_code": "a-device-code", "user_code": "ABCD-EFGH", "interval": 1,
				"verification_uri": "http://" + c.Host + "/device", "expires_in": 60})
		},
		"POST /oauth/token": func(c *remoteCall) {
			if !s.approved {
				s.approved = true // before it is asked again
				c.refuse(400, "authorization_pending")
				return
			}
			s.users["device-token-01234567"] = map[string]string{"id": "user-device", "display": "Mira"}
			c.answer(200, map[string]string{"access_token": "device-token-01234567"})
		},
	} {
		mux.HandleFunc(pattern, s.handler(route))
	}
}

// handler runs a route under the lock, for a user unless it is open.
func (s *standIn) handler(route func(*remoteCall)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		c := &remoteCall{Request: r, w: w}
		c.body, _ = io.ReadAll(r.Body)
		header := r.Header.Get("Authorization")
		c.token = strings.TrimPrefix(header, "Bearer ")
		c.user = s.users[c.token]
		open := strings.HasPrefix(r.URL.Path, "/oauth/") || strings.HasPrefix(r.URL.Path, "/v1/invites/") ||
			r.URL.Path == "/v1/healthz"
		switch {
		case c.user == nil && header == "" && !open:
			c.refuse(401, "missing bearer token")
		case c.user == nil && header != "":
			c.refuse(401, "invalid token")
		default:
			route(c)
		}
	}
}

// scope returns where a request's packets are, or refuses it.
func (s *standIn) scope(c *remoteCall) (string, bool) {
	team := c.URL.Query().Get("team")
	if team == "" {
		return c.user["id"], true
	}
	if !slices.Contains(s.teams[team], c.user["id"]) {
		c.refuse(404, "team not found")
		return "", false
	}
	return "team " + team, true
}

func (s *standIn) push(c *remoteCall) {
	scope, ok := s.scope(c)
	if !ok {
		return
	}
	p, err := packet.Parse(c.body)
	if err != nil {
		c.refuse(400, err.Error())
		return
	}
	if s.full && !strings.HasPrefix(scope, "team ") {
		c.refuse(507, "the quota is used up")
		return
	}
	s.pushes++
	s.packets[scope+" "+p.ID] = kept{scope, p.ID, string(c.body)}
	c.answer(201, map[string]string{"id": p.ID})
}

// sees reports whether a user reads the packets of a scope.
func (s *standIn) sees(user, scope string) bool {
	team, isTeam := strings.CutPrefix(scope, "team ")
	return scope == user || isTeam && slices.Contains(s.teams[team], user)
}

// find returns the user's own packet, or else one of their teams'.
func (s *standIn) find(c *remoteCall) (kept, bool) {
	if p, ok := s.packets[c.user["id"]+" "+c.PathValue("id")]; ok {
		return p, true
	}
	for _, p := range s.packets {
		if p.id == c.PathValue("id") && s.sees(c.user["id"], p.scope) {
			return p, true
		}
	}
	c.refuse(404, "not found")
	return kept{}, false
}

func (s *standIn) list(c *remoteCall) {
	scope, ok := s.scope(c)
	if !ok {
		return
	}
	list := []map[string]any{}
	for _, k := range s.packets {
		p, _ := packet.Parse([]byte(k.body))
		project := ""
		if p.Project != nil {
			project = p.Project.Name
		}
		q := c.URL.Query()
		if k.scope != scope || !s.reference && (q.Get("tag") != "" && !slices.Contains(p.Tags, q.Get("tag")) ||
			q.Get("project") != "" && q.Get("project") != project) {
			continue
		}
		entry := map[string]any{"id": p.ID, "created_at": p.Time().UTC().Format("2006-01-02T15:04:05Z"), "goal": p.Goal}
		if !s.reference {
			entry["tags"], entry["project"], entry["author"] = p.Tags, project, c.user["display"]
		}
		list = append(list, entry)
	}
	slices.SortFunc(list, func(a, b map[string]any) int {
		return cmp.Or(strings.Compare(b["created_at"].(string), a["created_at"].(string)),
			strings.Compare(a["id"].(string), b["id"].(string)))
	})
	var limit int
	if _, err := fmt.Sscan(c.URL.Query().Get("limit"), &limit); err == nil && limit < len(list) {
		list = list[:limit]
	}
	c.answer(200, map[string]any{"packets": list})
}

package page

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// Memories answers questions about the memories of a project and of a person. [ltm/engine/person.Shelves] fulfills it.
// None of these methods counts as an access, and SetConfig alone changes something.
type Memories interface {
	Recall(context.Context, api.Query) (api.Recall, error)
	List(context.Context, api.ListFilter) (api.Listing, error)
	NextContext(context.Context, api.ContextQuery) (api.Context, error)

	// Peek returns a memory, and PeekArchive its full text in the archives.
	Peek(ctx context.Context, id string) (api.Detail, error)
	PeekArchive(ctx context.Context, id string) (api.Detail, error)
	Why(ctx context.Context, id string, scope api.Scope) (api.Why, error)
	Aliases(ctx context.Context, id string) (api.Aliases, error)

	// File returns the bytes of a memory's file.
	File(ctx context.Context, id string) ([]byte, error)
	// Similar returns the active memories that say about the same as one, the most alike first.
	Similar(ctx context.Context, id string) ([]api.Similar, error)
	// Graph returns all linked memories of both shelves or, with an id, what a memory is connected with.
	Graph(ctx context.Context, id string) (api.Graph, error)

	// SetConfig changes a setting of this clone.
	SetConfig(ctx context.Context, key, value string) error
}

// Options of a [Site].
type Options struct {
	Memories   Memories
	Files      Files
	Packets    Packets
	Post       Post // nil: the page cannot send packets
	Candidates Candidates
	Stamp      func() string // differs after every change of what is shown; it is asked for often
	Person     func() bool   // reports whether there are memories of the person beside the project's

	// History returns at most limit events of a memory, the newest first.
	History func(ctx context.Context, id string, limit int) (api.Past, error)

	// Authors returns who wrote each memory of a scope's store and, if that is someone else, who changed it last, as
	// far as git knows.
	Authors func(context.Context, api.Scope) map[memory.ID][]string

	// Commits returns the commits since a time that changed memories of a scope's store, the newest first.
	Commits func(context.Context, api.Scope, time.Time) []Commit

	// Keeper returns what tells of the store of a scope, project or user.
	Keeper func(api.Scope) (Keeper, error)

	// Changer returns what changes that store, and ScopeOf in which of them a memory is.
	Changer func(api.Scope) (Changer, error)
	ScopeOf func(ctx context.Context, id string) api.Scope

	// Doctor checks how ltm is installed, for the store of a scope. If it is nil, the page does not offer it.
	Doctor func(context.Context, api.Scope) ([]Finding, error)

	// Prepare is called once, in the background, after the first view was answered: it gets ready what later ones need.
	// It may be nil.
	Prepare func()

	// Marker finds the words of a query in a text, as byte ranges. See [ltm/find.Marker].
	Marker func(query string, taken map[string][]string) func(text string) [][2]int

	Project    string           // the project's name
	Store      string           // tells the project from others with the same name, for what a browser keeps of it
	Version    string           // of the program
	Again      string           // what a person types to get a new link
	AllowHosts []string         // host names besides those of loopback
	Stop       func()           // ends the program
	Now        func() time.Time // the clock
	Zone       *time.Location   // of the machine; nil: UTC
	Log        *slog.Logger     // failures of the page itself
}

// Site is the page: an [http.Handler] behind its own wall.
type Site struct {
	options Options
	wall    *wall
	assets  assets
	live    *live
	pages   map[string]*template.Template // by the name of a view's file
	handler http.Handler

	notes   *notes
	pins    pins
	reviews reviews
	prepare func()
}

// New returns a site with a session of its own. It fails only without randomness.
func New(o Options) (*Site, error) {
	s := &Site{options: o, assets: newAssets(), live: newLive(o.Stamp), notes: newNotes(),
		pins:    pins{was: map[string]memory.Importance{}},
		prepare: func() {}}
	if o.Prepare != nil {
		s.prepare = sync.OnceFunc(func() { go o.Prepare() })
	}
	var err error
	if s.wall, err = newWall(o.AllowHosts, o.Now); err != nil {
		return nil, err
	}
	if s.pages, err = s.parse(); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/{name}", s.assets.serve)
	mux.HandleFunc("GET /enter", s.enter)
	mux.Handle("GET "+eventsPath, s.inside(http.HandlerFunc(s.events)))
	mux.HandleFunc("POST "+controlPath, s.giveLink)
	mux.HandleFunc("/", s.missing)
	for _, v := range views() {
		mux.Handle("GET "+v.path, s.inside(s.show(v)))
	}
	for _, f := range files() {
		mux.Handle("GET "+f.path, s.inside(s.send(f)))
	}
	for _, a := range actions() {
		mux.Handle("POST "+a.path, s.inside(s.carryOut(a)))
	}
	s.handler = s.wall.around(mux, s.refuse)
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Link returns the path and query of an address that lets in one visitor, once.
func (s *Site) Link() (string, error) {
	ticket, err := s.wall.ticket()
	return "enter?token=" + ticket, err
}

// Idle returns how long there has been no visitor. While a request is being answered, it is 0.
func (s *Site) Idle() time.Duration { return s.wall.idle() }

// everything is the scope of both shelves, as far as there are two.
func (s *Site) everything() api.Scope {
	if s.options.Person() {
		return api.ScopeAll
	}
	return api.ScopeProject
}

// scopes are those of the shelves that there are.
func (s *Site) scopes() []api.Scope {
	if s.options.Person() {
		return []api.Scope{api.ScopeProject, api.ScopeUser}
	}
	return []api.Scope{api.ScopeProject}
}

// frame is what every page's layout shows, around the data of its view.
type frame struct {
	Root     string // the relative address of the start page
	Title    string
	Project  string
	Store    string
	Version  string
	Style    string // addresses of assets, below Root
	Script   string
	Icon     string
	Here     string // the address of this view, below Root
	Stored   int    // the version of what is stored; 0: the page does not follow it
	Again    string // what a person types for a new link
	Bars     []doneBar
	Work     []work // what waited for a person when it was last counted
	InReview bool   // the view is one of Review
	Scope    api.Scope
	Nav      []navLink // empty: the visitor is not inside
	Data     any
}

type navLink struct {
	Name, Address string
	Here          bool
}

// frameOf returns the frame of a page that answers a request.
func (s *Site) frameOf(r *http.Request, title, here string, data any) frame {
	f := frame{Root: rootOf(r), Title: title, Style: s.assets.style, Script: s.assets.script,
		Icon: s.assets.icon, Data: data}
	if !s.wall.isInside(r) {
		return f
	}
	f.Project, f.Store, f.Version = s.options.Project, s.options.Store, s.options.Version
	f.Here, f.Bars = strings.TrimPrefix(r.URL.Path, "/")+with(r, "did", ""), s.barsOf(r)
	f.Again = s.options.Again
	f.Stored, _ = r.Context().Value(versionKey{}).(int)
	f.Work, f.Scope = s.workFor(r), api.ScopeProject
	if r.URL.Query().Get("scope") == string(api.ScopeUser) && r.URL.Path != candidatesPath {
		f.Scope = api.ScopeUser
	}
	name := navOf(r, here)
	f.InReview = name == reviewName && here != "review"
	for _, v := range views() {
		if v.nav != "" {
			f.Nav = append(f.Nav, navLink{Name: v.nav, Address: f.Root + addressOf(v.path), Here: v.nav == name})
		}
	}
	return f
}

// rootOf returns the relative address of the start page, as seen from the address of a request. All links are
// relative, so that the page works behind a proxy that adds a path.
func rootOf(r *http.Request) string {
	if n := strings.Count(r.URL.Path, "/"); n > 1 {
		return strings.Repeat("../", n-1)
	}
	return "./"
}

// render writes a page. It is buffered, so that a failure leaves no half of one.
func (s *Site) render(w http.ResponseWriter, status int, page string, f frame) {
	var out bytes.Buffer
	if err := s.pages[page].ExecuteTemplate(&out, "layout.html", f); err != nil {
		s.options.Log.Error("a page cannot be rendered", "page", page, "error", err)
		http.Error(w, "this page cannot be rendered", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // an error means that the visitor is gone
}

// message is the data of a page that says one thing.
type message struct {
	Text, Next string
	Back       string // the view that sent a form, below the start page; empty: the start page
}

func (s *Site) say(w http.ResponseWriter, r *http.Request, status int, title string, m message) {
	s.render(w, status, messagePage, s.frameOf(r, title, messagePage, m))
}

// fail shows an error.
func (s *Site) fail(w http.ResponseWriter, r *http.Request, err error, op advice.Operation) {
	status := statusOf(err)
	if status >= http.StatusInternalServerError {
		s.options.Log.Error("a request failed", "path", r.URL.Path, "error", err)
	}
	text, next := nextSteps().Split(err, op)
	s.say(w, r, status, titleOf(status), message{Text: text, Next: next, Back: backToRows(r, err)})
}

// statusOf maps the codes of errors to statuses of HTTP.
func statusOf(err error) int {
	var moved *refusal
	if errors.As(err, &moved) {
		return moved.status
	}
	switch memory.CodeOf(err) {
	case memory.CodeInvalid, memory.CodeSecret:
		return http.StatusUnprocessableEntity
	case memory.CodeNotFound:
		return http.StatusNotFound
	case memory.CodeConflict:
		return http.StatusConflict
	case memory.CodeBusy:
		return http.StatusServiceUnavailable
	case memory.CodeDenied:
		return http.StatusForbidden
	case memory.CodeRemote:
		return http.StatusBadGateway
	}
	return http.StatusInternalServerError
}

// titleOf returns the title of a page about a failure.
func titleOf(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Not found"
	case http.StatusUnprocessableEntity:
		return "That is not possible"
	case http.StatusConflict:
		return "It has changed meanwhile"
	case http.StatusServiceUnavailable:
		return "Busy"
	}
	return "Something went wrong"
}

func (s *Site) missing(w http.ResponseWriter, r *http.Request) {
	if !s.wall.isInside(r) {
		s.outside(w, r)
		return
	}
	s.say(w, r, http.StatusNotFound, "Not found", message{Text: "There is no such page."})
}

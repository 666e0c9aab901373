package page

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"ltm/memory/advice"
)

// view is a page that is read. Its address has everything that it shows: filters, order and selection are in the
// query.
type view struct {
	path string // a pattern of [http.ServeMux], without the method
	nav  string // its name in the navigation; empty: it is not there
	// under is the name in the navigation of the view to which it belongs.
	under string
	page  string // the file of its template in pages/, without ".html"

	// load returns the page's title and data.
	load func(context.Context, *Site, *http.Request) (title string, data any, err error)

	// still reports whether the page does not follow what is stored, as making it again costs too much. nil: never.
	still func(*http.Request) bool
}

// views lists the pages, in the order of the navigation.
func views() []view {
	return []view{
		nextView(),
		memoriesView(),
		memoryView(),
		sourceView(),
		fadingView(),
		graphView(),
		timeView(),
		packetsView(),
		packetView(),
		reviewView(),
		trustView(),
		conflictsView(),
		staleView(),
		tidyView(),
		candidatesView(),
		candidateView(),
		healthView(),
		editView(),
		newView(),
		wordsView(),
	}
}

// navOf returns the name in the navigation of what a request is answered with.
func navOf(r *http.Request, page string) string {
	name := ""
	for _, v := range views() {
		switch {
		case v.path == r.URL.Path || v.path == "/{$}" && r.URL.Path == "/":
			return cmp.Or(v.nav, v.under)
		case v.page == page && name == "":
			name = cmp.Or(v.nav, v.under)
		}
	}
	return name
}

// file is an answer that is not a page.
type file struct {
	path string
	load func(context.Context, *Site, *http.Request) (contentType string, data []byte, err error)
}

// files lists the answers that are not pages.
func files() []file { return []file{rawFile()} }

// action changes something. The wall has made sure that the visitor's own page asks for it.
type action struct {
	path string

	do func(context.Context, *Site, *http.Request) (reply, error)
}

// reply is what follows an action: another view, or a page that shows what was typed again.
type reply struct {
	next string // the address of a view, relative to the start page

	page   string // the file of a template; empty: go to next
	title  string
	status int
	data   any
	last   bool // the program ends, so that no link leads anywhere
}

// actions lists what can be changed.
func actions() []action {
	return []action{stopAction(), settingsAction(), changeAction(), undoAction(), fixAction(), editAction(),
		newAction(), candidatesAction(), packetsAction()}
}

// maxForm is the size limit of what an action is sent, in bytes.
const maxForm = 1 << 20

func (s *Site) show(v view) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		title, data, err := v.load(r.Context(), s, r)
		if err != nil {
			s.fail(w, r, err, advice.Reading)
			return
		}
		f := s.frameOf(r, title, v.page, data)
		if v.still != nil && v.still(r) {
			f.Stored = 0
		}
		s.render(w, http.StatusOK, v.page, f)
		s.prepare()
	}
}

func (s *Site) send(f file) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		contentType, data, err := f.load(r.Context(), s, r)
		if err != nil {
			s.fail(w, r, err, advice.Reading)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(data) // an error means that the visitor is gone
	}
}

func (s *Site) carryOut(a action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err != nil {
			status, large := http.StatusBadRequest, new(http.MaxBytesError)
			if errors.As(err, &large) {
				status = http.StatusRequestEntityTooLarge
			}
			s.fail(w, r, &refusal{status, "the form cannot be read: " + err.Error()}, advice.Writing)
			return
		}
		out, err := a.do(r.Context(), s, r)
		switch {
		case err != nil:
			s.fail(w, r, err, advice.Writing)
			return
		case out.page != "":
			f := s.frameOf(r, out.title, out.page, out.data)
			f.Stored = 0 // the same address, asked for again, would not have what was typed
			if out.last {
				f.Nav = nil
			}
			s.render(w, out.status, out.page, f)
			return
		}
		w.Header().Set("Location", rootOf(r)+out.next)
		w.WriteHeader(http.StatusSeeOther)
	}
}

// addressOf returns the address of a page relative to the start page.
func addressOf(path string) string { return strings.TrimSuffix(strings.TrimPrefix(path, "/"), "{$}") }

// selected is the value in an address that says which rows are selected. The script sets and reads it.
const selected = "selected"

// with returns the query of a request with some values set, or removed where they are empty. It does not have what is
// selected, which is of one page.
func with(r *http.Request, pairs ...string) string {
	q := url.Values{}
	for key, values := range r.URL.Query() {
		if key != selected {
			q[key] = values
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if q.Del(pairs[i]); pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return "?" + q.Encode()
}

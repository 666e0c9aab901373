package server

import (
	"net/http"
	"time"
)

// access says who may call a route.
type access int

const (
	noAccess  access = iota // the zero value: a route without a policy is refused
	open                    // anyone
	maybeUser               // anyone, but a token that is given must be valid
	users                   // who has a valid token
	apps                    // an application with its key, or a user of it
	people                  // who is signed in on the pages as a person
	operators               // who is signed in there with the key of an application
	scrapers                // from where metrics may be read
)

// policy says what a route lets in.
type policy struct {
	Access access
	Body   int64         // the largest body, in bytes; 0: a body is ignored
	Once   bool          // takes an Idempotency-Key
	OwnKey bool          // takes one, and the handler knows what it means
	Empty  bool          // the body must not have a field: a user_id in it would be ignored
	Stream bool          // the handler reads the body
	Time   time.Duration // for the answer; 0: that of most

	// Query lists the parameters; others are refused, because a filter that is misspelled must not
	// select everything.
	Query []string
}

// The largest bodies. That of a packet is what the reference implementation reads, so that the error
// can say how large the packet is.
const (
	bodyPacket = 33_792
	bodyTeam   = 4096
	bodyAccept = 1024
	bodyForm   = 4096
)

// The time limits. Together they are less than 30 s: a database that does not answer costs no more.
const (
	headerTime = 5 * time.Second  // to send the header
	bodyTime   = 10 * time.Second // to send the body
	answerTime = 15 * time.Second // for the database
	writeTime  = 30 * time.Second // from the header to the end of the answer
	idleTime   = 2 * time.Minute  // between requests
	readyTime  = 2 * time.Second  // for the database to say that it is there
)

// router is a mux that knows the policy of every route.
type router struct {
	*http.ServeMux
	policies map[string]policy
}

// HandleFunc is for huma. A route gets its policy from [handleWhole].
func (r *router) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	r.ServeMux.HandleFunc(pattern, h)
	if _, declared := r.policies[pattern]; !declared {
		r.policies[pattern] = policy{}
	}
}

// page registers a route beside the description.
func (r *router) page(pattern string, p policy, h func(http.ResponseWriter, *http.Request, *call)) {
	r.policies[pattern] = p
	r.ServeMux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) { h(w, req, callOf(req.Context())) })
}

// find returns the pattern of a request's route, or the problem of there being none.
func (r *router) find(req *http.Request) (pattern string, p *Problem) {
	h, pattern := r.Handler(req)
	if pattern != "" {
		return pattern, nil
	}
	found := &recorder{fields: http.Header{}}
	h.ServeHTTP(found, req)
	if found.status == http.StatusMethodNotAllowed {
		p = problem(kindMethod, "method not allowed; allowed are %s", found.fields.Get("Allow"))
		p.header.Set("Allow", found.fields.Get("Allow"))
		return "", p
	}
	return "", problem(kindNotFound, "page not found")
}

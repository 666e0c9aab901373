package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"ltm/server/conversation/client"
	"ltm/server/conversation/mcp"
)

// mcpPath is where models reach the memory of a user, in place of a program on their machine.
const mcpPath = "/mcp"

// mcpOverHTTP answers the Model Context Protocol (its streamable HTTP) beside the routes of a server. It keeps no
// sessions, so that any of several servers can answer. The user is in the address, /mcp?user=ann, and the application's
// key in X-API-Key or as a bearer token; with a key in X-API-Key, the bearer token is the user's own. What a tool asks
// goes through the routes with these, in this process: it may do what they may do, and counts for the same limits.
type mcpOverHTTP struct {
	routes http.Handler
	origin *http.CrossOriginProtection // pages of other origins must not use what a browser can reach
}

func (m *mcpOverHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != mcpPath {
		m.routes.ServeHTTP(w, r)
		return
	}
	if err := m.origin.Check(r); err != nil {
		refuse(w, &client.Error{Status: http.StatusForbidden, Detail: "a page of another origin may not ask this"})
		return
	}
	user := r.URL.Query().Get("user")
	if user == "" {
		refuse(w, &client.Error{Status: http.StatusBadRequest, Detail: "the address names no user: /mcp?user=ann"})
		return
	}
	key, bearer := r.Header.Get("X-Api-Key"), ""
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		bearer = strings.TrimSpace(token)
	}
	if key == "" {
		key, bearer = bearer, ""
	}
	if key == "" {
		refuse(w, &client.Error{Status: http.StatusUnauthorized, Detail: "a key of an application is needed"})
		return
	}
	memory, err := client.New(client.Options{URL: "http://localhost", Key: key, UserToken: bearer, Attempts: 1,
		HTTP: inProcess{m.routes, r}})
	if err == nil {
		_, _, err = memory.Threads(r.Context(), user, "") // the key lets in, and the user is who the token says
	}
	if err != nil {
		refuse(w, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mcp.MaxMessage)
	mcp.Handler(memory, mcp.Options{Version: version, User: user}).ServeHTTP(w, r)
}

// refuse answers with a problem, as the routes do.
func refuse(w http.ResponseWriter, err error) {
	said := &client.Error{Status: http.StatusUnauthorized, Detail: err.Error()} // such as a key with blanks
	errors.As(err, &said)
	if said.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if said.After > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(said.After.Seconds())))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(said.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{"status": said.Status, "detail": said.Detail, "error": said.Detail})
}

// inProcess sends requests to a handler on behalf of another request.
type inProcess struct {
	handler http.Handler
	behalf  *http.Request
}

// RoundTrip implements [http.RoundTripper].
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.RemoteAddr, r.TLS, r.RequestURI = p.behalf.RemoteAddr, p.behalf.TLS, r.URL.RequestURI()
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip"} {
		r.Header[name] = p.behalf.Header[name]
	}
	answer := &recorded{status: http.StatusOK, header: http.Header{}}
	p.handler.ServeHTTP(answer, r)
	return &http.Response{StatusCode: answer.status, Header: answer.header, Body: io.NopCloser(&answer.body),
		Request: r}, nil
}

// recorded is an answer that is kept.
type recorded struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header         { return r.header }
func (r *recorded) WriteHeader(status int)      { r.status = status }
func (r *recorded) Write(b []byte) (int, error) { return r.body.Write(b) }

package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"ltm/packet"
)

// Server answers requests. It is safe for concurrent use.
type Server struct {
	opts    Options
	store   Storage
	ids     *packet.IDs
	router  *router
	api     huma.API
	metrics *metrics

	tokens    *limiter
	addresses *limiter
	failures  *limiter // wrong tokens, keys and codes of devices, by address
	invites   *limiter // wrong codes of invites, by address
	devices   *limiter // requests of devices, by address
	codes     *limiter // wrong codes of devices, by user
	keys      *limiter // requests of applications, by key
	users     *limiter // and by user
	sharedKey []byte   // that all servers have; empty if none was given
	owners    owners
	issuers   *issuers
	imports   chan struct{} // a place for each import or export that runs

	prefix  string // of paths in links: that of the external URL
	pages   *pages
	origins *http.CrossOriginProtection

	draining atomic.Bool
}

// New returns a server.
func New(o Options) (*Server, error) {
	sharedKey := o.SessionKey
	o, err := o.defaults()
	if err != nil {
		return nil, err
	}
	shared := o.Limits != nil
	s := &Server{opts: o, sharedKey: sharedKey, store: o.Storage, ids: packet.NewIDs(o.Now, o.Random),
		router:    &router{ServeMux: http.NewServeMux(), policies: map[string]policy{}},
		tokens:    newLimiter(o.TokenRate, maxLimited, shared),
		addresses: newLimiter(o.AddressRate, maxLimited, shared),
		failures:  newLimiter(o.FailureRate, maxLimited, shared),
		invites:   newLimiter(o.FailureRate, maxLimited, shared),
		devices:   newLimiter(Rate{0.1, 20}, maxLimited, shared),
		codes:     newLimiter(Rate{1.0 / 60, 5}, maxLimited, shared),
		origins:   http.NewCrossOriginProtection(),
		keys:      newLimiter(o.KeyRate, maxLimited, shared),
		users:     newLimiter(o.UserRate, maxLimited, shared),
		owners:    owners{of: map[[2]string]string{}},
		issuers:   newIssuers(o.Now),
		imports:   make(chan struct{}, maxTransfers),
	}
	if err := s.goExternal(); err != nil {
		return nil, err
	}
	if s.pages, err = newPages(); err != nil {
		return nil, err
	}
	s.metrics = newMetrics(s)
	s.api = humago.New(s.router, s.config())
	s.registerPackets()
	s.registerTeams()
	s.registerInvites()
	s.registerPeople()
	s.registerHealth()
	s.registerDevices()
	if o.Memory != nil {
		s.registerMemory()
	}
	s.registerUI()
	if err := s.registerDocs(); err != nil {
		return nil, err
	}
	return s, nil
}

// goExternal prepares for a proxy that has another address than this server, and maybe a path.
func (s *Server) goExternal() error {
	if s.opts.ExternalURL == "" {
		return nil
	}
	u, err := url.Parse(s.opts.ExternalURL)
	if err != nil {
		return err
	}
	s.prefix = strings.TrimRight(u.EscapedPath(), "/")
	return s.origins.AddTrustedOrigin(u.Scheme + "://" + u.Host)
}

// config returns the part of the API's description that does not concern one route.
func (s *Server) config() huma.Config {
	format := huma.Format{Marshal: writeJSON, Unmarshal: json.Unmarshal}
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:       "ltm-server",
				Version:     s.opts.Version,
				Description: apiDescription,
			},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", schemaName),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer", Description: "A token of the server."},
					"key": {Type: "apiKey", In: "header", Name: "X-API-Key",
						Description: "A key of an application."},
					"bearerKey": {Type: "http", Scheme: "bearer", Description: "The same key."},
					"user": {Type: "http", Scheme: "bearer",
						Description: "Of an application with an issuer: a JWT of its user."},
				},
			},
		},
		Formats:       map[string]huma.Format{"application/json": format, "json": format},
		DefaultFormat: "application/json",
		// huma's own errors get our form.
		Transformers: []huma.Transformer{func(_ huma.Context, _ string, v any) (any, error) {
			if e, ok := v.(*huma.ErrorModel); ok {
				p := problem(kindRequest, "%s", e.Detail)
				p.Status = e.Status
				return p, nil
			}
			return v, nil
		}},
	}
}

// schemaName names a schema after its type.
func schemaName(t reflect.Type, hint string) string {
	name := strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "Doc")
	if strings.HasSuffix(name, "Answer") {
		name += "Body"
	}
	return name
}

// route declares a route.
type route struct {
	Pattern string // "GET /v1/…"
	ID      string // of the operation
	Tag     string // of the group in the description
	Summary string
	Text    string
	Status  int    // on success; 0: 200, or 204 without a body
	Access  access // who may
	Errors  []kind // besides those that every route of its kind may have
	Once    bool
	OwnKey  bool // the handler knows what an Idempotency-Key means

	MaxBody int64
	Stream  bool          // the handler reads the body
	Time    time.Duration // for the answer, if it is more than others have
	Body    any           // a value of the body's type, for the description; nil: none
	Form    bool          // the body is a form and not JSON
	Maybe   bool          // the body may be left out
	Answer  any           // a value of the answer's type, if it is not that of the output's Body
	Media   []string      // the types of an answer that is not JSON
}

// handle registers a route whose answer is the body alone, as JSON.
func handle[I, O any](s *Server, rt route, h func(context.Context, *call, *I) (*O, error)) {
	type answer struct{ Body *O }
	handleWhole(s, rt, func(ctx context.Context, c *call, in *I) (*answer, error) {
		body, err := h(ctx, c, in)
		return &answer{body}, err
	})
}

// handleWhole registers a route whose answer has headers beside its Body, or no body. Parameters are texts and are
// checked by the handlers: huma answers bad ones with 422, the protocol with 400.
func handleWhole[I, O any](s *Server, rt route, h func(context.Context, *call, *I) (*O, error)) {
	method, path, _ := strings.Cut(rt.Pattern, " ")
	takes := rt.Access == apps && method != http.MethodGet
	empty := takes && rt.MaxBody == 0
	if empty {
		rt.MaxBody = bodyThread
	}
	if takes && !rt.Stream {
		rt.Errors = append(rt.Errors, kindInvalid, kindLarge)
	}
	op := huma.Operation{OperationID: rt.ID, Method: method, Path: path, Summary: rt.Summary,
		Description: rt.Text, Tags: []string{rt.Tag}, DefaultStatus: rt.Status, SkipValidateParams: true,
		Responses: s.responses(rt)}
	switch rt.Access {
	case users:
		op.Security = []map[string][]string{{"token": {}}}
	case maybeUser:
		op.Security = []map[string][]string{{"token": {}}, {}}
	case apps:
		op.Security = []map[string][]string{{"key": {}}, {"bearerKey": {}}, {"key": {}, "user": {}}}
	}
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		out, err := h(ctx, c, in)
		if err != nil {
			return nil, c.failed(err)
		}
		return out, nil
	})
	documented := operationOf(s.api.OpenAPI().Paths[path], method)
	p := policy{Access: rt.Access, Body: rt.MaxBody, Once: rt.Once, OwnKey: rt.OwnKey, Empty: empty,
		Stream: rt.Stream, Time: rt.Time}
	for _, param := range documented.Parameters {
		if param.In == "query" {
			p.Query = append(p.Query, param.Name)
		}
	}
	if rt.Once || rt.OwnKey {
		documented.Parameters = append(documented.Parameters, idempotencyParam())
	}
	documented.RequestBody = s.requestBody(rt)
	s.router.policies[rt.Pattern] = p
}

// operationOf returns the description of a route.
func operationOf(item *huma.PathItem, method string) *huma.Operation {
	switch method {
	case http.MethodGet:
		return item.Get
	case http.MethodPost:
		return item.Post
	case http.MethodPatch:
		return item.Patch
	case http.MethodDelete:
		return item.Delete
	}
	panic("no route has the method " + method)
}

// schema returns the schema of a value's type.
func (s *Server) schema(v any, hint string) *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, hint)
}

// newID returns a ULID.
func (s *Server) newID() (string, error) {
	id, err := s.ids.New()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id, nil
}

// Drain makes /readyz say that this server is about to stop, so that no new requests are sent here.
func (s *Server) Drain() { s.draining.Store(true) }

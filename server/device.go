package server

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"time"

	"ltm/text/safe"
)

// The device flow (RFC 8628) lets a program in without a token being typed: it shows a code, which a
// person who is signed in approves on the page /device.
const (
	deviceLife     = 10 * time.Minute
	deviceInterval = 5 * time.Second
	deviceGrant    = "urn:ietf:params:oauth:grant-type:device_code"
	deviceEarly    = time.Second // how much too early a question may come, for networks
	deviceTries    = 5           // to find a code that no other device waits under
)

// What a device is told until it is approved.
const (
	codePending = "authorization_pending"
	codeSlow    = "slow_down"
)

func (s *Server) registerDevices() {
	handle(s, route{Pattern: "POST /oauth/authorize_device", ID: "authorize-device", Tag: "device flow", Access: open,
		MaxBody: bodyForm, Body: authorizeForm{}, Form: true, Errors: []kind{kindOAuth, kindLarge},
		Summary: "Ask to be let in (RFC 8628, section 3.1)"}, s.authorizeDevice)
	handle(s, route{Pattern: "POST /oauth/token", ID: "device-token", Tag: "device flow", Access: open,
		MaxBody: bodyForm, Body: tokenForm{}, Form: true, Errors: []kind{kindOAuth, kindLarge, kindQuota},
		Summary: "Ask whether that was approved (RFC 8628, section 3.4)",
		Text: "Until it is: authorization_pending, or slow_down if asked too often. At the end: access_denied, " +
			"expired_token, or the token."}, s.deviceToken)
	s.router.page("GET "+devicePattern, policy{Access: open, Query: []string{"user_code"}}, s.devicePage)
	s.router.page("POST "+devicePattern, policy{Access: open, Body: bodyForm}, s.deviceForm)
}

type authorizeForm struct {
	ClientID string `json:"client_id" doc:"What the program calls itself; shown to whoever approves."`
	Scope    string `json:"scope,omitempty" doc:"Ignored: a token may do what its user may."`
}

type authorizeAnswer struct {
	DeviceCode              string `json:"device_code"`
	ExpiresIn               int    `json:"expires_in" doc:"Seconds."`
	Interval                int    `json:"interval" doc:"Seconds between two questions."`
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"`
	VerificationURIComplete string `json:"verification_uri_complete"`
}

// form returns the fields of a body that is a form. None may be given twice.
func (c *call) form() (map[string]string, error) {
	values, err := url.ParseQuery(string(c.body))
	if err != nil {
		return nil, oauth("invalid_request", "the body is not a form")
	}
	fields := map[string]string{}
	for name, given := range values {
		if len(given) > 1 {
			return nil, oauth("invalid_request", "a field is given more than once")
		}
		fields[name] = given[0]
	}
	return fields, nil
}

// oauth returns an error of the device flow.
func oauth(code, detail string) *Problem {
	p := problem(kindOAuth, "%s", detail)
	p.Message = code
	return p
}

func (s *Server) authorizeDevice(ctx context.Context, c *call, _ *struct{}) (*authorizeAnswer, error) {
	form, err := c.form()
	if err != nil {
		return nil, err
	}
	if c.client.base == "" {
		return nil, oauth("invalid_request", "the Host of the request cannot be a part of a link")
	}
	d, code, err := s.askForDevice(ctx, c, form["client_id"])
	if err != nil {
		return nil, err
	}
	var out authorizeAnswer
	page := c.client.base + "/device"
	out.DeviceCode, out.UserCode = code, ShowUserCode(d.UserCode)
	out.ExpiresIn, out.Interval = int(deviceLife/time.Second), int(deviceInterval/time.Second)
	out.VerificationURI = page
	out.VerificationURIComplete = page + "?user_code=" + out.UserCode
	return &out, nil
}

// askForDevice makes a device that waits to be approved, and the code that it asks with.
func (s *Server) askForDevice(ctx context.Context, c *call, name string) (d Device, code string, err error) {
	now := s.opts.Now().UTC()
	if wait, ok := s.devices.take(limitKey(c.client.addr), now); !ok {
		return d, "", problem(kindRate, "too many requests of devices from your address").retry(wait)
	}
	d = Device{Name: safe.ClipLine(name, maxQuoted), CreatedAt: now, ExpiresAt: now.Add(deviceLife)}
	if strings.TrimSpace(d.Name) == "" {
		return d, "", oauth("invalid_request", "client_id is missing")
	}
	if code, err = newCode(s.opts.Random, deviceBytes, base64.RawURLEncoding.EncodeToString); err != nil {
		return d, "", err
	}
	d.Hash = Hash(code)
	return d, code, s.addDevice(ctx, &d)
}

// addDevice stores a device under a code that no other waits under.
func (s *Server) addDevice(ctx context.Context, d *Device) (err error) {
	for range deviceTries {
		if d.ID, err = s.newID(); err != nil {
			return err
		}
		if d.UserCode, err = pick(s.opts.Random, userCodeDigits, userCodeChars); err != nil {
			return err
		}
		if err = s.store.CreateDevice(ctx, *d); !errors.Is(err, ErrTaken) {
			return err
		}
	}
	return err
}

type tokenForm struct {
	GrantType  string `json:"grant_type" enum:"urn:ietf:params:oauth:grant-type:device_code"`
	DeviceCode string `json:"device_code"`
	ClientID   string `json:"client_id,omitempty"`
}

type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in,omitempty" doc:"Seconds. Absent: the token does not expire."`
	TokenType   string `json:"token_type"`
}

func (s *Server) deviceToken(ctx context.Context, c *call, _ *struct{}) (*tokenAnswer, error) {
	form, err := c.form()
	switch {
	case err != nil:
		return nil, err
	case form["grant_type"] != deviceGrant:
		return nil, oauth("unsupported_grant_type", "grant_type must be "+deviceGrant)
	case form["device_code"] == "":
		return nil, oauth("invalid_request", "device_code is missing")
	}
	t, token, err := s.newToken("", "device")
	if err != nil {
		return nil, err
	}
	if err := s.takeDevice(ctx, c, form["device_code"], *t); err != nil {
		return nil, err
	}
	out := tokenAnswer{AccessToken: token, TokenType: "Bearer"}
	if !t.ExpiresAt.IsZero() {
		out.ExpiresIn = int(t.ExpiresAt.Sub(s.opts.Now().UTC()) / time.Second)
	}
	return &out, nil
}

// takeDevice gives the user who approved a device a token. Until someone did, the error is one of the device flow.
func (s *Server) takeDevice(ctx context.Context, c *call, code string, t Token) error {
	now := s.opts.Now().UTC()
	d, err := s.store.TakeDevice(ctx, Hash(code), t, s.opts.MaxTokens, now)
	switch {
	case errors.Is(err, ErrPending):
		if !d.PolledAt.IsZero() && now.Sub(d.PolledAt) < deviceInterval-deviceEarly {
			return oauth(codeSlow, "ask less often")
		}
		return oauth(codePending, "this is not approved yet")
	case errors.Is(err, ErrDenied):
		return oauth("access_denied", "this was denied")
	case errors.Is(err, ErrNotFound):
		return s.missed(c, s.failures, "device", oauth("expired_token", "this code expired, was used or never was one"))
	case errors.Is(err, ErrGone):
		return oauth("expired_token", "this code expired, was used or never was one")
	}
	return err
}

package page

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"regexp"
	"strings"
)

const (
	// controlPath is where another process of the same person gets a new link. It is not for browsers.
	controlPath = "/control/link"
	// controlScheme begins the header of a request there: a nonce and the proof for it follow.
	controlScheme = "Ltm-Control "
	// controlProof is the header with the proof of the answer.
	controlProof = "Ltm-Proof"
	// maxLink is the size limit of an answer, in bytes.
	maxLink = 512
)

// linkForm is a link as [Site.Link] makes it.
var linkForm = regexp.MustCompile(`^enter\?token=[\w-]{43}$`)

// Control returns the secret by which [AskForLink] gets a new link.
func (s *Site) Control() string { return s.wall.control }

// AskForLink returns a new link of the page at an address that ends with a slash, or "" if it cannot get one.
// Any program may listen there once the page was killed. So both sides prove that they know the secret, for a nonce of
// this request, and the secret itself is not sent.
func AskForLink(ctx context.Context, client *http.Client, address, control string) string {
	nonce, err := secret(32)
	if err != nil || control == "" {
		return ""
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(address, "/")+controlPath, nil)
	if err != nil {
		return ""
	}
	r.Header.Set("Authorization", controlScheme+nonce+" "+prove(control, "ask", nonce, ""))
	answer, err := client.Do(r)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxLink))
	link := string(data)
	if err != nil || answer.StatusCode != http.StatusOK || !linkForm.MatchString(link) ||
		!hmac.Equal([]byte(answer.Header.Get(controlProof)), []byte(prove(control, "answer", nonce, link))) {
		return ""
	}
	return link
}

// prove returns the proof that a side knows the secret. No proof of one side is one of the other.
func prove(control, side, nonce, link string) string {
	mac := hmac.New(sha256.New, []byte(control))
	_, _ = io.WriteString(mac, strings.Join([]string{side, nonce, link}, "\n")) // a hash takes everything
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// nonceOf returns the nonce of a request that proves to know the secret, or "".
func (w *wall) nonceOf(r *http.Request) string {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), controlScheme)
	nonce, proof, _ := strings.Cut(given, " ")
	if !ok || !hmac.Equal([]byte(proof), []byte(prove(w.control, "ask", nonce, ""))) {
		return ""
	}
	return nonce
}

// controls returns why a process gets no link, or nil.
func (w *wall) controls(r *http.Request) *refusal {
	fromBrowser := r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if r.Method != http.MethodPost || fromBrowser || w.nonceOf(r) == "" {
		return &refusal{http.StatusForbidden, "this is for the program that started the page"}
	}
	return nil
}

func (s *Site) giveLink(w http.ResponseWriter, r *http.Request) {
	link, err := s.Link()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set(controlProof, prove(s.wall.control, "answer", s.wall.nonceOf(r), link))
	_, _ = w.Write([]byte(link)) // an error means that the other process is gone
}

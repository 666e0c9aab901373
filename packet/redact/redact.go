package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/packet"
	"ltm/text/secrets"
)

// Label names what was found. The first nine are those of the protocol's reference implementation.
type Label string

// The labels.
const (
	AbsPath      Label = "abs-path"       // a path of a machine: /home/…, C:\…
	AWSKey       Label = "aws-key"        // the id of an AWS key
	GitHubToken  Label = "gh-token"       // ghp_…, gho_…, ghu_…, ghs_…, ghr_…
	JWT          Label = "jwt"            // eyJ… in three parts
	PrivateKey   Label = "private-key"    // the header of a PEM block
	GoogleKey    Label = "google-api-key" // AIza…
	SlackToken   Label = "slack-token"    // xoxb-…
	StripeKey    Label = "stripe-key"     // sk_live_…, whsec_…
	SSHPublicKey Label = "ssh-public-key" // ssh-rsa AAAA…
	Credential   Label = "credential"     // what package secrets knows besides
)

// Finding is something in a text that must not be sent.
type Finding struct {
	Path  string // JSON pointer into the packet, such as "/decisions/0/why"
	Label Label
	Kind  string // for people, such as "AWS key" or "password in a URL"
	Match string // its first characters, at most 6, and its length: "AKIA… (20 characters)"
}

// String returns a line for people, such as "/goal: AWS key, AKIA… (20 characters)".
func (f Finding) String() string { return fmt.Sprintf("%s: %s, %s", f.Path, f.Kind, f.Match) }

// IsPath reports whether a finding is a path and not a credential.
func (f Finding) IsPath() bool { return f.Label == AbsPath }

// Check returns all findings in the texts of a packet, in the packet's order. p may be illegal.
func Check(p *packet.Packet) []Finding {
	var all []Finding
	for _, text := range p.Texts() {
		found := Text(text.Value)
		if len(found) == 0 && isName(text.Path) {
			// Names and tags have small letters only, which hides keys of capitals.
			found = Text(strings.ToUpper(text.Value))
		}
		if len(found) == 0 && text.Path == "/project/ref" && isLocal(text.Value) {
			found = []Finding{finding(AbsPath, 0, text.Value)}
		}
		for _, f := range found {
			f.Path = text.Path
			all = append(all, f)
		}
	}
	return all
}

// Text returns all findings in a text, in its order. Their Path is empty.
func Text(s string) []Finding {
	found := search(s)
	if plain := unmask(s); plain != s {
		if more := search(plain); len(more) > len(found) {
			return more
		}
	}
	return found
}

// isName reports whether a place is that of a tag or a method's name.
func isName(path string) bool {
	return strings.HasPrefix(path, "/tags/") || strings.HasPrefix(path, "/methods/") && strings.HasSuffix(path, "/name")
}

// isLocal reports whether the reference to a project is a path and not a repository or URL.
func isLocal(ref string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(strings.ToLower(ref), prefix) }
	return ref == "." || ref == ".." ||
		slices.ContainsFunc([]string{"/", "~", "./", "../", `\`, `.\`, `..\`, "file:"}, begins)
}

// place is a finding and where it is in its text.
type place struct {
	Finding
	start, end int
}

// search returns the findings in a text, as it is.
func search(s string) []Finding {
	var found []Finding
	for _, p := range places(s) {
		found = append(found, p.Finding)
	}
	return found
}

// places is search, with where the findings are.
func places(s string) []place {
	var all []place
	for _, p := range patterns() {
		for _, m := range p.expr.FindAllStringSubmatchIndex(s, -1) {
			start, end := m[2*p.group], m[2*p.group+1]
			all = append(all, place{finding(p.label, p.shown, s[start:end]), start, end})
		}
	}
	for _, f := range secrets.Find(s) {
		overlaps := func(p place) bool { return p.start < f.End && f.Start < p.end }
		if i := slices.IndexFunc(all, func(p place) bool { return overlaps(p) && !p.IsPath() }); i >= 0 {
			all[i].start, all[i].end = min(all[i].start, f.Start), max(all[i].end, f.End) // it is only a part of it
			continue
		}
		found := finding(Credential, 0, s[f.Start:f.End])
		found.Kind = f.Kind
		all = append(all, place{found, f.Start, f.End})
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.start, b.start) })
	return all
}

// finding returns a finding that shows the first characters of a match: those that every such credential begins with.
func finding(label Label, shown int, match string) Finding {
	return Finding{Label: label, Kind: kinds()[label],
		Match: fmt.Sprintf("%s… (%d characters)", match[:shown], utf8.RuneCountInString(match))}
}

func kinds() map[Label]string {
	return map[Label]string{AbsPath: "path of a machine", AWSKey: "AWS key", GitHubToken: "GitHub token",
		JWT: "web token", PrivateKey: "private key", GoogleKey: "Google key", SlackToken: "Slack token",
		StripeKey: "Stripe key", SSHPublicKey: "SSH key"}
}

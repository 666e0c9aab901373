package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// token is recognized as a credential in every text, even in lower case as in tags.
func token() string { return "ghp_" + "q7tz0alk93vbxc5rmn2y" + "w8sdf6gh1jp4ue0o" }

// TestEveryTextIsScreened writes a credential into every text that every operation takes.
func TestEveryTextIsScreened(t *testing.T) {
	clean := api.Draft{Topic: "Deploys", Content: "They run at noon."}
	for name, write := range map[string]func(f *fixture, secret string, redact bool) error{
		"topic of a new memory": func(f *fixture, secret string, redact bool) error {
			_, err := f.Remember(f.ctx, api.Draft{Topic: "Uses " + secret, Content: "c", Redact: redact})
			return err
		},
		"content of a new memory": func(f *fixture, secret string, redact bool) error {
			_, err := f.Remember(f.ctx, api.Draft{Topic: "Deploys", Content: "Uses " + secret, Redact: redact})
			return err
		},
		"summary of a new memory": func(f *fixture, secret string, redact bool) error {
			_, err := f.Remember(f.ctx, api.Draft{Topic: "Deploys", Content: "c", Summary: "Uses " + secret,
				Redact: redact})
			return err
		},
		"tag of a new memory": func(f *fixture, secret string, redact bool) error {
			_, err := f.Remember(f.ctx, api.Draft{Topic: "Deploys", Content: "c", Tags: []string{"ci", secret},
				Redact: redact})
			return err
		},
		"topic of an update": func(f *fixture, secret string, redact bool) error {
			topic := "Uses " + secret
			return f.patch(clean, api.Patch{Topic: &topic, Redact: redact})
		},
		"content of an update": func(f *fixture, secret string, redact bool) error {
			content := "Uses " + secret
			return f.patch(clean, api.Patch{Content: &content, Redact: redact})
		},
		"what is appended": func(f *fixture, secret string, redact bool) error {
			text := "Uses " + secret
			return f.patch(clean, api.Patch{Append: &text, Redact: redact})
		},
		"summary of an update": func(f *fixture, secret string, redact bool) error {
			summary := "Uses " + secret
			return f.patch(clean, api.Patch{Summary: &summary, Redact: redact})
		},
		"tags that are added": func(f *fixture, secret string, redact bool) error {
			return f.patch(clean, api.Patch{AddTags: []string{secret, "ci"}, Redact: redact})
		},
		"tags of an update": func(f *fixture, secret string, redact bool) error {
			return f.patch(clean, api.Patch{Tags: &[]string{secret, "ci"}, Redact: redact})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, secret := range []string{token(), "AKIA" + "QX3T5Z7W2N4M6P8R"} {
				f := newEngine(t)
				err := write(f, secret, false)
				require.Equal(t, memory.CodeSecret, codeOf(err), err)
				require.NotContains(t, strings.ToLower(err.Error()), strings.ToLower(secret))
				require.NotContains(t, f.everything(), strings.ToLower(secret))

				f = newEngine(t)
				require.NoError(t, write(f, secret, true))
				require.NotContains(t, f.everything(), strings.ToLower(secret))
				require.Contains(t, f.everything(), "[redacted]")
			}
		})
	}
}

func TestSettingsAreScreened(t *testing.T) {
	f := newEngine(t)
	for _, layer := range []settings.Source{settings.Team, settings.Clone} {
		_, err := f.SetConfig(f.ctx, "difficulty_weights", token(), layer)
		require.Equal(t, memory.CodeSecret, codeOf(err), err)
		require.NotContains(t, err.Error(), token())
	}
}

func TestEditsAreScreened(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Deploys", "They run at noon.", 0.5)
	_, before, err := f.File(f.ctx, string(id))
	require.NoError(t, err)
	after := strings.Replace(string(before), "\ntags:", "\nowner: "+token()+"\ntags:", 1)
	require.NotEqual(t, string(before), after)
	_, err = f.EditFile(f.ctx, id, before, []byte(after))
	require.Equal(t, memory.CodeSecret, codeOf(err), err)
}

// A credential from before the gate knew its form must not keep a memory from
// being tagged; what is written now is still looked at.
func TestOldCredentialsStayOpenToChange(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Deploys", "The token is gho_0000.", 0.5)
	file := filepath.Join(f.dir, "memories", string(id)+".md")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(data), "gho_0000", token())), 0o600))

	_, err = f.Update(f.ctx, string(id), api.Patch{Tags: &[]string{"ci"}})
	require.NoError(t, err)
	content := "The token was " + token()
	_, err = f.Update(f.ctx, string(id), api.Patch{Content: &content})
	require.Equal(t, memory.CodeSecret, codeOf(err), err)
}

func TestMasksAreCountedOnce(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Deploys", "They run at noon.", 0.5)
	content := "They use " + token()
	r, err := f.Update(f.ctx, string(id), api.Patch{Content: &content, Redact: true})
	require.NoError(t, err)
	require.Contains(t, r.Message.String(), "(1 masked)")
	m, err := f.Get(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, "They use [redacted]", m.Summary)
}

func codeOf(err error) memory.Code {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// patch stores a memory and updates it.
func (f *fixture) patch(d api.Draft, p api.Patch) error {
	r, err := f.Remember(f.ctx, d)
	require.NoError(f.t, err)
	_, err = f.Update(f.ctx, string(r.ID), p)
	return err
}

// everything returns the text of all files of the store, in lower case.
func (f *fixture) everything() string {
	var all strings.Builder
	err := filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(f.t, err)
	}
	return strings.ToLower(all.String())
}

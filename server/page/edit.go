package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// editPage is the file of a memory in a form.
type editPage struct {
	ID      memory.ID
	Header  string // of the file, with the lines of dashes around it; empty: Text is all of it
	Text    string
	Version string // of the file
	Shelf   string // where the memory was when the form was made
	Error   string // why it was not stored
	Next    string
	Diff    *diff // how Text differs from the file, which changed meanwhile
	Preview *rendered
	Gone    bool // the memory is not there any more
	Kept    bool // but in the archives
}

func editView() view {
	return view{path: "/memory/{id}/edit", under: memoriesName, page: "edit", load: loadEdit}
}

func loadEdit(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	scope := s.options.ScopeOf(ctx, r.PathValue("id"))
	c, err := s.options.Changer(scope)
	if err != nil {
		return "", nil, err
	}
	id, data, err := c.File(ctx, r.PathValue("id"))
	if err != nil {
		return "", nil, err
	}
	file := strings.ReplaceAll(string(data), "\r\n", "\n")
	text := strings.TrimLeft(bodyOf(file), "\n")
	return "Edit", editPage{ID: id, Header: strings.TrimSuffix(file, text), Text: text, Version: versionOf(data),
		Shelf: string(scope)}, nil
}

// typed returns the page with what was typed in its fields.
func (p editPage) typed(form url.Values) editPage {
	p.Header, p.Text = form.Get("header"), strings.ReplaceAll(form.Get("text"), "\r\n", "\n")
	return p
}

func versionOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func editAction() action { return action{path: "/memory/{id}/edit", do: saveEdit} }

// saveEdit stores an edited file, shows it, or says why it cannot be stored. The text that was typed is never lost.
func saveEdit(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	scope := s.options.ScopeOf(ctx, r.PathValue("id"))
	c, err := s.options.Changer(scope)
	if err != nil {
		return reply{}, err
	}
	id, now, err := c.File(ctx, r.PathValue("id"))
	if memory.CodeOf(err) == memory.CodeNotFound {
		return gone(s, c, r, scope, err)
	}
	if err != nil {
		return reply{}, err
	}
	typed := typedText(r.PostForm, now)
	p := editPage{ID: id, Version: r.PostForm.Get("version"), Shelf: r.PostForm.Get("shelf")}.typed(r.PostForm)
	if r.PostForm.Has("preview") {
		if err := c.CheckEdit(id, now, []byte(typed)); err != nil {
			p.Error, p.Next = nextSteps().Split(err, advice.Writing)
			return reply{page: "edit", title: "Edit", data: p, status: statusOf(err)}, nil
		}
		shown, err := markdown(bodyOf(typed), rootOf(r))
		p.Preview = &shown
		return reply{page: "edit", title: "Edit", data: p, status: http.StatusOK}, err
	}
	if versionOf(now) != p.Version {
		p.Version, p.Error = versionOf(now), "The file was changed meanwhile, so your text was not stored."
		p.Next = "Below is how yours differs from it. Saving again replaces it with yours."
		p.Diff = diffOf(now, []byte(typed)).between("The file", "Yours")
		return reply{page: "edit", title: "Edit", data: p, status: http.StatusConflict}, nil
	}
	if bytes.Equal(now, []byte(typed)) {
		return reply{next: s.after("memory/"+string(id), []doneBar{nothingDone("edit")})}, nil
	}
	bar, err := did(ctx, scope, "edit", func(ctx context.Context) error {
		_, err := c.EditFile(ctx, id, now, []byte(typed))
		return err
	})
	if err != nil {
		p.Error, p.Next = nextSteps().Split(err, advice.Writing)
		return reply{page: "edit", title: "Edit", data: p, status: statusOf(err)}, nil
	}
	return reply{next: s.after("memory/"+string(id), []doneBar{bar})}, nil
}

// gone shows what was typed for a memory that is not there any more, and how to keep it: the memory comes back first,
// or the text becomes a new one, on the same shelf: what a person wrote for themselves must not get into a project. A
// form that is older than the program does not say which shelf that was; then the archives do, or the person has to.
func gone(s *Site, c Changer, r *http.Request, scope api.Scope, why error) (reply, error) {
	id, err := memory.ParseID(r.PathValue("id"))
	if err != nil {
		return reply{}, err
	}
	typed, kept := typedText(r.PostForm, nil), memory.KindOf(why) == memory.KindEditArchived
	shelf := r.PostForm.Get("shelf")
	if shelf == "" && kept {
		shelf = string(scope)
	}
	if r.PostForm.Has("new") {
		d := c.Draft([]byte(typed))
		return reply{page: "new", title: "New memory", status: http.StatusOK,
			data: newPage{Topic: d.Topic, Content: d.Content, Tags: strings.Join(d.Tags, ", "),
				Importance: string(d.Importance), Kind: string(d.Category), Shelf: shelf, Choice: s.choices(),
				From: string(id)}}, nil
	}
	p := editPage{ID: id, Version: r.PostForm.Get("version"), Shelf: shelf, Gone: true, Kept: kept}.typed(r.PostForm)
	p.Error = "Your text was not stored: the memory was forgotten, or its file was removed, while you were editing it."
	if r.PostForm.Has("preview") {
		shown, err := markdown(bodyOf(typed), rootOf(r))
		p.Preview = &shown
		return reply{page: "edit", title: "Edit", data: p, status: http.StatusOK}, err
	}
	return reply{page: "edit", title: "Edit", data: p, status: http.StatusConflict}, nil
}

// typedText returns the file in a form, with the ends of lines that it had before a browser changed them.
func typedText(form url.Values, file []byte) string {
	header := strings.ReplaceAll(form.Get("header"), "\r\n", "\n")
	if header != "" && !strings.HasSuffix(header, "\n") {
		header += "\n"
	}
	text := header + strings.ReplaceAll(form.Get("text"), "\r\n", "\n")
	if bytes.Contains(file, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// bodyOf returns what follows the header of a memory's file.
func bodyOf(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if _, body, ok := strings.Cut(rest, "\n---\n"); ok {
			return body
		}
	}
	return text
}

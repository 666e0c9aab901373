package main

import (
	"context"
	"fmt"
	"strings"

	"ltm/text/safe"
)

const (
	// maxOdd is how many settings are named at most, and maxOddChars how long each
	// of them may be.
	maxOdd      = 5
	maxOddChars = 200
)

// config reports settings that are not in effect.
func (d *doctor) config(ctx context.Context) finding {
	problems, err := d.engine.ConfigProblems(ctx)
	if err != nil {
		return fail(found(err), nextStep(err))
	}
	if len(problems) > 0 {
		return warn(d.oddSettings(ctx, problems)+"; the defaults apply",
			`"ltm config KEY VALUE" sets one; remove unknown ones from the file`)
	}
	all, err := d.engine.Config(ctx)
	if err != nil {
		return fail(found(err), nextStep(err))
	}
	set := 0
	for _, s := range all {
		if s.Source != "default" {
			set++
		}
	}
	if set == 0 {
		return fine(fmt.Sprintf("%d settings, all at their defaults", len(all)))
	}
	return fine(fmt.Sprintf("%d settings, %d of them changed from the default", len(all), set))
}

// oddSettings says what is wrong with settings. A model may run this command without asking
// a person, so text that is withheld from models is not quoted.
func (d *doctor) oddSettings(ctx context.Context, problems []string) string {
	if d.engine.Withholds(ctx) {
		return fmt.Sprintf("%d settings in config.json or state.json are unknown or not allowed, "+
			"and are not named while trust is ask", len(problems))
	}
	var parts []string
	for _, p := range problems[:min(len(problems), maxOdd)] {
		parts = append(parts, safe.Clip(safe.Line(p), maxOddChars))
	}
	if n := len(problems) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, "; ")
}

// sessionName names the last session. Its id comes from a file that may have come with the
// repository.
func (d *doctor) sessionName(ctx context.Context) string {
	const most = 60
	if d.engine.Withholds(ctx) {
		return "a session"
	}
	return "session " + safe.Name(d.session.ID, most)
}

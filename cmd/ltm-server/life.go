package main

import (
	"fmt"
	"time"
)

// lifeOf checks what the operator chose for a token or a key, and returns when it ends; the zero time is never.
func lifeOf(what, name, expires string, now time.Time) (ends time.Time, err error) {
	if len(name) > maxName {
		return ends, invalid(fmt.Sprintf("at most %d bytes are allowed", maxName), "the %s's name has %d bytes", what,
			len(name))
	}
	if expires == "" {
		return ends, nil
	}
	life, err := parseAge(expires)
	if err != nil {
		return ends, err
	}
	if life == 0 {
		return ends, invalid("leave it out for a "+what+" that does not expire", "--expires cannot be %s", expires)
	}
	return now.Add(life), nil
}

// untilWhen says when a token or a key ends.
func untilWhen(ends time.Time) string {
	if ends.IsZero() {
		return "which does not expire"
	}
	return "until " + when(ends)
}

// stateOf returns the state of a token or a key: valid, expired or revoked.
func stateOf(expires, revoked, now time.Time) string {
	switch {
	case !revoked.IsZero() && !revoked.After(now):
		return "revoked"
	case !expires.IsZero() && !expires.After(now):
		return "expired"
	}
	return "valid"
}

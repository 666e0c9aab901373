package main

import (
	"encoding/json"
	"fmt"
)

// contextOf reads a hook's output as the client does.
func contextOf(stdout string) (string, error) {
	var v struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		return "", fmt.Errorf("hook output %q: %w", stdout, err)
	}
	if v.Specific.Event == "" {
		return "", fmt.Errorf("hook output names no event: %s", stdout)
	}
	return v.Specific.Context, nil
}

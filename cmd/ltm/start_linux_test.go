package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// largeInits are the libraries whose initialization may allocate more than maxInit bytes. They compile
// expressions and fill tables that no hook of a tool uses, and offer no way around it.
var largeInits = map[string]int{
	"github.com/yuin/goldmark/util":              160 << 10,
	"github.com/yuin/goldmark/parser":            128 << 10,
	"github.com/google/jsonschema-go/jsonschema": 96 << 10,
	"gopkg.in/yaml%2ev2":                         32 << 10,
	"gopkg.in/yaml%2ev3":                         32 << 10,
	"golang.org/x/crypto/ssh":                    24 << 10,
}

const (
	maxInit    = 16 << 10 // bytes that the initialization of a package may allocate
	maxOwnInit = 2 << 10  // and that of a package of ltm
)

// TestStartAllocatesLittle counts what the initialization of each package allocates. Every hook waits for all of
// them, whatever it does, and what they take follows from it: touching a new page of memory takes longest.
func TestStartAllocatesLittle(t *testing.T) {
	cmd := exec.Command(program(t), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	require.NoError(t, cmd.Run())
	line := regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes`)
	inits := line.FindAllStringSubmatch(trace.String(), -1)
	require.Greater(t, len(inits), 50, trace.String())
	seen := map[string]bool{}
	for _, init := range inits {
		name, allowed := init[1], maxInit
		seen[name] = true
		if limit, ok := largeInits[name]; ok {
			allowed = limit
		} else if name == "main" || strings.HasPrefix(name, "ltm/") {
			allowed = maxOwnInit
		}
		bytes, err := strconv.Atoi(init[2])
		require.NoError(t, err)
		require.LessOrEqual(t, bytes, allowed, "%s makes at each start what it needs only later, or never", name)
	}
	for name := range largeInits {
		require.True(t, seen[name], "%s is an exception for nothing", name)
	}
}

// Package e2e proves ltm in the real Claude Code client, offline.
//
// Its tests stand under the build tag e2e. They fetch the pinned versions of
// the client with npm once, into $LTM_E2E_CACHE or the user's cache folder,
// build ltm, and run themselves again without a network but loopback where the
// machine allows that. Each test drives the client against a scripted Messages
// API: what the model says is written in the test, the tools that it calls
// really run, and what it would have seen is in the request bodies.
//
//	go test -tags e2e -count=1 -v ./internal/e2e
//
// With -update the transcripts that the client wrote are kept, made neutral, for
// the tests of package transcript.
//
// Without the tag only the tests of the plugin's launcher, bin/ltm, run: they
// need neither the client nor a network.
package e2e

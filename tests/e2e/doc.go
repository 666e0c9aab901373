// Package e2e tests ltm in the real Claude Code client, offline.
//
// Its tests have the build tag e2e. They download the pinned versions of the client with npm once, into $LTM_E2E_CACHE
// or the user's cache directory, build ltm, and run themselves again without any network but loopback, if the machine
// allows that. Each test drives the client against a scripted Messages API: the test contains the model's answers, the
// tools that it calls really run, and the request bodies show what it would have seen.
//
//	go test -tags e2e -count=1 -v ./tests/e2e
//
// With -update, the client's transcripts are neutralized and saved for the tests of package
// transcript.
//
// Without the tag only the tests of the plugin's launcher, bin/ltm, run. They need neither the
// client nor a network.
package e2e

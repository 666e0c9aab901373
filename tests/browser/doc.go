// Package browser tests the local page, and the server's pages for people, in a real browser: headless Chromium.
//
// Its tests have the build tag e2e. They build both programs, or take those in the directory $LTM_E2E_BIN, fetch
// axe-core with npm once into the user's cache directory, start "ltm ui" in a scratch project, or a server, and drive
// it as a person would. Chromium is $LTM_CHROMIUM, or else found on the PATH; on Debian its package is chromium.
// Without it or without npm the tests fail. $LTM_E2E_SHOTS names a directory for screenshots of all pages.
//
//	go test -tags e2e -count=1 -v ./tests/browser
//
// The browser resolves no names and reaches only loopback, and a test fails if a page requests anything that is not its
// own.
package browser

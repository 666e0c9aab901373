package transcript_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// ends returns the names of the runs, and how they ended.
func ends(o transcript.Outline) []string {
	var all []string
	for _, s := range o.Steps {
		if r := s.Run; r != nil {
			text := r.Name + ": " + [...]string{"unknown", "passed", "failed"}[r.Ended]
			if r.Sure {
				text += fmt.Sprint(", status ", r.Status)
			}
			all = append(all, text)
		}
	}
	return all
}

// prints is the lines of a command that printed something and ended with a status.
func prints(command, output string, status int) []object {
	if status != 0 {
		output = fmt.Sprintf("Exit code %d\n%s", status, output)
	}
	return does("Bash", object{"command": command}, status != 0, output)
}

const (
	goFails   = "--- FAIL: TestPool (0.00s)\n    pool_test.go:12: got 5, want 20\nFAIL\nFAIL\tshop/db\t0.012s\nFAIL"
	goPasses  = "ok  \tshop/db\t0.012s"
	jestFails = "PASS a.test.ts\n  ✓ retries 2 failed payments (3 ms)\nTests: 1 failed, 3 passed, 4 total"
)

// TestCommandsAndHowTheyEnded: a status counts if it is that of the check, and otherwise what it printed.
func TestCommandsAndHowTheyEnded(t *testing.T) {
	background := func(command, output string) []object {
		return does("Bash", object{"command": command, "run_in_background": true}, false, output)
	}
	const started = "Command running in background with ID: b7. Output is being written to: /tmp/b7.output"
	for name, test := range map[string]struct {
		lines [][]object
		want  []string
	}{
		"passed": {[][]object{prints("go test ./...", goPasses, 0)},
			[]string{"go test ./...: passed, status 0"}},
		"failed": {[][]object{prints("go test ./...", goFails, 1)}, []string{"go test ./...: failed, status 1"}},
		"in another": {[][]object{prints("cd db && go vet ./... 2>&1", "", 0)},
			[]string{"cd db && go vet ./...: passed, status 0"}},
		"two checks": {[][]object{prints("yarn add x && npm run lint && npm test", "", 0)},
			[]string{"npm run lint && npm test: passed, status 0"}},
		"redirected": {[][]object{prints("make 'a|b' &> log", "", 0)}, []string{"make 'a|b': passed, status 0"}},
		"in a variable": {[][]object{prints("CI=1 timeout 60 npx jest", "", 0)},
			[]string{"CI=1 timeout 60 npx jest: passed, status 0"}},
		"looking": {[][]object{prints("ls", "", 0), prints("cd x && grep y z", "", 1), prints("git status", "", 0),
			prints("git diff --exit-code", "x", 1)}, nil},
		"git": {[][]object{prints("git add .", "", 0), prints("git push", "no", 1), prints("git push", "", 0)},
			[]string{"git push: failed, status 1", "git push: passed, status 0"}},

		"a pipe hides a failure": {[][]object{prints("go test ./... 2>&1 | tail -30", goFails, 0)},
			[]string{"go test ./...: failed"}},
		"a pipe, and it passed": {[][]object{prints("go test ./... | tail -3", goPasses, 0)},
			[]string{"go test ./...: passed"}},
		"a pipe, and nothing says": {[][]object{prints("make | tail -5", "done", 0)}, []string{"make: unknown"}},
		"a part says nothing": {[][]object{prints("go test ./... | grep ok", goPasses, 0)},
			[]string{"go test ./...: unknown"}},
		"failures would be shown": {[][]object{prints("go test ./... | grep -E '^(FAIL|ok)'", goPasses, 0)},
			[]string{"go test ./...: passed"}},
		"a summary says it": {[][]object{prints("npm test | grep Tests", "Tests: 4 passed, 4 total", 0)},
			[]string{"npm test: passed"}},
		"nothing was found": {[][]object{prints("cargo test 2>&1 | grep FAILED", "", 1)},
			[]string{"cargo test: unknown"}},
		"the name of a test": {[][]object{prints("npm test; true", jestFails[:len(jestFails)-42], 0)},
			[]string{"npm test: passed"}},
		"true hides it": {[][]object{prints("npm test || true", jestFails, 0)},
			[]string{"npm test: failed"}},
		"an exit does not": {[][]object{prints("npm test || exit 3", "", 3)}, []string{"npm test: failed"}},
		"echo hides it": {[][]object{prints("npm test; echo done", "done", 0)},
			[]string{"npm test: unknown"}},
		"echo says it": {[][]object{prints("npm test; echo \"exit: $?\"", "exit: 1", 0)},
			[]string{"npm test: failed, status 1"}},
		"echo says that of the pipe": {[][]object{prints("npm test | tail -1; echo $?", "x\n0", 0)},
			[]string{"npm test: unknown"}},
		"echo says that of its part": {[][]object{prints("npm test | tail -1; echo ${PIPESTATUS[0]}", "x\n2", 0)},
			[]string{"npm test: failed, status 2"}},
		"an exit with that of it": {[][]object{prints("npm test | tee log; exit ${PIPESTATUS[0]}", "x", 0)},
			[]string{"npm test: passed, status 0"}},
		"pipefail": {[][]object{prints("set -o pipefail; make | tail", "x", 0)},
			[]string{"make: passed, status 0"}},
		"in a shell": {[][]object{prints("bash -c 'go test ./... | tail'", goFails, 0)},
			[]string{"go test ./...: failed"}},
		"what it calls hides it": {[][]object{prints("make test", jestFails, 0)}, []string{"make test: failed"}},
		"a failure that was printed": {[][]object{prints("psql -f a.sql", "ERROR:  relation \"a\" does not exist", 0),
			prints("node up.js", "Error: connect ECONNREFUSED", 0), prints("python -", "AssertionError: checksum", 0)},
			[]string{"psql -f a.sql: unknown", "node up.js: unknown", "python -: unknown"}},
		"a panic in a test that passed": {[][]object{prints("cargo test",
			"thread 'parser' panicked at src/p.rs:10:5:\nexpected\ntest result: ok. 5 passed; 0 failed", 0)},
			[]string{"cargo test: unknown"}},
		"an error that does not matter": {[][]object{prints("make build",
			"rm: cannot remove 'x.o': No such file or directory\nlinked", 0)}, []string{"make build: unknown"}},
		"an error in a test that passed": {[][]object{prints("npx jest",
			"Error: price missing\nTests: 0 failed, 41 passed, 41 total", 0)},
			[]string{"npx jest: passed, status 0"}},
		"a condition": {[][]object{prints("if npm test; then echo y; fi", "", 0)},
			[]string{"npm test: unknown"}},
		"two lines": {[][]object{prints("make # all\ntrue", "", 0)}, []string{"make: unknown"}},
		"a text in it": {[][]object{prints("cat > x <<'E'\nnpm test | tail\nE\nmake lint", "", 0)},
			[]string{"make lint: passed, status 0"}},
		"colors": {[][]object{prints("npm test | cat", "\x1b[31mTests: \x1b[1m1 failed\x1b[0m, 4 total", 0)},
			[]string{"npm test: failed"}},
		"in background":           {[][]object{prints("make & wait", "ok", 0)}, []string{"make: unknown"}},
		"begun in the background": {[][]object{background("make", started)}, []string{"make: unknown"}},
		"ended in the background": {[][]object{background("make", started), does("BashOutput",
			object{"bash_id": "b7"}, false,
			"<status>running</status>\n<stdout>x</stdout>"), does("TaskOutput", object{"task_id": "b7"}, false,
			"<status>completed</status>\n<exit_code>2</exit_code>\n<stdout>boom</stdout>")},
			[]string{"make: failed, status 2"}},
		"said to have ended": {[][]object{background("make", started), {says(
			"<task-notification>\n<task-id>b7</task-id>\n" +
				"<status>completed</status>\n<summary>It completed (exit code 0)</summary>\n</task-notification>")}},
			[]string{"make: passed, status 0"}},
		"killed in the background": {[][]object{background("pytest", started), does("BashOutput",
			object{"bash_id": "b7"}, false, "<status>killed</status>\n<stdout>\n12 passed so far\n</stdout>")},
			[]string{"pytest: unknown"}},
		"failed, then killed in the background": {[][]object{background("pytest", started), does("BashOutput",
			object{"bash_id": "b7"}, false, "<status>killed</status>\n<stdout>\nFAILED a.py::b\n</stdout>")},
			[]string{"pytest: failed"}},
		"into a file": {[][]object{prints("npm test > /tmp/log 2>&1 &", "", 0),
			prints("tail -5 /tmp/log", jestFails, 0)},
			[]string{"npm test: failed"}},
		"into a file that is read": {[][]object{prints("npm test | tee /tmp/log | tail -1", "", 0),
			does("Read", object{"file_path": "/tmp/log"}, false, "     1→x\n     2→FAIL a.test.ts")},
			[]string{"npm test: failed"}},
		"refused": {[][]object{does("Bash", object{"command": "make"}, true,
			"Permission to use Bash denied")}, nil},
		"did not run": {[][]object{does("Bash", object{"command": "make"}, true,
			"<tool_use_error>bad</tool_use_error>")}, nil},
		"out of time": {[][]object{does("Bash", object{"command": "make"}, true, "Command timed out after 2m")},
			[]string{"make: failed, status -1"}},
		"a status out of range": {[][]object{does("Bash", object{"command": "make"}, true, "Exit code 9999")},
			[]string{"make: failed, status -1"}},
		"nothing":    {[][]object{prints(" ", "", 0)}, nil},
		"other type": {[][]object{does("Bash", object{"command": 7}, false, "ok")}, nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, ends(outline(t, test.lines...))) })
	}
}

// TestWhatRunnersPrint judges what comes out of a pipe.
func TestWhatRunnersPrint(t *testing.T) {
	for output, want := range map[string]string{
		"FAILED tests/test_a.py::test_x - assert 3 == 4\n=== 1 failed, 3 passed in 0.12s ===":          "failed",
		"=== 3 passed, 1 skipped in 0.12s ===":                                                         "passed",
		"=== 1 error in 0.30s ===":                                                                     "failed",
		"Ran 3 tests in 0.01s\n\nFAILED (failures=1)":                                                  "failed",
		"Ran 3 tests in 0.01s\n\nOK":                                                                   "passed",
		"error[E0308]: mismatched types\n --> src/lib.rs:3:5":                                          "failed",
		"test result: FAILED. 1 passed; 1 failed; 0 ignored":                                           "failed",
		"test result: ok. 5 passed; 0 failed; 0 ignored":                                               "passed",
		"  2 passing (9ms)\n  1 failing\n\n  1) Cart adds:":                                            "failed",
		"  3 passing (9ms)":                                                                            "passed",
		" Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)":                              "failed",
		" Test Files  1 passed (1)\n      Tests  3 passed (3)":                                         "passed",
		"# pass 2\n# fail 1":                                                                           "failed",
		"# tests 3\n# pass 3\n# fail 0":                                                                "passed",
		"3 examples, 1 failure":                                                                        "failed",
		"3 examples, 0 failures":                                                                       "passed",
		"FAILURES!\nTests: 3, Assertions: 3, Failures: 1.":                                             "failed",
		"OK (3 tests, 3 assertions)":                                                                   "passed",
		"> Task :test FAILED\n\nBUILD FAILED in 3s":                                                    "failed",
		"BUILD SUCCESSFUL in 3s":                                                                       "passed",
		"[ERROR] Tests run: 3, Failures: 1, Errors: 0":                                                 "failed",
		"[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0":                                      "passed",
		"Failed!  - Failed:     1, Passed:     2, Skipped:     0":                                      "failed",
		"Passed!  - Failed:     0, Passed:     3, Skipped:     0":                                      "passed",
		"67% tests passed, 1 tests failed out of 3":                                                    "failed",
		"100% tests passed, 0 tests failed out of 3":                                                   "passed",
		"make: *** [Makefile:3: test] Error 1":                                                         "failed",
		"src/a.ts(12,5): error TS2322: Type 'string' is not assignable":                                "failed",
		"/src/a.js\n  12:5  error  'x' is not defined  no-undef":                                       "failed",
		"✖ 1 problem (0 errors, 1 warning)":                                                            "passed",
		"Found 1 error in 1 file (checked 3 source files)":                                             "failed",
		"Success: no issues found in 3 source files":                                                   "passed",
		"db/pool.go:12:3: undefined: size":                                                             "failed",
		"main.c:3:5: error: expected ';'":                                                              "failed",
		"panic: runtime error: index out of range [5]":                                                 "failed",
		"Traceback (most recent call last):\n  File \"a.py\", line 3":                                  "failed",
		"ValueError: no such rate":                                                                     "failed",
		"12:30:45 error while retrying":                                                                "unknown",
		"3 tests, 1 failure":                                                                           "failed",
		"3 tests, 0 failures":                                                                          "passed",
		"Executed 3 tests, with 1 failure (0 unexpected) in 0.01 seconds":                              "failed",
		"Executed 3 tests, with 0 failures (0 unexpected) in 0.01 (0.012) seconds":                     "passed",
		"** TEST FAILED **":                                                                            "failed",
		"** TEST SUCCEEDED **":                                                                         "passed",
		"** BUILD FAILED **":                                                                           "failed",
		"//a:b    FAILED in 2 out of 2 in 0.3s":                                                        "failed",
		"Executed 1 out of 1 test: 1 fails locally.":                                                   "failed",
		"//a:b    PASSED in 0.3s\nExecuted 1 out of 1 test: 1 test passes.":                            "passed",
		"FAILED | 3 passed | 1 failed (12ms)":                                                          "failed",
		"ok | 4 passed | 0 failed (12ms)":                                                              "passed",
		" 3 pass\n 1 fail\nRan 4 tests across 1 files.":                                                "failed",
		" 4 pass\n 0 fail\n":                                                                           "passed",
		"  1 failed\n    [chromium] › a.spec.ts:3:1 › x\n  3 passed (4.1s)":                            "failed",
		"  4 passed (4.1s)":                                                                            "passed",
		"    ✖  1 of 2 failed (50%)     00:12      4        3        1":                                "failed",
		"    ✔  All specs passed!                        00:12":                                        "passed",
		"  py311: FAIL code 1 (3.1=setup[0.1]+cmd[3.0] seconds)\n  evaluation failed :( (3.3 seconds)": "failed",
		"  py311: OK (3.1 seconds)\n  congratulations :) (3.2 seconds)":                                "passed",
		"Found 3 errors.\n[*] 2 fixable with the `--fix` option.":                                      "failed",
		"All checks passed!":                                                                           "passed",
		"a.go:12:3: ineffectual assignment to err (ineffassign)\n1 issues:\n* ineffassign: 1":          "failed",
		"0 issues.": "passed",
		"[warn] src/a.ts\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.":   "failed",
		"All matched files use Prettier code style!":                                                      "passed",
		"ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully: exit code: 2": "failed",
		"╷\n│ Error: Invalid reference\n│ \n╵":                                                            "failed",
		"Success! The configuration is valid.":                                                            "passed",
		"Apply complete! Resources: 1 added, 0 changed, 0 destroyed.":                                     "passed",
		"sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: users":                "failed",
		"10 runs, 12 assertions, 1 failures, 0 errors, 0 skips":                                           "failed",
		"10 runs, 12 assertions, 0 failures, 0 errors, 0 skips":                                           "passed",
		"[error] Failed: Total 3, Failed 1, Errors 0, Passed 2":                                           "failed",
		"[info] Passed: Total 3, Failed 0, Errors 0, Passed 3":                                            "passed",
		"1 of 3 tests failed (0.1s)":                                                                      "failed",
		"All 3 tests passed (0.01s)":                                                                      "passed",
		"1 passed; 0 skipped; 1 failed.":                                                                  "failed",
		"All 2 tests passed.":                                                                             "passed",
		"=== FAIL: a TestB (0.00s)\nDONE 12 tests, 1 failure in 0.4s":                                     "failed",
		"DONE 12 tests in 0.4s":                                                                           "passed",
		"  1 test failed":                                                                                 "failed",
		"  3 tests passed":                                                                                "passed",
		"3 tests, 2 passed, 1 failed":                                                                     "failed",
		"3 tests, 3 passed, 0 failed":                                                                     "passed",
		"Chrome 120: Executed 3 of 3 (1 FAILED) (0.1 secs / 0.01 secs)":                                   "failed",
		"Chrome 120: Executed 3 of 3 SUCCESS (0.1 secs / 0.01 secs)":                                      "passed",
		"     Summary [   0.1s] 3 tests run: 2 passed, 1 failed, 0 skipped":                               "failed",
		"     Summary [   0.1s] 3 tests run: 3 passed, 0 skipped":                                         "passed",
		"00:02 +3 -1: Some tests failed.":                                                                 "failed",
		"00:02 +4: All tests passed!":                                                                     "passed",
		"1 chart(s) linted, 1 chart(s) failed":                                                            "failed",
		"1 chart(s) linted, 0 chart(s) failed":                                                            "passed",
		"psql:a.sql:3: ERROR:  relation \"x\" does not exist":                                             "failed",
		"django.db.utils.ProgrammingError: relation \"shop_cart\" does not exist":                         "failed",
		"FAIL: test_x (tests.test_a.TestA.test_x)":                                                        "failed",
		"Tests:       1 failed, 2 passed, 3 total":                                                        "failed",
		"Tests:       3 passed, 3 total":                                                                  "passed",
		"build error: TS1005":                                                                             "unknown",
		"Test run failed.":                                                                                "failed",
		"The build failed":                                                                                "failed",
		"Error: Process completed with exit code 1.":                                                      "failed",
		"   FAIL  Tests\\Feature\\CartTest\n  ⨯ it adds":                                                  "failed",
		"   PASS  Tests\\Feature\\CartTest\n  ✓ it adds\n\n  Tests:    1 passed (1 assertions)":           "passed",
		"1) testAdd(CartTest)\njava.lang.AssertionError: expected:<3> but was:<4>":                        "failed",
		"test_add ... FAIL":                                                                               "failed",
		"test_add ... ok\n\nRan 1 test in 0.0s\n\nOK":                                                     "passed",
		"2 specs, 1 failure":                                                                              "failed",
		"Ran 3 of 3 Specs in 0.001 seconds\nFAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped":         "failed",
		"Ran 3 of 3 Specs in 0.001 seconds\nSUCCESS! -- 3 Passed | 0 Failed | 0 Pending | 0 Skipped":      "passed",
		"All tests successful.\nFiles=3, Tests=12,  1 wallclock secs\nResult: PASS":                       "passed",
		"Failed 1/12 subtests\nResult: FAIL":                                                              "failed",
		"Build FAILED.\n    1 Error(s)":                                                                   "failed",
		"Build succeeded.\n    0 Warning(s)\n    0 Error(s)":                                              "passed",
		"0 failed":        "passed",
		"No errors.":      "passed",
		"compiled in 3 s": "unknown",
		"":                "unknown",
	} {
		require.Equal(t, []string{"make test: " + want}, ends(outline(t, prints("make test | cat", output, 0))), output)
	}
}

func TestWhatOutputsTell(t *testing.T) {
	for output, want := range map[string]string{
		goFails:                       "--- FAIL: TestPool (0.00s)\n    pool_test.go:12: got 5, want 20",
		"a\nb\nc\nd\n\nexit status 1": "b\nc\nd",
		"ok\n/src/a.js\n  12:5  error  x\n" + strings.Repeat("y\n", 9) + "\n1 error found\nbye": "/src/a.js\n" +
			"  12:5  error  x\ny\ny\ny\ny\n1 error found",
	} {
		o := outline(t, prints("make test | cat", output, 0))
		require.Equal(t, want, o.Steps[0].Run.Output)
	}
	o := outline(t, prints("make | cat", strings.Repeat("é", 5000), 0))
	require.LessOrEqual(t, utf8.RuneCountInString(o.Steps[0].Run.Output), transcript.MaxOutput)
}

func TestRunsThatDoTheSame(t *testing.T) {
	for _, c := range []struct {
		earlier, later string
		like, covers   bool
	}{
		{"go test ./... -run TestA", "go test ./...", true, true},
		{"go test ./db", "go test -count=1 ./...", true, true},
		{"go test ./...", "go test ./db", true, false},
		{"go test ./...", "go build ./...", false, false},
		{"pytest tests/test_a.py", "uv run pytest -q", true, true},
		{"npm run lint", "npm run test", false, false},
		{"npm test -- cart", "npm test", true, true},
		{"make test", "make", false, false},
		{"cd api && make test", "make test", false, false},
		{"ctest --output-on-failure", "cmake --build b && ctest", true, true},
		{"docker compose exec -T app vendor/bin/phpunit --filter X", "docker compose exec app vendor/bin/phpunit",
			true, true},
	} {
		o := outline(t, prints(c.earlier, "", 1), prints(c.later, "", 0))
		require.Equal(t, [2]bool{c.like, c.covers}, [2]bool{o.Steps[1].Run.Like(o.Steps[0].Run),
			o.Steps[1].Run.Covers(o.Steps[0].Run)}, "%s, then %s", c.earlier, c.later)
	}
}

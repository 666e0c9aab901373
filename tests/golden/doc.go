// Package golden is for tests: it compares what they make with files of the repository, and shows the lines that
// differ. "make update" sets LTM_UPDATE=1, by which the files are written instead. It also reads the lists of
// testdata/surface, which name every command and every tool.
package golden

//go:build race

package main

// raceFactor is how much more memory a program under the race detector takes.
const raceFactor = 4

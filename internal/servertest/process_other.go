//go:build !linux

package servertest

import (
	"os/exec"
	"testing"
)

func dieWithParent(*exec.Cmd) {}

func serverUser(testing.TB, string) func(*exec.Cmd) { return func(*exec.Cmd) {} }

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// verdict is what became of a mutant.
type verdict string

const (
	killed   verdict = "killed"
	survived verdict = "survived"
	broken   verdict = "does not compile"
)

// timeout ends the tests of a mutant that runs for ever, which counts as noticed.
const timeout = "-timeout=90s"

// apply gives the source with the change in it.
func (m mutant) apply(source []byte) []byte {
	return slices.Concat(source[:m.from], []byte(m.with), source[m.to:])
}

// try runs the tests until one notices.
func (m mutant) try() (verdict, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", err
	}
	for _, tests := range m.tests {
		out, err := exec.Command("go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast", timeout, tests).CombinedOutput()
		switch {
		case bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
			return broken, nil
		case err != nil:
			return killed, nil
		}
	}
	return survived, nil
}

// overlay writes the mutant and the file that tells the go command to read it instead.
func (m mutant) overlay(dir string) (string, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(changed, m.apply(source), 0o600); err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, text, 0o600)
}

package main

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	t.Parallel()
	source := []byte(`package p

import "fmt"

type s struct{ A int }

func f(a, b int) string {
	if a < b && true {
		a = 7
		fmt.Println("x" + "y")
	}
	n := a
	n++
	return "n" + fmt.Sprint(n)
}
`)
	mutants, err := find("p.go", source)
	require.NoError(t, err)
	var what []string
	for _, m := range mutants {
		what = append(what, m.what)
		_, err := parser.ParseFile(token.NewFileSet(), "p.go", m.apply(source), 0)
		assert.NoError(t, err, m.what)
		assert.NotEqual(t, string(source), string(m.apply(source)))
	}
	assert.ElementsMatch(t, []string{
		"a < b && true -> !(a < b && true)", "&& -> ||", "< -> <=", "true -> false", "7 -> 8",
		"without a = 7", `without fmt.Println("x" + "y")`, "without n++",
	}, what)
}

// TestTry needs the real thing: a change to the signing string that the package's tests notice, and one that does not compile.
func TestTry(t *testing.T) {
	t.Chdir("../..")
	m := mutant{file: "internal/signature/digest.go", tests: []string{"./internal/signature"}}
	m.from, m.to, m.with = 0, 0, "garbage "
	v, err := m.try()
	require.NoError(t, err)
	assert.Equal(t, broken, v)
	m.with = "/* the same program */"
	v, err = m.try()
	require.NoError(t, err)
	assert.Equal(t, survived, v)
}

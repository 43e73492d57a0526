package trust_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryThreatHasItsTest: the tests that SECURITY.md names are there.
func TestEveryThreatHasItsTest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../SECURITY.md")
	require.NoError(t, err)
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`").FindAllStringSubmatch(string(text), -1)
	assert.Greater(t, len(named), 20)
	sources := testSources(t)
	for _, name := range named {
		assert.True(t, strings.Contains(sources, "func "+name[1]+"("), "SECURITY.md names %s, which is not there", name[1])
	}
}

func testSources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		all.Write(source)
		return err
	})
	require.NoError(t, err)
	return all.String()
}

package route_test

import (
	"net/url"
	"strings"
	"testing"

	"example.com/idv/internal/route"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFill(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"1": "/a/1/b", "a/b": "/a/a%2Fb/b", "a?b#c": "/a/a%3Fb%23c/b", "a b": "/a/a%20b/b", "...": "/a/.../b",
	} {
		path, problem := route.Fill("/a/{ID}/b", id)
		assert.Equal(t, want, path)
		assert.Empty(t, problem)
	}
	for _, id := range []string{"", ".", ".."} {
		_, problem := route.Fill("/a/{ID}", id)
		assert.NotEmpty(t, problem, "%q", id)
	}
	path, _ := route.Fill("/a", "")
	assert.Equal(t, "/a", path, "a route without a placeholder needs no id")
}

func TestOf(t *testing.T) {
	t.Parallel()
	routes := []string{"/a", "/a/retry", "/a/{ID}", "/a/{ID}/b"}
	for path, want := range map[string]string{
		"/a": "/a", "a/": "/a", "/a/retry": "/a/retry", "/a/1": "/a/{ID}", "/a/1/b": "/a/{ID}/b", "/a/1/c": "", "/": "", "": "",
	} {
		assert.Equal(t, want, route.Of(path, routes), path)
	}
}

func FuzzFillThenOf(f *testing.F) {
	f.Add("a/../b")
	f.Fuzz(func(t *testing.T, id string) {
		path, problem := route.Fill("/a/{ID}", id)
		if problem != "" {
			return
		}
		require.Equal(t, 2, strings.Count(path, "/"))
		back, err := url.PathUnescape(strings.TrimPrefix(path, "/a/"))
		require.NoError(t, err)
		require.Equal(t, id, back)
		require.Equal(t, "/a/{ID}", route.Of(path, []string{"/a/{ID}"}))
	})
}

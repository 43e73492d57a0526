// Package docs checks what the README and the pages of docs/ say: every piece of Go compiles, every link leads somewhere.
package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/README.md", "bench/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		all = append(all, found...)
	}
	require.Greater(t, len(all), 5)
	return all
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			_, err := os.Stat(filepath.Join(filepath.Dir(page), m[1]))
			assert.NoError(t, err, page)
		}
	}
}

// What a snippet may take as given: a reader knows these names from the page.
const given = `
var (
	ctx         context.Context
	client      *idv.Client
	params      *idv.PersonParams
	key         *webhook.SigningKey
	verifier    *webhook.Verifier
	receiver    *webhook.Receiver
	event       webhook.Event
	handler     http.Handler
	httpClient  *http.Client
	mux         *http.ServeMux
	receiverURL string
)

func approve(context.Context, string) error { return nil }
func signUp(context.Context, *idv.Client)   {}
`

// imports maps the name of a package in a snippet to its path.
var imports = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "log": "log", "os": "os", "slog": "log/slog",
	"testing": "testing", "time": "time", "idv": "example.com/idv", "flow": "example.com/idv/flow", "idvtest": "example.com/idv/idvtest",
	"webhook": "example.com/idv/webhook", "session": "example.com/idv/webhook/session", "webhooktest": "example.com/idv/webhook/webhooktest",
}

func TestEverySnippetCompiles(t *testing.T) {
	t.Parallel()
	snippet := regexp.MustCompile("(?ms)^```go\n(.*?)^```")
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for i, m := range snippet.FindAllStringSubmatch(string(text), -1) {
			t.Run(fmt.Sprintf("%s, %d", filepath.Base(page), i+1), func(t *testing.T) {
				t.Parallel()
				compile(t, m[1])
			})
		}
	}
}

func compile(t *testing.T, code string) {
	t.Helper()
	if !strings.HasPrefix(code, "func ") {
		code = "func snippet() error {\n" + code + "\n" + used(code) + "return nil\n}"
	}
	code = given + code
	var b strings.Builder
	b.WriteString("package snippet\n")
	for name, path := range imports {
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(code) {
			fmt.Fprintf(&b, "import %s %q\n", name, path)
		}
	}
	file := filepath.Join(t.TempDir(), "snippet.go")
	require.NoError(t, os.WriteFile(file, []byte(b.String()+code), 0o600))
	cmd := exec.Command("go", "build", "-o", os.DevNull, file)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s\n%s", out, code)
}

// used makes Go content with variables that a snippet declares for its reader only.
func used(code string) string {
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^(\w+(?:, \w+)*) :?= `).FindAllStringSubmatch(code, -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if name != "_" {
				fmt.Fprintf(&b, "_ = %s\n", name)
			}
		}
	}
	return b.String()
}

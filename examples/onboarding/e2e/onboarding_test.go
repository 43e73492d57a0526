// Package e2e drives the onboarding example in a headless Chromium, from the first page to the approval.
package e2e

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var screenshot = flag.String("screenshot", "", "the file that a picture of the page is written to")

// browser finds a Chromium, or skips.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no browser: install Chromium (Debian: apt-get install chromium) to see the onboarding example driven")
	return ""
}

// application builds and starts the example, and returns its address.
func application(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "onboarding")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = ".."
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	ctx, stop := context.WithCancel(context.Background())
	app := exec.CommandContext(ctx, binary, "-addr", "127.0.0.1:0", "-delay", "300ms")
	app.Cancel = func() error { return app.Process.Signal(os.Interrupt) }
	stdout, err := app.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, app.Start())
	t.Cleanup(func() { stop(); _ = app.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	var address string
	_, err = fmt.Sscanf(line, "open %s", &address)
	require.NoError(t, err)
	return address
}

// tab is a page of a fresh profile, which has a minute for the whole test.
func tab(t *testing.T, path string) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox, // for root in a container; it sees the loopback interface only
		chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1160, 900),
	)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

type action = chromedp.Action[chromedp.Void]

func press(button string) action { return chromedp.Click(`button[value="` + button + `"]`) }

// sees waits until the live state has an element.
func sees(selector string) action { return chromedp.WaitVisible("#state " + selector) }

// at waits until the live state shows the user at a step.
func at(step string) action {
	return chromedp.WaitVisible(`//div[@id="state"]//li[@class="current" and text()="` + step + `"]`)
}

func TestACustomerFailsRetriesAndIsApproved(t *testing.T) {
	path := browser(t)
	address := application(t)
	ctx := tab(t, path)
	session := func() string {
		t.Helper()
		id, err := chromedp.Run(ctx, chromedp.AttributeValue("#state section", "data-session"))
		require.NoError(t, err)
		return id.Value
	}
	require.NoError(t, chromedp.Do(ctx,
		chromedp.Navigate(address),
		chromedp.SetValue("#reference", "c-42"),
		chromedp.Click("#start"),
		sees(`[data-status="not begun"]`),
		chromedp.WaitVisible(`body[data-live="yes"]`),
		press("next"), at("accept tos"),
		press("next"), at("verify sms"),
		press("failed"), sees(`[data-status="failed"][data-decision="not approved"]`), sees(`li.ended`),
		press("success"), chromedp.WaitVisible(`//p[@id="refused" and contains(text(), "ended")]`),
	))
	first := session()
	require.NoError(t, chromedp.Do(ctx,
		press("retry"), sees(`[data-status="active"]`), at("accept tos"),
		// too quick for the webhooks, which overtake each other
		press("next"), press("next"), press("next"), press("next"), press("next"), press("next"), at("risk check"),
		press("pending_review"), sees(`[data-decision="in review"]`),
		press("success"), sees(`[data-status="success"][data-decision="approved"]`),
		sees(`li.look-up`), // the success was looked up before it counted
	))
	assert.NotEqual(t, first, session(), "a retry is a new session")
	if *screenshot != "" {
		picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(*screenshot, picture, 0o644))
	}
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type dashboard struct {
	Panels []struct {
		ID      int
		Title   string
		Type    string
		GridPos struct{ H, W, X, Y int }
		Targets []struct{ Expr, LegendFormat, RefID string }
	}
	Templating struct{ List []struct{ Name string } }
}

func readDashboard(t *testing.T) dashboard {
	t.Helper()
	text, err := os.ReadFile("../grafana.json")
	require.NoError(t, err)
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	require.NotEmpty(t, d.Panels)
	return d
}

// series is the metrics of a program that had some traffic, each with its labels and their values.
func series(t *testing.T) map[string]map[string][]string {
	t.Helper()
	traffic, err := newTraffic()
	require.NoError(t, err)
	t.Cleanup(traffic.close)
	for i := range 6 {
		require.NoError(t, traffic.round(t.Context(), i))
	}
	families, err := traffic.registry.Gather()
	require.NoError(t, err)
	found := map[string]map[string][]string{}
	for _, f := range families {
		names := []string{f.GetName()}
		if f.GetMetric()[0].GetHistogram() != nil {
			names = []string{f.GetName() + "_bucket", f.GetName() + "_count", f.GetName() + "_sum"}
		}
		for _, name := range names {
			found[name] = map[string][]string{}
			if strings.HasSuffix(name, "_bucket") {
				found[name]["le"] = nil
			}
			for _, m := range f.GetMetric() {
				for _, l := range m.GetLabel() {
					found[name][l.GetName()] = append(found[name][l.GetName()], l.GetValue())
				}
			}
		}
	}
	return found
}

var (
	selector = regexp.MustCompile(`\b((?:http|idv)_[a-z_]+)\s*(\{[^}]*\})?\s*(?:\[|\))`)
	matcher  = regexp.MustCompile(`([a-z_]+)(=~|!=|=)"([^"]*)"`)
	grouping = regexp.MustCompile(`by \(([^)]*)\)`)
	legend   = regexp.MustCompile(`\{\{([^}]*)\}\}`)
)

// Every query of the dashboard selects something of what a program with some traffic shows.
func TestTheDashboardAsksForMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	there := series(t)
	asked := map[string]bool{}
	for _, p := range readDashboard(t).Panels {
		assert.Equal(t, p.Type == "row", len(p.Targets) == 0, p.Title)
		for _, target := range p.Targets {
			selected := selector.FindAllStringSubmatch(grouping.ReplaceAllString(target.Expr, ""), -1)
			require.Len(t, selected, 1, target.Expr)
			name := selected[0][1]
			labels, ok := there[name]
			require.True(t, ok, "%s: no metric %s", p.Title, name)
			asked[name] = true
			for _, m := range matcher.FindAllStringSubmatch(selected[0][2], -1) {
				require.Contains(t, labels, m[1], p.Title)
				assert.True(t, anyMatches(labels[m[1]], m[2], m[3]), "%s: no series has %s", p.Title, m[0])
			}
			grouped := []string{}
			for _, by := range grouping.FindAllStringSubmatch(target.Expr, -1) {
				grouped = strings.Split(by[1], ", ")
			}
			for _, label := range grouped {
				assert.Contains(t, labels, label, p.Title)
			}
			for _, l := range legend.FindAllStringSubmatch(target.LegendFormat, -1) {
				assert.Contains(t, grouped, l[1], "%s: the legend names a label that is summed away", p.Title)
			}
		}
	}
	for name := range there {
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count"), "_sum")
		if name != "target_info" && name != "otel_scope_info" {
			assert.True(t, asked[name] || asked[base+"_bucket"] || asked[base+"_count"], "no panel shows %s", name)
		}
	}
}

func anyMatches(values []string, operator, text string) bool {
	for _, v := range values {
		switch operator {
		case "=":
			if v == text {
				return true
			}
		case "!=":
			if v != text {
				return true
			}
		default:
			if regexp.MustCompile("^(?:" + text + ")$").MatchString(v) {
				return true
			}
		}
	}
	return false
}

func TestTheDashboardIsLaidOut(t *testing.T) {
	t.Parallel()
	d := readDashboard(t)
	ids, cells := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		assert.False(t, ids[p.ID], "an id twice: %s", p.Title)
		ids[p.ID] = true
		require.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, p.Title)
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				assert.Empty(t, cells[[2]int{x, y}], "%s is over another panel", p.Title)
				cells[[2]int{x, y}] = p.Title
			}
		}
		refs := map[string]bool{}
		for _, target := range p.Targets {
			assert.False(t, refs[target.RefID], "%s: a query's letter twice", p.Title)
			refs[target.RefID] = true
		}
	}
	assert.Equal(t, "datasource", d.Templating.List[0].Name)
}

func TestNoLabelHoldsWhatIsPrivate(t *testing.T) {
	t.Parallel()
	for name, labels := range series(t) {
		for label, values := range labels {
			for _, v := range values {
				for _, private := range []string{"Ada", "flwses_", "whkevt_", "demo_", "nobody", "sk_test"} {
					assert.NotContains(t, v, private, "%s of %s", label, name)
				}
			}
		}
	}
}

func TestRunServesMetricsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-every", "1h"}, w) }()
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.Fields(line)[2], nil)
	require.NoError(t, err)
	req.Close = true
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Contains(t, string(text), "idv_webhook_failures")
	stop()
	require.NoError(t, <-ended)
	assert.Error(t, run(t.Context(), []string{"-addr", "nowhere"}, io.Discard))
}

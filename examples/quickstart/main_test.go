package main

import (
	"strings"
	"testing"

	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestQuickstartAgainstItsOwnService(t *testing.T) {
	t.Setenv("IDV_BASE_URL", "")
	t.Setenv("IDV_API_KEY", "")
	checkTour(t)
}

func TestQuickstartAgainstTheServiceOfTheEnvironment(t *testing.T) {
	service := idvtest.Start(t)
	t.Setenv("IDV_BASE_URL", service.URL)
	t.Setenv("IDV_API_KEY", service.TestKey)
	checkTour(t)
	assert.NotEmpty(t, service.Requests())
}

func TestQuickstartRefusesALiveKey(t *testing.T) {
	t.Setenv("IDV_BASE_URL", "https://127.0.0.1:1")
	t.Setenv("IDV_API_KEY", "sk_live_1")
	assert.EqualError(t, run(t.Context(), new(strings.Builder)), "idv: IDV_API_KEY is a live key, and WithTestModeOnly is set")
}

func checkTour(t *testing.T) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	for _, want := range []string{
		"in test mode", "John Doe is valid", "score 100", "score 80", "John Doe is invalid", "Acme Widgets is valid",
		"2 match(es) for Zoltan Quillfeather", "1 in all, more than this page: false", "idv: name_first can't be blank",
		"status 400, code cant_be_blank, param name_first",
	} {
		assert.Contains(t, out.String(), want)
	}
}

package idv_test

import (
	"encoding/json"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestModelsComeThroughEncodingJSONAndBack(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]struct {
		fixture string
		v       any
	}{
		"Person": {"person", new(idv.Person)}, "QuestionSet": {"question_set", new(idv.QuestionSet)}, "Company": {"company", new(idv.Company)},
		"Candidate": {"candidate", new(idv.Candidate)}, "WatchlistSearch": {"watchlist_search", new(idv.WatchlistSearch)}, "Hits": {"hits", new(idv.List[idv.Hit])},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, json.Unmarshal([]byte(fixture(t, model.fixture)), model.v))
			out, err := json.Marshal(model.v)
			require.NoError(t, err)
			assertHolds(t, decodeAny(t, fixture(t, model.fixture)), decodeAny(t, string(out)), name)
		})
	}
}

func decodeAny(t *testing.T, s string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(s), &v))
	return v
}

// assertHolds compares member by member, but for those that no field knows: there are two in the fixtures.
func assertHolds(t *testing.T, want, got any, path string) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		for k, v := range w {
			if k != "later" && k != "program" {
				assertHolds(t, v, got.(map[string]any)[k], path+"."+k)
			}
		}
	case []any:
		require.Len(t, got, len(w), path)
		for i := range w {
			assertHolds(t, w[i], got.([]any)[i], path)
		}
	default:
		assert.Equal(t, want, got, path)
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	var at idv.Time
	require.NoError(t, json.Unmarshal([]byte(`1407875726`), &at))
	assert.Equal(t, time.Date(2014, 8, 12, 20, 35, 26, 0, time.UTC), at.Time)
	for in, want := range map[string]string{"1407875726": "1407875726", "0": "0", "-1": "-1", "null": "null"} {
		var at idv.Time
		require.NoError(t, json.Unmarshal([]byte(in), &at))
		out, err := json.Marshal(at)
		require.NoError(t, err)
		assert.Equal(t, want, string(out))
	}
	for _, in := range []string{`"1407875726"`, `1.5`, `99999999999999999999`, `true`, `"2014-08-12"`} {
		assert.Error(t, json.Unmarshal([]byte(in), &at), in)
	}
}

func TestAModelWithoutAnAnswerHasNoRawJSON(t *testing.T) {
	t.Parallel()
	p := &idv.Person{ID: "1"}
	assert.Nil(t, p.RawJSON())
	assert.Nil(t, p.Extra())
}

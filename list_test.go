package idv_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	"github.com/google/go-querystring/query"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestListParamsOnTheWire(t *testing.T) {
	t.Parallel()
	whole := time.Unix(1400000000, 0)
	half := time.Unix(1400000000, 5e8)
	early := time.Unix(-10, 1) // before 1970, just after a whole second
	for name, c := range map[string]struct {
		params *idv.ListParams
		want   string
	}{
		"nil":         {nil, ""},
		"zero":        {&idv.ListParams{}, ""},
		"two filters": {&idv.ListParams{Filter: idv.Filter{"ssn": "1&a=b", "note": ""}}, "filter[note]=&filter[ssn]=1&a=b"},
		"a search":    {&idv.ListParams{Search: "böb x"}, "filter[q]=böb x"},
		"paging":      {&idv.ListParams{Count: 5, Offset: 10}, "count=5&offset=10"},
		"whole bounds": {
			&idv.ListParams{CreatedAt: idv.TimeRange{After: whole, NotBefore: whole, Before: whole, NotAfter: whole}},
			"created_at[gt]=1400000000&created_at[gte]=1400000000&created_at[lt]=1400000000&created_at[lte]=1400000000",
		},
		"fractions are rounded by operator": {
			&idv.ListParams{UpdatedAt: idv.TimeRange{After: half, NotBefore: half, Before: half, NotAfter: half}},
			"updated_at[gt]=1400000000&updated_at[gte]=1400000001&updated_at[lt]=1400000001&updated_at[lte]=1400000000",
		},
		"before 1970": {
			&idv.ListParams{CreatedAt: idv.TimeRange{After: early, Before: early}}, "created_at[gt]=-10&created_at[lt]=-9",
		},
		"the epoch is a bound": {
			&idv.ListParams{CreatedAt: idv.TimeRange{NotBefore: time.Unix(0, 0)}}, "created_at[gte]=0",
		},
		"any other timestamp": {
			&idv.ListParams{Ranges: map[string]idv.TimeRange{"expired_at": {Before: half}}}, "expired_at[lt]=1400000001",
		},
		"another zone": {
			&idv.ListParams{CreatedAt: idv.TimeRange{After: whole.In(time.FixedZone("x", 3600))}}, "created_at[gt]=1400000000",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, requests := answering(t, 200, `{"object":"list","total_count":0,"has_more":false,"data":[]}`)
			page, err := client.Candidates.List(bg(), c.params)
			require.NoError(t, err)
			assert.Empty(t, page.Data)
			r := (*requests)[0]
			got, err := url.QueryUnescape(strings.TrimPrefix(strings.TrimPrefix(r.URL, baseURL+"/candidates"), "?"))
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			assert.NotContains(t, r.URL, "[", "brackets are percent-encoded, as the official clients do")
			assert.Empty(t, r.Body)
		})
	}
}

func TestListParamsRefused(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	for name, p := range map[string]struct {
		params idv.ListParams
		want   string
	}{
		"q":                    {idv.ListParams{Filter: idv.Filter{"q": "078051120"}}, "idv: Filter names q, which is no attribute; use Search"},
		"no name":              {idv.ListParams{Filter: idv.Filter{"": "x"}}, "idv: Filter names an attribute without a name"},
		"a bracket":            {idv.ListParams{Filter: idv.Filter{"a][b": "x"}}, "idv: Filter names an attribute with a bracket, a blank or a control character in its name"},
		"a control character":  {idv.ListParams{Filter: idv.Filter{"a\n": "x"}}, "idv: Filter names an attribute with a bracket, a blank or a control character in its name"},
		"a bracket in a range": {idv.ListParams{Ranges: map[string]idv.TimeRange{"a[gt]": {}}}, "idv: Ranges names an attribute with a bracket, a blank or a control character in its name"},
		"created_at twice":     {idv.ListParams{Ranges: map[string]idv.TimeRange{"created_at": {}}}, "idv: Ranges names created_at, which has a field of its own"},
		"a negative count":     {idv.ListParams{Count: -1}, "idv: Count is negative"},
		"a negative offset":    {idv.ListParams{Offset: -1}, "idv: Offset is negative"},
	} {
		_, err := c.People.List(bg(), &p.params)
		assert.EqualError(t, err, p.want, name)
	}
	assert.Empty(t, *requests)
}

func TestAListKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 200, `{"cursor":"later","object":"list","data":[{"id":"1","x":1},{"id":"2"}],"has_more":true,"total_count":9}`)
	page, err := c.People.List(bg(), nil)
	require.NoError(t, err)
	assert.Equal(t, `"later"`, string(page.Extra()["cursor"]))
	assert.Equal(t, `{"id":"1","x":1}`, string(page.Data[0].RawJSON()))
	assert.Equal(t, `1`, string(page.Data[0].Extra()["x"]))
	grown := append(page.Data[0].RawJSON(), "overwritten"...)
	assert.NotEmpty(t, grown)
	assert.Equal(t, `{"id":"2"}`, string(page.Data[1].RawJSON()), "appending to one item's JSON leaves the next alone")
}

// A pointer receiver would be silently ignored by go-querystring, and a filter printed as a map.
func TestFiltersAndRangesEncodeThemselvesAsValues(t *testing.T) {
	t.Parallel()
	for _, v := range []any{idv.Filter{}, idv.TimeRange{}} {
		_, ok := v.(query.Encoder)
		assert.True(t, ok, "%T", v)
	}
}

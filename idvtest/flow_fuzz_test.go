package idvtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"unicode/utf8"
)

// FuzzFlowInput sends any body to the Flow API: it answers with a session, or with an error that says what is wrong with
// the body.
func FuzzFlowInput(f *testing.F) {
	for _, seed := range []string{
		`{"template_id":"flwtmp_a","user":{"customer_reference":"ref","name":{"first":"A"}}}`,
		`{"template_id":"flwtmp_a","customer_reference":"ref","strategy":"custom","steps":{"selfie_check":true}}`,
		`{"user":null}`, `{"steps":[]}`, `[]`, `null`, `{`, "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		cfg := newFlowConfig()
		clock, d := newClock(defaultStart), newDice(1)
		flow := newFlow(clock, d, cfg, newWebhooks(clock, d, cfg))
		for _, handle := range []flowHandler{flow.createSession, flow.retrySession} {
			req := httptest.NewRequest(http.MethodPost, "/", nil)
			status, session, refused := handle(req, body)
			switch {
			case refused != nil && (refused.status < 400 || refused.status > 499 || refused.detail == ""):
				t.Errorf("refused with %d %q", refused.status, refused.detail)
			case refused == nil && (status != http.StatusCreated || !json.Valid(appendJSON(nil, session))):
				t.Errorf("answered %d", status)
			}
		}
	})
}

// FuzzEvent checks that a customer reference comes back as it was given, whatever it holds.
func FuzzEvent(f *testing.F) {
	f.Add("3a409367-a417-4d46-9a92-3d7bc5dc4605")
	f.Add("\"\\\u2028</script>\x7f\x00")
	f.Fuzz(func(t *testing.T, reference string) {
		cfg := newFlowConfig()
		clock, d := newClock(defaultStart), newDice(1)
		flow := newFlow(clock, d, cfg, newWebhooks(clock, d, cfg))
		e := flow.sessionEvent(KindStepUpdated, flow.create(customer{reference, FlowTemplate}, sessionUser{}))
		var got struct {
			Data struct {
				Reference string `json:"customer_reference"`
			}
		}
		if err := json.Unmarshal(e.body, &got); err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(reference) && got.Data.Reference != reference {
			t.Errorf("%q came back as %q", reference, got.Data.Reference)
		}
	})
}

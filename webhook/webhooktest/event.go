package webhooktest

import (
	"crypto/rand"
	"encoding/json"
	"time"
)

// Event describes a Flow session event. What is left empty gets a plausible value, so that the zero Event is a session of a new
// customer that has succeeded.
type Event struct {
	ID                string    // default: a new one, whkevt_...
	Timestamp         time.Time // default: now
	Kind              string    // default: by Step: flow_session.step.updated with one, flow_session.status.updated without
	SessionID         string    // default: a new one, flwses_...
	Status            string    // default: by Kind: success for flow_session.status.updated, else active
	Step              string    // default: accept_tos for flow_session.retried, else null
	CustomerReference string    // default: a new one
	Environment       string    // default: sandbox
}

// Body returns the event as the service writes it.
func (e Event) Body() []byte {
	e = e.complete()
	var step *string
	if e.Step != "" {
		step = &e.Step
	}
	body, err := json.Marshal(eventJSON{
		ID: e.ID, Timestamp: e.Timestamp.UTC().Format(time.RFC3339), Event: e.Kind, Environment: e.Environment,
		Data: dataJSON{
			Object: "flow_session", ID: e.SessionID, Status: e.Status, Step: step, CustomerReference: e.CustomerReference,
			Meta: "This API format is not v1.0 and is subject to change.",
		},
	})
	if err != nil {
		panic("webhooktest: strings cannot fail to marshal: " + err.Error())
	}
	return body
}

func (e Event) complete() Event {
	const stepUpdated, statusUpdated, retried = "flow_session.step.updated", "flow_session.status.updated", "flow_session.retried"
	if e.Kind == "" && e.Step != "" {
		e.Kind = stepUpdated
	}
	setDefault(&e.Kind, statusUpdated)
	if e.Kind == statusUpdated {
		setDefault(&e.Status, "success")
	}
	if e.Kind == retried {
		setDefault(&e.Step, "accept_tos")
	}
	setDefault(&e.Status, "active")
	setDefault(&e.ID, "whkevt_"+rand.Text()[:14])
	setDefault(&e.SessionID, "flwses_"+rand.Text()[:14])
	setDefault(&e.CustomerReference, rand.Text())
	setDefault(&e.Environment, "sandbox")
	if e.Timestamp.IsZero() {
		e.Timestamp = time.Now()
	}
	return e
}

func setDefault(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// The members in the order in which the service writes them.
type eventJSON struct {
	ID          string   `json:"id"`
	Timestamp   string   `json:"timestamp"`
	Event       string   `json:"event"`
	Data        dataJSON `json:"data"`
	Environment string   `json:"environment"`
}

type dataJSON struct {
	Object            string  `json:"object"`
	ID                string  `json:"id"`
	Status            string  `json:"status"`
	Step              *string `json:"step"`
	CustomerReference string  `json:"customer_reference"`
	Meta              string  `json:"_meta"`
}

package idvtest

import "time"

// The reminder in every data object that the format may change (contract: data object of Flow session events).
const formatNotice = "This API format is not v1.0 and is subject to change."

// event is what a webhook tells, as the bytes that go out: a redelivery repeats them to the last one.
type event struct {
	id, kind string
	body     []byte
}

func (f *flow) newEvent(kind string, data object) event {
	id := "whkevt_" + f.dice.hex(14)
	body := object{
		{"id", id},
		{"timestamp", f.nextTimestamp()},
		{"event", kind},
		{"data", f.config.extended(data)},
		{"environment", f.config.environment},
	}
	return event{id, kind, appendJSON(nil, f.config.extended(body))}
}

// nextTimestamp lets no two events have the same, which a receiver could not put in order: while the clock stands still,
// each is a millisecond after the one before.
func (f *flow) nextTimestamp() string {
	f.told = latest(f.clock.Now().Truncate(time.Millisecond), f.told.Add(time.Millisecond))
	return f.told.Format(time.RFC3339Nano)
}

// sessionEvent tells about a session as it is now; a session that has ended is at no step.
func (f *flow) sessionEvent(kind string, s *Session) event {
	var step any
	if s.status == StatusActive {
		step = s.step
	}
	return f.newEvent(kind, object{
		{"object", "flow_session"},
		{"id", s.ID},
		{"status", s.status},
		{"step", step},
		{"customer_reference", s.CustomerReference},
		{"_meta", f.config.notice()},
	})
}

// screeningEvent has data of our own making: the contract does not show any, and a receiver must not depend on them.
func (f *flow) screeningEvent(kind string, s *Session, status string) event {
	kindOf := map[string]string{KindScreeningUpdated: "screening", KindEntityScreeningUpdated: "entity_screening"}
	return f.newEvent(kind, object{
		{"object", kindOf[kind]},
		{"id", s.screening},
		{"status", status},
		{"flow_session_id", s.ID},
		{"customer_reference", s.CustomerReference},
		{"_meta", f.config.notice()},
	})
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// timestampOrNil is null in JSON for a moment that has not come.
func timestampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return timestamp(t)
}

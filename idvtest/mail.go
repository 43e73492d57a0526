package idvtest

import (
	"fmt"
	"time"
)

// Mail is an email to the customer.
type Mail struct {
	// Time is when it was sent, on the service's clock.
	Time time.Time

	// WebhookID names the webhook that it is about.
	WebhookID string

	Subject, Body string
}

// warning is the mail after three days of errors (contract: Errors). The contract does not show its text.
func warning(s *subscription, f *failure, now time.Time) Mail {
	return Mail{
		Time:      now,
		WebhookID: s.id,
		Subject:   "Your webhook seems not to work",
		Body: fmt.Sprintf("Since %s, the webhook %s has answered every delivery with an error. If it still fails at %s, "+
			"it will be disabled; you can turn it on again in the settings.",
			f.since.Format(time.RFC1123), s.id, f.since.Add(disableAfter).Format(time.RFC1123)),
	}
}

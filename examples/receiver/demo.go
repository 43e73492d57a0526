package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// demo plays the service to a receiver on a port of this machine.
func demo(ctx context.Context, out io.Writer) error {
	d := &player{
		signer: webhooktest.Signer{KeyID: "demo_key", Secret: "demo_secret_" + rand.Text(), Path: receiverPath},
		began:  time.Now().Add(-time.Minute),
		table:  tabwriter.NewWriter(out, 0, 0, 2, ' ', 0),
	}
	key, err := webhook.NewSigningKey(d.signer.KeyID, d.signer.Secret)
	if err != nil {
		return err
	}
	d.app, err = newApp(key, webhook.WithObserver(func(_ context.Context, o webhook.Observation) { d.outcome = o }))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	d.base = "http://" + l.Addr().String()
	serving, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- serve(serving, l, d.app.routes()) }()
	played := d.play(ctx)
	stop()
	return errors.Join(played, d.table.Flush(), <-served)
}

// player sends deliveries, one after the other, and notes what became of each.
type player struct {
	app     *app
	signer  webhooktest.Signer
	base    string
	began   time.Time
	table   *tabwriter.Writer
	outcome webhook.Observation // of the latest request to the Receiver
}

const (
	reference = "customer-1"
	first     = "flwses_first"
	second    = "flwses_second"
)

// at is an event of the customer, dated some seconds after the beginning.
func (d *player) at(seconds int, e webhooktest.Event) []byte {
	e.ID = fmt.Sprintf("whkevt_%02d", seconds)
	e.Timestamp = d.began.Add(time.Duration(seconds) * time.Second)
	e.CustomerReference = reference
	return e.Body()
}

// delivery is one request of the play.
type delivery struct {
	what   string
	signer webhooktest.Signer
	signed []byte
	sent   []byte // where it is another body than the signed one
	down   bool   // our database, while it is handled
}

func (d *player) script() []delivery {
	started := d.at(1, webhooktest.Event{SessionID: first, Step: "accept_tos"})
	failed := d.at(9, webhooktest.Event{SessionID: first, Status: "failed"})
	altered := bytes.Replace(failed, []byte("failed"), []byte("success"), 1)
	success := d.at(29, webhooktest.Event{SessionID: second, Status: "success"})
	service, forger, late, plain, plainForger := d.signer, d.signer, d.signer, d.signer, d.signer
	forger.Secret, plainForger.Secret = "what a forger would guess", "what a forger would guess"
	late.Now = func() time.Time { return time.Now().Add(-20 * time.Minute) }
	plain.Path, plainForger.Path = plainPath, plainPath
	return []delivery{
		{what: "the user accepts the terms", signer: service, signed: started},
		{what: "the same, delivered again", signer: service, signed: started},
		{what: "the session fails", signer: service, signed: failed},
		{what: "an earlier step, overtaken", signer: service, signed: d.at(5, webhooktest.Event{SessionID: first, Step: "kyc_check"})},
		{what: "forged: signed with another secret", signer: forger, signed: success},
		{what: "forged: failed made success on the way", signer: service, signed: failed, sent: altered},
		{what: "replayed 20 minutes later", signer: late, signed: failed},
		{what: "another event under a known id", signer: service, signed: altered},
		{what: "a step of the retry, before the retry", signer: service, signed: d.at(25, webhooktest.Event{SessionID: second, Step: "kyc_check"})},
		{what: "the retry", signer: service, signed: d.at(20, webhooktest.Event{Kind: "flow_session.retried", SessionID: second})},
		{what: "the retry succeeds, our database is down", signer: service, signed: success, down: true},
		{what: "the same, delivered again", signer: service, signed: success},
		{what: "a kind that nobody knows yet", signer: service, signed: d.at(30, webhooktest.Event{Kind: "flow_session.archived"})},
		{what: "the success, to the plain handler", signer: plain, signed: success},
		{what: "forged, to the plain handler", signer: plainForger, signed: success},
	}
}

func (d *player) play(ctx context.Context) error {
	fmt.Fprintln(d.table, "DELIVERY\tANSWER\tTHE RECEIVER\tTHE CUSTOMER")
	for _, s := range d.script() {
		d.app.approve = func(string) error {
			if s.down {
				return errors.New("the database is down")
			}
			return nil
		}
		status, err := d.deliver(ctx, s)
		if err != nil {
			return err
		}
		current, _ := d.app.customer(reference).Current()
		fmt.Fprintf(d.table, "%s\t%d\t%s\t%v\n", s.what, status, d.did(s), current)
	}
	return nil
}

func (d *player) deliver(ctx context.Context, s delivery) (status int, err error) {
	if s.sent == nil {
		s.sent = s.signed
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+s.signer.Path, bytes.NewReader(s.sent))
	if err != nil {
		return 0, err
	}
	req.Header = s.signer.Header(s.signed)
	req.Close = true
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// did says what the receiver did with the latest request.
func (d *player) did(s delivery) string {
	switch {
	case s.signer.Path == plainPath:
		return "-"
	case d.outcome.Outcome == webhook.OutcomeRefused:
		why, _, _ := strings.Cut(strings.TrimPrefix(d.outcome.Err.Error(), "webhook: "), ":")
		why, _, _ = strings.Cut(why, ",")
		return "refused, " + why
	}
	return string(d.outcome.Outcome)
}

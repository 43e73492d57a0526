package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"time"

	paddle "github.com/PaddleHQ/paddle-go-sdk/v4"
	"github.com/google/go-github/v88/github"
	"github.com/openai/openai-go/v3/option"
	openaihooks "github.com/openai/openai-go/v3/webhooks"
	"github.com/slack-go/slack"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	stripehooks "github.com/stripe/stripe-go/v85/webhook"
	svix "github.com/svix/svix-webhooks/go"
)

func hexMAC(secret, before string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(before))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func stripeHeader(d Delivery) string {
	signed := stripehooks.GenerateTestSignedPayload(&stripehooks.UnsignedPayload{Payload: d.Signed, Secret: d.Secret})
	return signed.Header
}

func stripeValidate(d Delivery) (func() error, error) {
	header := stripeHeader(d)
	return func() error { return stripehooks.ValidatePayload(d.Delivered, header, Secret) }, nil
}

func stripeConstruct(d Delivery) (func() error, error) {
	header := stripeHeader(d)
	return func() error {
		_, err := stripehooks.ConstructEvent(d.Delivered, header, Secret)
		return err
	}, nil
}

// githubRequest has a body because ValidatePayload reads it itself.
func githubRequest(d Delivery) (*http.Request, *Body) {
	r := &http.Request{Method: http.MethodPost, Header: http.Header{}, ContentLength: int64(len(d.Delivered))}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(github.SHA256SignatureHeader, "sha256="+hexMAC(d.Secret, "", d.Signed))
	return r, &Body{content: d.Delivered}
}

func goGithub(d Delivery) (func() error, error) {
	r, body := githubRequest(d)
	secret := []byte(Secret)
	return func() error {
		body.Rewind(r)
		_, err := github.ValidatePayload(r, secret)
		return err
	}, nil
}

func slackGo(d Delivery) (func() error, error) {
	at := unix()
	h := http.Header{}
	h.Set("X-Slack-Request-Timestamp", at)
	h.Set("X-Slack-Signature", "v0="+hexMAC(d.Secret, "v0:"+at+":", d.Signed))
	return func() error {
		v, err := slack.NewSecretsVerifier(h, Secret)
		if err != nil {
			return err
		}
		if _, err := v.Write(d.Delivered); err != nil {
			return err
		}
		return v.Ensure()
	}, nil
}

// paddleGo reads the body itself too.
func paddleGo(d Delivery) (func() error, error) {
	v := paddle.NewWebhookVerifier(Secret, paddle.VerifierWithTimestampTolerance(5*time.Minute))
	at := unix()
	r := &http.Request{Method: http.MethodPost, Header: http.Header{}, ContentLength: int64(len(d.Delivered))}
	r.Header.Set("Paddle-Signature", "ts="+at+";h1="+hexMAC(d.Secret, at+":", d.Signed))
	body := &Body{content: d.Delivered}
	return func() error {
		body.Rewind(r)
		ok, err := v.Verify(r)
		if err != nil {
			return err
		}
		return verdict(ok)
	}, nil
}

// standardHeader is the header of the scheme that svix began and Standard Webhooks and OpenAI share.
func standardHeader(d Delivery) (http.Header, error) {
	const id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
	signer, err := standardwebhooks.NewWebhookRaw([]byte(d.Secret))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	signature, err := signer.Sign(id, now, d.Signed)
	h := http.Header{}
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", unixOf(now))
	h.Set("webhook-signature", signature)
	return h, err
}

func standardWebhooks(d Delivery) (func() error, error) {
	h, err := standardHeader(d)
	if err != nil {
		return nil, err
	}
	v, err := standardwebhooks.NewWebhookRaw([]byte(Secret))
	return func() error { return v.Verify(d.Delivered, h) }, err
}

func svixGo(d Delivery) (func() error, error) {
	h, err := standardHeader(d)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"id", "timestamp", "signature"} {
		h.Set("svix-"+name, h.Get("webhook-"+name))
		h.Del("webhook-" + name)
	}
	v, err := svix.NewWebhookRaw([]byte(Secret))
	return func() error { return v.Verify(d.Delivered, h) }, err
}

func openAI(d Delivery) (func() error, error) {
	h, err := standardHeader(d)
	service := openaihooks.NewWebhookService(option.WithWebhookSecret("whsec_" + base64.StdEncoding.EncodeToString([]byte(Secret))))
	return func() error { return service.VerifySignature(d.Delivered, h) }, err
}

// Package webhooks makes the verifiers of several libraries ready to judge a delivery, each signed by its own scheme. All of the
// schemes are an HMAC with SHA-256; ours is over a digest of the body, the others' over the body itself.
package webhooks

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
)

// Secret is the secret of every verifier. A delivery that another secret has signed is forged.
const Secret = "a secret of thirty-two bytes ...."

// Sizes are the bodies that are measured.
var Sizes = []int{340, 4 << 10, 64 << 10, 1 << 20}

// Delivery is what a sender makes of a body.
type Delivery struct {
	Secret    string // the one that signs
	Signed    []byte
	Delivered []byte // the same, if nobody was at it
}

// Genuine is a delivery that every verifier accepts.
func Genuine(body []byte) Delivery { return Delivery{Secret: Secret, Signed: body, Delivered: body} }

// Verifier is a library that judges deliveries.
type Verifier struct {
	Name string
	// New signs a delivery by the library's scheme, and returns what verifies it. It can be called any number of times, within the
	// minutes that a signature is fresh; nil means genuine.
	New func(d Delivery) (verify func() error, err error)
}

// Verifiers are all of them. The first is the floor.
func Verifiers() []Verifier {
	return []Verifier{
		{FloorName, floor},
		{"idv, VerifyMessage", oursMessage},
		{"idv, Verify(*http.Request)", oursRequest},
		{"this scheme written naively", naive},
		{"go-github ValidatePayload", goGithub},
		{"stripe-go ValidatePayload", stripeValidate},
		{"slack-go SecretsVerifier", slackGo},
		{"standard-webhooks", standardWebhooks},
		{"svix", svixGo},
		{"paddle-go-sdk", paddleGo},
		{"openai-go", openAI},
		{"go-fed/httpsig, digest and date by hand", goFed},
		{"stripe-go ConstructEvent (decodes too)", stripeConstruct},
	}
}

// FloorName is the name of the floor in every table.
const FloorName = "floor: SHA-256, cached HMAC, Base64, compare"

var errRefused = errors.New("the delivery was refused")

func verdict(ok bool) error {
	if ok {
		return nil
	}
	return errRefused
}

// Event is a JSON event of exactly size bytes, at least 340. It is an event to stripe-go's eyes, which decodes it; nobody else does.
func Event(size int) []byte {
	head := fmt.Sprintf(`{"id":"evt_1","object":"event","api_version":%q,"created":1700000000,"livemode":false,`+
		`"type":"flow_session.step.updated","data":{"object":{"items":[`, stripe.APIVersion)
	const item = `{"object":"flow_session","id":"flwses_1","status":"active","step":"kyc_check","attempts":1,"done":false},`
	const tail = `null],"pad":"%s"}}}`
	room := size - len(head) - len(tail) + len("%s")
	items := strings.Repeat(item, max(0, room/len(item)-1))
	pad := strings.Repeat("x", room-len(items))
	return []byte(head + items + fmt.Sprintf(tail, pad))
}

// unix is the clock of the schemes that send Unix seconds.
func unix() string { return unixOf(time.Now()) }

func unixOf(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

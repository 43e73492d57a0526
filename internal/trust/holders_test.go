package trust_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keyHolders show nothing even in a field of a caller's own that is not exported, where fmt calls no methods.
var keyHolders = strings.Fields(`idv.Client idv.CandidatesService idv.CompaniesService idv.PeopleService idv.QuestionSetsService
	idv.WatchlistsService webhook.Verifier webhook.SigningKey flow.Client flow.SessionsService`)

// TestEveryHolderKeepsSilent: what holds a key, a secret or somebody's data in fields that are not exported shows none of it.
func TestEveryHolderKeepsSilent(t *testing.T) {
	t.Parallel()
	holders := holders(t)
	for _, name := range byConstruction {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, holders, name)
			v := holders[name]
			assertSilent(t, v, "as it is")
			assertClean(t, printed([]any{v}), "in a slice")
			if slices.Contains(keyHolders, name) {
				assertClean(t, printed(struct{ v any }{v}), "in a field that is not exported")
			}
		})
	}
	assert.Len(t, holders, len(byConstruction))
}

func holders(t *testing.T) map[string]any {
	t.Helper()
	client, err := idv.New("https://api.example", "sk_test_"+canaryKey)
	require.NoError(t, err)
	flows, err := flow.New("https://flow.example", canaryKey, canarySecret)
	require.NoError(t, err)
	key, err := webhook.NewSigningKey(canaryKey, canarySecret)
	require.NoError(t, err)
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	require.NoError(t, err)
	store, err := webhook.NewMemoryStore(webhook.MemoryConfig{})
	require.NoError(t, err)
	_, err = store.Claim(t.Context(), webhook.SeenKey{KeyID: canaryKey, EventID: "1"}, [32]byte{})
	require.NoError(t, err)

	event, err := webhook.ParseEvent(webhooktest.Event{CustomerReference: canaryData}.Body())
	require.NoError(t, err)
	var state session.State
	require.NoError(t, state.Apply(event))
	var customer session.Customer
	require.NoError(t, customer.Apply(event))

	service := idvtest.Start(t)
	service.TestKey, service.LiveKey, service.WebhookKeyID, service.WebhookSecret = canaryKey, canaryKey, canaryKey, canarySecret
	service.AddPeople(1, func(int) idvtest.Person { return idvtest.Person{NameFirst: canaryData} })
	return map[string]any{
		"idv.Client": client, "idv.CandidatesService": client.Candidates, "idv.CompaniesService": client.Companies,
		"idv.PeopleService": client.People, "idv.QuestionSetsService": client.QuestionSets, "idv.WatchlistsService": client.Watchlists,
		"webhook.Verifier": verifier, "webhook.Receiver": webhook.NewReceiver(verifier, webhook.WithSeen(store)),
		"webhook.SigningKey": key, "webhook.MemoryStore": store,
		"flow.Client": flows, "flow.SessionsService": flows.Sessions,
		"session.State": state, "session.Customer": customer,
		"idvtest.Server": service, "idvtest.Session": service.StartSession(canaryData), "idvtest.Clock": service.Clock,
		"idvtest.Dashboard": service.Dashboard(), "seentest.Subject": seentest.Subject{Store: store},
	}
}

package trust_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
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

// packages are those that a program can import. A new one belongs here, and its types below.
var packages = map[string]string{
	"flow": "../../flow",
	"idv":  "../..", "webhook": "../../webhook", "session": "../../webhook/session",
	"webhooktest": "../../webhook/webhooktest", "seentest": "../../webhook/seentest", "idvtest": "../../idvtest",
}

// kept is a type that could hold something, and the fields of it that may be shown: names of things, never of persons.
type kept struct {
	of    reflect.Type
	shown []string
}

func typeOf[T any](shown ...string) kept { return kept{reflect.TypeFor[T](), shown} }

// byReflection has every exported type that is a struct or a map, filled field by field.
var byReflection = map[string]kept{
	"idv.Answer": typeOf[idv.Answer](), "idv.Candidate": typeOf[idv.Candidate]("ID"), "idv.CandidateParams": typeOf[idv.CandidateParams](),
	"idv.Choice": typeOf[idv.Choice]("ID"), "idv.Company": typeOf[idv.Company]("ID"), "idv.CompanyDetails": typeOf[idv.CompanyDetails](),
	"idv.CompanyParams": typeOf[idv.CompanyParams](), "idv.EntryAddress": typeOf[idv.EntryAddress](), "idv.EntryBirth": typeOf[idv.EntryBirth](),
	"idv.EntryDocument": typeOf[idv.EntryDocument](), "idv.EntryName": typeOf[idv.EntryName](), "idv.Filter": typeOf[idv.Filter](),
	"idv.Hit": typeOf[idv.Hit]("ID"), "idv.List": typeOf[idv.List[idv.Person]]("ID"), "idv.ListParams": typeOf[idv.ListParams](),
	"idv.Person": typeOf[idv.Person]("ID"), "idv.PersonDetails": typeOf[idv.PersonDetails](), "idv.PersonParams": typeOf[idv.PersonParams](),
	"idv.Question": typeOf[idv.Question]("ID"), "idv.QuestionSet": typeOf[idv.QuestionSet]("ID"),
	"idv.QuestionSetParams": typeOf[idv.QuestionSetParams](), "idv.WatchlistEntry": typeOf[idv.WatchlistEntry]("ID"),
	"idv.WatchlistMatch": typeOf[idv.WatchlistMatch]("ID"), "idv.WatchlistSearch": typeOf[idv.WatchlistSearch]("ID"),
	"idv.WatchlistSearchParams": typeOf[idv.WatchlistSearchParams](), "idv.Time": typeOf[idv.Time](), "idv.TimeRange": typeOf[idv.TimeRange](),

	"idv.Response": typeOf[idv.Response]("RequestID"),
	"idv.Attempt":  typeOf[idv.Attempt]("Method", "Route", "ErrorClass", "RequestID"),
	// What the service says in an error object is shown: the design asks for it, and SECURITY.md says so.
	"idv.Error":           typeOf[idv.Error]("Param", "Message", "Detail", "Pointer", "RequestID", "Method", "Path"),
	"idv.UncertainError":  typeOf[idv.UncertainError]("Method", "Path"),
	"idv.TransportError":  typeOf[idv.TransportError]("Method", "Path"),
	"idv.DecodeError":     typeOf[idv.DecodeError]("Method", "Path"),
	"idv.ParamError":      typeOf[idv.ParamError]("Param", "Problem"),
	"idv.IncompleteError": typeOf[idv.IncompleteError]("Reason"), "idv.Gap": typeOf[idv.Gap]("Reason"), "idv.LimitError": typeOf[idv.LimitError](),

	"webhook.Delivery": typeOf[webhook.Delivery](), "webhook.Message": typeOf[webhook.Message](),
	"webhook.Envelope": typeOf[webhook.Envelope]("ID"), "webhook.Session": typeOf[webhook.Session]("ID"),
	"webhook.StepUpdated": typeOf[webhook.StepUpdated]("ID"), "webhook.StatusUpdated": typeOf[webhook.StatusUpdated]("ID"),
	"webhook.Retried": typeOf[webhook.Retried]("ID"), "webhook.ScreeningUpdated": typeOf[webhook.ScreeningUpdated]("ID"),
	"webhook.UnknownEvent": typeOf[webhook.UnknownEvent]("ID"), "webhook.Observation": typeOf[webhook.Observation]("EventID"),
	"webhook.PanicError": typeOf[webhook.PanicError](), "webhook.SeenKey": typeOf[webhook.SeenKey]("EventID"),
	"webhook.Claim": typeOf[webhook.Claim](), "webhook.Health": typeOf[webhook.Health](), "webhook.MemoryConfig": typeOf[webhook.MemoryConfig](),

	"flow.IDNumber": typeOf[flow.IDNumber](), "flow.JSON": typeOf[flow.JSON](), "flow.Name": typeOf[flow.Name](),
	"flow.NameParams": typeOf[flow.NameParams](), "flow.RetryParams": typeOf[flow.RetryParams](),
	"flow.Session": typeOf[flow.Session]("ID"), "flow.SessionParams": typeOf[flow.SessionParams](),
	"flow.Template": typeOf[flow.Template]("ID"), "flow.Time": typeOf[flow.Time](),
	"flow.User": typeOf[flow.User](), "flow.UserParams": typeOf[flow.UserParams](), "session.Fetched": typeOf[session.Fetched]("ID", "PreviousSessionID"),

	"seentest.Figures": typeOf[seentest.Figures](), "seentest.Crash": typeOf[seentest.Crash](),
	"webhooktest.Event":  typeOf[webhooktest.Event]("ID", "Kind", "SessionID", "Status", "Step", "Environment"),
	"webhooktest.Signer": typeOf[webhooktest.Signer]("Path", "Environment"),

	"idvtest.Address": typeOf[idvtest.Address]("CountryCode"), "idvtest.Candidate": typeOf[idvtest.Candidate]("ID"),
	"idvtest.Company": typeOf[idvtest.Company]("ID", "Status"), "idvtest.Person": typeOf[idvtest.Person]("ID", "Status"),
	"idvtest.SanctionedEntry": typeOf[idvtest.SanctionedEntry]("ID", "List", "EntryType"),
	"idvtest.Request":         typeOf[idvtest.Request]("Method", "Path", "RequestID", "Refused"),
	"idvtest.Webhook":         typeOf[idvtest.Webhook]("ID", "URL", "Kinds"),
	"idvtest.Delivery":        typeOf[idvtest.Delivery]("WebhookID", "EventID", "Kind"),
	"idvtest.Mail":            typeOf[idvtest.Mail]("WebhookID", "Subject", "Body"),
	"idvtest.Fault":           typeOf[idvtest.Fault]("Method", "Path", "Redirect"),
}

// byConstruction are made whole with a canary inside, in holders below; noState can hold nothing.
var (
	byConstruction = strings.Fields(`idv.Client idv.CandidatesService idv.CompaniesService idv.PeopleService idv.QuestionSetsService
		idv.WatchlistsService webhook.Verifier webhook.Receiver webhook.SigningKey webhook.MemoryStore session.State session.Customer
		flow.Client flow.SessionsService idvtest.Server idvtest.Session idvtest.Clock idvtest.Dashboard seentest.Subject`)
	noState = strings.Fields(`idv.CallOption idv.Option idv.DocumentType idv.EntryType idv.ErrorCode idv.ErrorType idv.IncorporationType
		idv.Match idv.MatchType idv.Mode idv.Risk idv.Status webhook.ClaimOutcome webhook.Environment webhook.Event webhook.KeySource
		webhook.Kind webhook.Option webhook.Outcome webhook.ReceiverOption webhook.SeenStore webhook.Status webhook.Step session.Reason
		flow.Option flow.Status flow.Step flow.StepStatus flow.Strategy flow.Text idvtest.Option idvtest.Order`)
)

// TestEveryExportedTypeIsLookedAt reads the sources, so that a type that is added later cannot be forgotten here.
func TestEveryExportedTypeIsLookedAt(t *testing.T) {
	t.Parallel()
	var listed, found []string
	for name := range byReflection {
		listed = append(listed, name)
	}
	listed = append(append(listed, byConstruction...), noState...)
	for name, dir := range packages {
		found = append(found, exportedTypes(t, name, dir)...)
	}
	assert.ElementsMatch(t, found, listed)
}

func exportedTypes(t *testing.T, name, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
				names = append(names, name+"."+spec.Name.Name)
			}
			_, function := n.(*ast.FuncDecl)
			return !function // a type in a function is nobody else's
		})
	}
	return names
}

func TestEveryExportedTypeKeepsSilent(t *testing.T) {
	t.Parallel()
	for name, k := range byReflection {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := reflect.New(k.of)
			filler{k.shown}.fill(v.Elem(), 0)
			assertSilent(t, v.Interface(), "pointer")
			assertSilent(t, v.Elem().Interface(), "value")
			many := reflect.Append(reflect.MakeSlice(reflect.SliceOf(k.of), 0, 1), v.Elem()).Interface()
			for _, container := range []any{many, []any{v.Interface()}, struct{ V any }{v.Interface()}, map[string]any{"v": v.Elem().Interface()}} {
				assertClean(t, printed(container), "in a container")
			}
		})
	}
}

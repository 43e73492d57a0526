package idv_test

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"example.com/idv"
)

// The public surface that other programs compile against. It is compiled; nothing is run.
var (
	_ func(baseURL, apiKey string, opts ...idv.Option) (*idv.Client, error)                                                      = idv.New
	_ func(opts ...idv.Option) (*idv.Client, error)                                                                              = idv.NewFromEnv
	_ func(*idv.Client, ...idv.Option) (*idv.Client, error)                                                                      = (*idv.Client).With
	_ func(*idv.Client) idv.Mode                                                                                                 = (*idv.Client).Mode
	_ func(c *idv.Client, ctx context.Context, method, path string, query url.Values, in, out any, opts ...idv.CallOption) error = (*idv.Client).Call

	_ func(*http.Client) idv.Option                       = idv.WithHTTPClient
	_ func() idv.Option                                   = idv.WithTestModeOnly
	_ func(int) idv.Option                                = idv.WithAPIVersion
	_ func(int) idv.Option                                = idv.WithMaxRetries
	_ func(time.Duration) idv.Option                      = idv.WithTimeout
	_ func(time.Duration) idv.Option                      = idv.WithMaxRetryWait
	_ func(*slog.Logger) idv.Option                       = idv.WithLogger
	_ func(func(context.Context, idv.Attempt)) idv.Option = idv.WithObserver
	_ func(string) idv.Option                             = idv.WithUserAgent
	_ func(*idv.Response) idv.CallOption                  = idv.CaptureResponse
	_ func(key, value string) idv.CallOption              = idv.WithQuery
	_ func(key, value string) idv.CallOption              = idv.WithHeader
	_ func(int) idv.CallOption                            = idv.WithRetries
	_ func(func(done, total int)) idv.CallOption          = idv.OnProgress
	_ func(int) idv.CallOption                            = idv.Parallel

	_ func(*idv.PeopleService, context.Context, *idv.PersonParams, ...idv.CallOption) (*idv.Person, error)                                = (*idv.PeopleService).Create
	_ func(*idv.PeopleService, context.Context, string, ...idv.CallOption) (*idv.Person, error)                                           = (*idv.PeopleService).Get
	_ func(*idv.PeopleService, context.Context, *idv.ListParams, ...idv.CallOption) (*idv.List[idv.Person], error)                        = (*idv.PeopleService).List
	_ func(*idv.PeopleService, context.Context, *idv.ListParams, ...idv.CallOption) iter.Seq2[*idv.Person, error]                         = (*idv.PeopleService).All
	_ func(s *idv.PeopleService, ctx context.Context, p *idv.PersonParams, reference string, opts ...idv.CallOption) (*idv.Person, error) = (*idv.PeopleService).CreateOnce
	_ func(*idv.QuestionSetsService, context.Context, *idv.QuestionSetParams, ...idv.CallOption) (*idv.QuestionSet, error)                = (*idv.QuestionSetsService).Create
	_ func(*idv.QuestionSetsService, context.Context, string, []idv.Answer, ...idv.CallOption) (*idv.QuestionSet, error)                  = (*idv.QuestionSetsService).Score
	_ func(*idv.CompaniesService, context.Context, *idv.CompanyParams, ...idv.CallOption) (*idv.Company, error)                           = (*idv.CompaniesService).Create
	_ func(*idv.CandidatesService, context.Context, string, *idv.CandidateParams, ...idv.CallOption) (*idv.Candidate, error)              = (*idv.CandidatesService).Update
	_ func(*idv.CandidatesService, context.Context, string, ...idv.CallOption) (*idv.Candidate, error)                                    = (*idv.CandidatesService).Delete
	_ func(*idv.CandidatesService, context.Context, string, ...idv.CallOption) ([]*idv.Candidate, error)                                  = (*idv.CandidatesService).History
	_ func(*idv.CandidatesService, context.Context, string, ...idv.CallOption) ([]*idv.Hit, error)                                        = (*idv.CandidatesService).Hits
	_ func(*idv.WatchlistsService, context.Context, *idv.WatchlistSearchParams, ...idv.CallOption) (*idv.WatchlistSearch, error)          = (*idv.WatchlistsService).Search

	_ = idv.ListParams{Filter: idv.Filter{}, Search: "", CreatedAt: idv.TimeRange{}, UpdatedAt: idv.TimeRange{}, Ranges: map[string]idv.TimeRange{}, Count: 0, Offset: 0}
	_ = idv.TimeRange{After: time.Time{}, NotBefore: time.Time{}, Before: time.Time{}, NotAfter: time.Time{}}
	_ = idv.Error{
		StatusCode: 0, Type: idv.ErrorType(""), Code: idv.ErrorCode(""), Param: "", Message: "", RequestID: "",
		Method: "", Path: "", Attempts: 0, RetryAfter: time.Duration(0), Header: http.Header{}, Body: []byte{},
	}
	_ = idv.UncertainError{Method: "", Path: "", Started: time.Time{}, Err: error(nil)}
	_ = idv.TransportError{Method: "", Path: "", Attempts: 0, Err: error(nil)}
	_ = idv.DecodeError{StatusCode: 0, Body: []byte{}, Err: error(nil)}
	_ = idv.IncompleteError{Gaps: []idv.Gap{}}
	_ = []error{idv.ErrValidation, idv.ErrUnauthorized, idv.ErrRequestFailed, idv.ErrNotFound, idv.ErrRateLimited, idv.ErrServer}
	_ = []idv.Mode{idv.ModeTest, idv.ModeLive}
)

package idv

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"example.com/idv/internal/wire"
)

// QuestionSet is a set of questions that only the right person can answer. Its members are observed, not in the written
// contract.
type QuestionSet struct {
	model     `json:"-"`
	Object    string `json:"object"`
	ID        string `json:"id"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Livemode  bool   `json:"livemode"`
	PersonID  string `json:"person_id"`
	// Score is the percentage of right answers, 0 to 100; nil until the set is scored.
	Score   *float64 `json:"score"`
	Expired bool     `json:"expired"`
	// TimeLimit is in seconds; 0 is none.
	TimeLimit int        `json:"time_limit"`
	Questions []Question `json:"questions"`
}

// Question is one question of a set, in an order made up anew for each set.
type Question struct {
	private  `json:"-"`
	ID       int      `json:"id"`
	Question string   `json:"question"`
	Answers  []Choice `json:"answers"`
}

// Choice is one answer to choose.
type Choice struct {
	private `json:"-"`
	ID      int    `json:"id"`
	Answer  string `json:"answer"`
}

// Extra returns the members of the answer that QuestionSet has no field for, nil if there are none.
func (q *QuestionSet) Extra() map[string]json.RawMessage { return wire.Unknown(q.raw, q) }

// QuestionSetParams says whom to ask.
type QuestionSetParams struct {
	private `json:"-"`
	// PersonID is required. The person must be valid.
	PersonID string `json:"person_id,omitzero"`
	// TimeLimit is in seconds, optional; 0 is none.
	TimeLimit int `json:"time_limit,omitzero"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// Answer chooses the answer AnswerID to the question QuestionID. Ids outside the set count as wrong (observed).
type Answer struct {
	QuestionID int `json:"question_id"`
	AnswerID   int `json:"answer_id"`
}

type scoreParams struct {
	Answers []Answer `json:"answers"`
}

// QuestionSetsService asks people about themselves.
type QuestionSetsService struct{ client *Client }

// Create makes a question set for a valid person; a person can have several. It is sent at most once.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *QuestionSetsService) Create(ctx context.Context, params *QuestionSetParams, opts ...CallOption) (*QuestionSet, error) {
	return send[QuestionSet](ctx, s.client, http.MethodPost, routeQuestionSets, "", params, opts)
}

// Get reads a question set. An unknown id is ErrNotFound. Observed, not in the written contract, which names the path
// only. Errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *QuestionSetsService) Get(ctx context.Context, id string, opts ...CallOption) (*QuestionSet, error) {
	return get[QuestionSet](ctx, s.client, routeQuestionSet, id, opts)
}

// List reads one page of question sets (contract: list queries). params may be nil. Errors: *ParamError, *Error,
// *TransportError, *DecodeError.
func (s *QuestionSetsService) List(ctx context.Context, params *ListParams, opts ...CallOption) (*List[QuestionSet], error) {
	return list[QuestionSet](ctx, s.client, routeQuestionSets, params, opts)
}

// All reads every question set that params select, as PeopleService.All does.
func (s *QuestionSetsService) All(ctx context.Context, params *ListParams, opts ...CallOption) iter.Seq2[*QuestionSet, error] {
	return all[QuestionSet](ctx, s.client, routeQuestionSets, params, opts)
}

// Score hands in answers and answers the set with its Score. It is sent at most once.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError for no answers, *Error,
// *UncertainError, *TransportError, *DecodeError.
func (s *QuestionSetsService) Score(ctx context.Context, id string, answers []Answer, opts ...CallOption) (*QuestionSet, error) {
	return send[QuestionSet](ctx, s.client, http.MethodPost, routeQuestionSetScore, id, &scoreParams{answers}, opts)
}

func (q *QuestionSet) key() (string, Time) { return q.ID, q.CreatedAt }

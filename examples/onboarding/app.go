package main

import (
	"context"
	"embed"
	"html/template"
	"net/http"
	"sync"

	"example.com/idv/flow"
	"example.com/idv/webhook"
)

const receiverPath = "/webhooks/flow"

//go:embed web
var web embed.FS

// app is the application: its customers, and what it needs to verify them.
type app struct {
	api       *flow.Client
	receiver  *webhook.Receiver
	sign      func(reference string) string
	user      user
	pages     *template.Template
	stopped   context.Context // done when the application ends
	stop      context.CancelFunc
	mu        sync.Mutex
	customers map[string]*customer // by customer reference; in a real program, a table with a JSON column
}

func newApp(api *flow.Client, verifier *webhook.Verifier, sign func(string) string) (*app, error) {
	pages, err := template.New("").Funcs(template.FuncMap{"words": words}).ParseFS(web, "web/*.html")
	if err != nil {
		return nil, err
	}
	a := &app{api: api, receiver: webhook.NewReceiver(verifier), sign: sign, pages: pages, customers: make(map[string]*customer)}
	a.stopped, a.stop = context.WithCancel(context.Background())
	a.receiver.OnAny(a.received)
	return a, nil
}

func (a *app) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+receiverPath, a.receiver)
	mux.HandleFunc("GET /{$}", a.home)
	mux.HandleFunc("POST /customers", a.begin)
	mux.HandleFunc("GET /customers/{reference}", a.show)
	mux.HandleFunc("GET /customers/{reference}/live", a.live)
	mux.HandleFunc("POST /customers/{reference}/retry", a.retry)
	mux.HandleFunc("POST /customers/{reference}/play", a.play)
	mux.Handle("GET /web/", http.FileServerFS(web))
	protected := http.NewCrossOriginProtection().Handler(mux) // no other site may post for a visitor
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
		protected.ServeHTTP(w, r)
	})
}

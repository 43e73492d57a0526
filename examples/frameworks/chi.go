package frameworks

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

// Chi mounts the receiver in a chi router, below a route that has a prefix. chi cuts nothing off the request line.
func Chi(receiver http.Handler) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Route("/webhooks", func(r chi.Router) {
		r.Handle("/flow", receiver) // not Post: the receiver refuses other methods itself
	})
	return r
}

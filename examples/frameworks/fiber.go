package frameworks

import (
	"context"
	"net/http"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/adaptor"
)

// Fiber mounts the receiver in a fiber app, through its adaptor for net/http.
//
// fasthttp, which is below, has read the whole body before anything of this runs: a forged request costs what it sends, up to BodyLimit.
func Fiber(receiver http.Handler) *fiber.App {
	app := fiber.New(fiber.Config{BodyLimit: 1 << 20})
	app.All(Path, adaptor.HTTPHandler(detached(receiver)))
	return app
}

// detached takes the cancellation out of the context that the adaptor gives: it is fasthttp's request, which is used again for the next one
// and must not be watched any longer than the handler runs. Nothing is lost, it ends with the server only.
func detached(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithoutCancel(r.Context())))
	})
}

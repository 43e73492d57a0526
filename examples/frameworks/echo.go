package frameworks

import (
	"net/http"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
)

// Echo mounts the receiver in an echo instance. Leave BodyDump and Decompress to other groups: they read the body first. BodyLimit is
// not needed, webhook.WithMaxBody does that for authentic requests and the others are not read at all.
func Echo(receiver http.Handler) http.Handler {
	e := echo.New()
	e.Use(middleware.Recover())
	webhooks := e.Group("/webhooks")
	webhooks.Any("/flow", echo.WrapHandler(receiver))
	return e
}

package frameworks

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// Gin mounts the receiver in a gin engine. Any knows the usual methods only; HandleMethodNotAllowed has the others answered 405 as well,
// where gin's default is 404.
func Gin(receiver http.Handler) http.Handler {
	r := gin.New()
	r.RedirectTrailingSlash = false
	r.HandleMethodNotAllowed = true
	r.Use(gin.Recovery())
	webhooks := r.Group("/webhooks")
	webhooks.Any("/flow", gin.WrapH(receiver))
	return r
}

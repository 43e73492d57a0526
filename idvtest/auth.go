package idvtest

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// errNoCredentials means that a request has no Authorization header that could hold a key.
var errNoCredentials = errors.New("no credentials")

// authenticate tells the mode of a request by its key: the username of HTTP Basic, with an empty password.
func (a *rest) authenticate(r *http.Request) (live bool, err error) {
	key, password, ok := r.BasicAuth()
	if !ok || key == "" {
		return false, errNoCredentials
	}
	live, known := a.keys[key]
	switch {
	case !known:
		return false, unauthorized(textInvalidKey)
	case password != "":
		return false, unauthorized("The password of HTTP Basic must be empty: the API key is the username.")
	case live && r.TLS == nil:
		return false, unauthorized("Requests with a live key must be made over TLS.")
	}
	return live, nil
}

// versionType is the media type of the Accept header that selects a version.
const versionType = "application/vnd.service+json"

// currentVersion is the version that the contract describes.
const currentVersion = 4

// requestedVersion reads the version off the Accept header. Without a number, or without the header, it is the latest.
func requestedVersion(h http.Header, latest int) (int, error) {
	for accepted := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		kind, attributes, err := mime.ParseMediaType(accepted)
		number, named := attributes["version"]
		if err != nil || kind != versionType || !named {
			continue
		}
		version, err := strconv.Atoi(number)
		if err != nil || version != currentVersion && version != latest {
			return 0, badRequest("The API version in the Accept header is not available: the current one is " + strconv.Itoa(currentVersion))
		}
		return version, nil
	}
	return latest, nil
}

// versioned is a result in the form of a version. What a version after the current one looks like nobody knows: it stands in
// for all of them that its answers cannot be taken for those of the current one.
func versioned(result any, version int) any {
	if version == currentVersion {
		return result
	}
	return object{{"api_version", version}, {"result", result}}
}

package idv

// Version is the version of this module, sent in the User-Agent.
const Version = "0.1.0"

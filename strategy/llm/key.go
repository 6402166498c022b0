package llm

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
)

// variables are the environment variables in which the libraries of a provider look
// for its key, by host.
var variables = []struct{ host, name string }{
	{"api.openai.com", "OPENAI_API_KEY"},
	{"openrouter.ai", "OPENROUTER_API_KEY"},
	{"api.anthropic.com", "ANTHROPIC_API_KEY"},
	{"generativelanguage.googleapis.com", "GEMINI_API_KEY"},
	{"api.mistral.ai", "MISTRAL_API_KEY"},
	{"api.groq.com", "GROQ_API_KEY"},
	{"api.deepseek.com", "DEEPSEEK_API_KEY"},
	{"api.together.xyz", "TOGETHER_API_KEY"},
	{"api.x.ai", "XAI_API_KEY"},
	{".openai.azure.com", "AZURE_OPENAI_API_KEY"},
}

// KeySource describes where the key for a server is.
type KeySource struct {
	BaseURL   string              // as in [Config]
	BaseGiven bool                // the user set BaseURL
	Variable  string              // the environment variable that the user named; "" for none
	File      string              // the file that the user named; "" for none
	Env       func(string) string // returns the value of an environment variable
}

// Find returns the key: from the named file or variable, otherwise from the variable
// of the host; "" when the host has none or it is not set. A named variable that
// belongs to another host is refused unless the user set BaseURL too. The error is a
// *ConfigError and never contains a key.
func (s KeySource) Find() (string, error) {
	base, err := checkBase(s.BaseURL)
	if err != nil {
		return "", err
	}
	host := hostOf(base)
	if s.File != "" {
		return readKey(s.File)
	}
	if s.Variable == "" {
		for _, v := range variables {
			if host == v.host || v.host[0] == '.' && strings.HasSuffix(host, v.host) {
				return s.Env(v.name), nil
			}
		}
		return "", nil
	}
	for _, v := range variables {
		if s.Variable == v.name && !s.BaseGiven && host != v.host {
			return "", &ConfigError{fmt.Sprintf("%s is not for %s: set the base URL that it is for", s.Variable, host)}
		}
	}
	key := s.Env(s.Variable)
	if key == "" {
		return "", &ConfigError{fmt.Sprintf("the environment has no %s", s.Variable)}
	}
	return key, nil
}

// readKey reads a file that consists of a key.
func readKey(path string) (string, error) {
	const longest = 8 << 10
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > longest) {
		return "", &ConfigError{path + " is not a file with a key"}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", &ConfigError{"the key cannot be read: " + err.Error()}
	}
	key := strings.TrimSpace(string(data))
	if key == "" {
		return "", &ConfigError{path + " is empty"}
	}
	return key, nil
}

// checkKey refuses a key that cannot stand in a header.
func checkKey(key string) error {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] >= 0x7f {
			return &ConfigError{"the key has a space, a line break or another character that no key has"}
		}
	}
	return nil
}

// checkBase refuses an address over which a conversation or a key would travel
// unencrypted. It returns others without the slash at the end.
func checkBase(base string) (string, error) {
	if base == "" {
		base = DefaultBaseURL
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "", &ConfigError{"the base URL is not of the form https://host/v1"}
	case u.User != nil:
		return "", &ConfigError{"the base URL holds a name or a password: put the key into a variable or a file"}
	case u.RawQuery != "" || u.Fragment != "":
		return "", &ConfigError{"the base URL has a query: Azure needs none at /openai/v1"}
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return "", &ConfigError{fmt.Sprintf("http://%s is not encrypted: without https only this machine is allowed", u.Host)}
	}
	return strings.TrimRight(base, "/"), nil
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// HTTP clients for Go: `clients SET-UP METHOD=URL …` sends the requests one after another and prints the status and the
// length of each answer, or `error`. `:fixed` at the end of a name is the client without its repeats.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/go-resty/resty"
	"github.com/hashicorp/go-retryablehttp"
	"github.com/valyala/fasthttp"
)

type send func(method, url string) (status, length int, err error)

func answer(response *http.Response, err error) (int, int, error) {
	if err != nil {
		return 0, 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, len(body), err
}

func standard(key, fresh bool) send {
	return func(method, url string) (int, int, error) {
		request, err := http.NewRequest(method, url, nil)
		if err != nil {
			return 0, 0, err
		}
		if key && method == "POST" {
			request.Header.Set("Idempotency-Key", "one")
		}
		client := http.DefaultClient
		if fresh && method == "POST" {
			client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		}
		return answer(client.Do(request))
	}
}

func retryable(retries int) send {
	client := retryablehttp.NewClient()
	client.Logger = nil
	if retries >= 0 {
		client.RetryMax = retries
	}
	return func(method, url string) (int, int, error) {
		request, err := retryablehttp.NewRequest(method, url, nil)
		if err != nil {
			return 0, 0, err
		}
		return answer(client.Do(request))
	}
}

func restyClient(retries int) send {
	client := resty.New().SetRetryCount(retries)
	return func(method, url string) (int, int, error) {
		response, err := client.R().Execute(method, url)
		return response.StatusCode(), len(response.Body()), err
	}
}

func fast(attempts int) send {
	client := &fasthttp.Client{MaxIdemponentCallAttempts: attempts}
	return func(method, url string) (int, int, error) {
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		request.Header.SetMethod(method)
		request.SetRequestURI(url)
		err := client.Do(request, response)
		return response.StatusCode(), len(response.Body()), err
	}
}

var setUps = map[string]func() send{
	"net/http":                              func() send { return standard(false, false) },
	"net/http with Idempotency-Key":         func() send { return standard(true, false) },
	"net/http with Idempotency-Key:fixed":   func() send { return standard(true, true) },
	"go-retryablehttp":                      func() send { return retryable(-1) },
	"go-retryablehttp:fixed":                func() send { return retryable(0) },
	"resty":                                 func() send { return restyClient(0) },
	"resty SetRetryCount(2)":                func() send { return restyClient(2) },
	"resty SetRetryCount(2):fixed":          func() send { return restyClient(0) },
	"fasthttp":                              func() send { return fast(0) },
	"fasthttp:fixed":                        func() send { return fast(1) },
}

func main() {
	client := setUps[os.Args[1]]()
	for _, request := range os.Args[2:] {
		method, url, _ := strings.Cut(request, "=")
		status, length, err := client(method, url)
		if err != nil {
			fmt.Println("error")
			fmt.Fprintln(os.Stderr, err)
		} else {
			fmt.Println(status, length)
		}
	}
}

// Command client asks a server as Go's own HTTP client does, and prints what it heard.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	url, authority, pair := os.Args[1], os.Args[2], os.Args[3]
	pem, err := os.ReadFile(authority)
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	certificate, err := tls.LoadX509KeyPair(pair, pair)
	check(err)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}},
		ForceAttemptHTTP2: true, // the server offers HTTP/1.1 alone
	}}

	for turn := 0; turn < 3; turn++ {
		response, err := client.Get(fmt.Sprintf("%s/%d", url, turn))
		check(err)
		body, err := io.ReadAll(response.Body)
		check(err)
		fmt.Println(response.Proto, response.StatusCode, string(body))
	}

	large := bytes.Repeat([]byte("x"), 2_000_000)
	response, err := client.Post(url+"/length", "text/plain", bytes.NewReader(large))
	check(err)
	body, err := io.ReadAll(response.Body)
	check(err)
	fmt.Println(response.StatusCode, len(body))

	response, err = client.Post(url+"/chunked", "text/plain", io.MultiReader(strings.NewReader("ab"), strings.NewReader("c")))
	check(err)
	body, err = io.ReadAll(response.Body)
	check(err)
	fmt.Println(response.StatusCode, string(body))

	response, err = client.Head(url + "/head")
	check(err)
	fmt.Println(response.StatusCode, response.ContentLength)

	response, err = client.Get(url + "/gzip") // the client asks for gzip by itself and undoes it
	check(err)
	body, err = io.ReadAll(response.Body)
	check(err)
	fmt.Println(response.Uncompressed, len(body))

	response, err = client.Get(url + "/watch")
	check(err)
	lines := bufio.NewScanner(response.Body)
	for turn := 0; turn < 3 && lines.Scan(); turn++ {
		fmt.Println(lines.Text())
	}
	response.Body.Close()
}

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

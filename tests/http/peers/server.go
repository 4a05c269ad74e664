// Command server answers as Go's own HTTP server does; it prints its port first.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "%s %s %d", r.Method, r.URL, len(body))
	})
	http.HandleFunc("/pieces", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		for turn := 0; turn < 3; turn++ {
			fmt.Fprintf(w, "piece %d\n", turn)
			w.(http.Flusher).Flush()
		}
		w.Header().Set("X-Sum", "3")
	})
	http.HandleFunc("/early", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
	http.HandleFunc("/hang-up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	panic(http.Serve(listener, nil))
}

// Load for an API server: requests in a closed or an open loop, and watches.
//
// It speaks HTTP/1.1 by hand over one connection each, because it shares the machine with the server it loads: what a
// client library would spend on a request is most of what the fast server spends. It prints one line of JSON.
//
//	load closed  -method PUT -path … -body … -connections 32 -seconds 3
//	load open    … -rate 2000
//	load watch   -path … -watchers 1000 -events 50 …   the writes are those of -method, -target and -body
//	load idle    -path … -watchers 10000               until its standard input ends
//	load get     -path …                               prints the answer
//
// In a path or body NAME becomes the name of an object (each connection has its own; POST makes a new one each time),
// VERSION the resourceVersion that the last answer had, COUNT a number that rises. CPU is the time that the processes
// -pids used while the requests were made; what it takes to connect is left out.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	server      = flag.String("server", "", "https://host:port or http://host:port")
	authority   = flag.String("ca", "", "file with the authority's certificate")
	certificate = flag.String("cert", "", "file with the client's certificate")
	key         = flag.String("key", "", "file with its key")
	token       = flag.String("token", "", "bearer token")

	method      = flag.String("method", "GET", "")
	path        = flag.String("path", "", "")
	target      = flag.String("target", "", "with watch: the path of the writes")
	body        = flag.String("body", "", "")
	media       = flag.String("type", "application/json", "what the body is")
	prefix      = flag.String("prefix", "o", "what names begin with")
	suffix      = flag.String("suffix", "", "what names end with")
	connections = flag.Int("connections", 32, "")
	seconds     = flag.Float64("seconds", 3, "")
	requests    = flag.Int64("requests", 0, "end after so many")
	rate        = flag.Float64("rate", 1000, "with open: requests a second")
	watchers    = flag.Int("watchers", 1000, "")
	events      = flag.Int("events", 50, "with watch: how many writes in a round")
	rounds      = flag.Int("rounds", 5, "with watch: how many rounds, each ending when all was delivered")
	pids        = flag.String("pids", "", "whose CPU time to measure, with commas between")
)

// A connection that asks one thing after the other.
type client struct {
	net.Conn
	reader  *bufio.Reader
	name    string
	version string
	count   int
	out     bytes.Buffer
	answer  bytes.Buffer
}

var dialing struct {
	once   sync.Once
	host   string
	config *tls.Config
	err    error
}

func dial(name string, buffer int) (*client, error) {
	dialing.once.Do(prepare)
	if dialing.err != nil {
		return nil, dialing.err
	}
	var conn net.Conn
	var err error
	if dialing.config != nil {
		conn, err = tls.Dial("tcp", dialing.host, dialing.config)
	} else {
		conn, err = net.Dial("tcp", dialing.host)
	}
	if err != nil {
		return nil, err
	}
	return &client{Conn: conn, reader: bufio.NewReaderSize(conn, buffer), name: name}, nil
}

func prepare() {
	address, err := url.Parse(*server)
	if err != nil {
		dialing.err = err
		return
	}
	dialing.host = address.Host
	if address.Scheme != "https" {
		return
	}
	config := &tls.Config{NextProtos: []string{"http/1.1"}, RootCAs: x509.NewCertPool()}
	pem, err := os.ReadFile(*authority)
	if err != nil {
		dialing.err = err
		return
	}
	config.RootCAs.AppendCertsFromPEM(pem)
	if *certificate != "" {
		pair, err := tls.LoadX509KeyPair(*certificate, *key)
		if err != nil {
			dialing.err = err
			return
		}
		config.Certificates = []tls.Certificate{pair}
	}
	dialing.config = config
}

// ask sends a request whose body may have placeholders, and reads the answer, which has the given status or is an error.
func (c *client) ask(method, path, body string, fresh bool) error {
	c.count++
	name := c.name
	if fresh {
		name += "-" + strconv.Itoa(c.count)
	}
	filled := []byte(body)
	if body != "" {
		filled = bytes.ReplaceAll(filled, []byte("NAME"), []byte(name))
		filled = bytes.ReplaceAll(filled, []byte("VERSION"), []byte(c.version))
		filled = bytes.ReplaceAll(filled, []byte("COUNT"), []byte(strconv.Itoa(c.count)))
	}
	c.send(method, string(bytes.ReplaceAll([]byte(path), []byte("NAME"), []byte(name))), filled)
	if _, err := c.Write(c.out.Bytes()); err != nil {
		return err
	}
	status, err := c.receive()
	if err != nil {
		return err
	}
	if status >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, status, c.answer.Bytes()[:min(c.answer.Len(), 500)])
	}
	if method == "PUT" || method == "POST" {
		c.version = version(c.answer.Bytes())
	}
	return nil
}

func (c *client) send(method, path string, body []byte) {
	c.out.Reset()
	fmt.Fprintf(&c.out, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: load\r\nAccept: application/json\r\n", method, path, dialing.host)
	if *token != "" {
		fmt.Fprintf(&c.out, "Authorization: Bearer %s\r\n", *token)
	}
	if len(body) > 0 {
		fmt.Fprintf(&c.out, "Content-Type: %s\r\nContent-Length: %d\r\n", *media, len(body))
	}
	c.out.WriteString("\r\n")
	c.out.Write(body)
}

// head reads the head of an answer: its status, and how long the body is (-1: in chunks).
func (c *client) head() (status, length int, err error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < 12 {
		return 0, 0, errors.New("no HTTP")
	}
	status, err = strconv.Atoi(string(line[9:12]))
	for err == nil {
		line, err = c.reader.ReadSlice('\n')
		if len(line) <= 2 {
			return status, length, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("content-length")) {
			length, err = strconv.Atoi(string(bytes.TrimSpace(value)))
		} else if bytes.EqualFold(name, []byte("transfer-encoding")) {
			length = -1
		}
	}
	return status, length, err
}

func (c *client) receive() (int, error) {
	status, length, err := c.head()
	if err != nil {
		return 0, err
	}
	c.answer.Reset()
	if length >= 0 {
		_, err = io.CopyN(&c.answer, c.reader, int64(length))
		return status, err
	}
	if _, err = c.answer.ReadFrom(httputil.NewChunkedReader(c.reader)); err != nil {
		return status, err
	}
	_, err = c.reader.Discard(2) // behind the last chunk
	return status, err
}

func version(answer []byte) string {
	mark := []byte(`"resourceVersion":"`)
	at := bytes.Index(answer, mark)
	if at < 0 {
		return ""
	}
	rest := answer[at+len(mark):]
	return string(rest[:bytes.IndexByte(rest, '"')])
}

type result struct {
	Count   int64
	Seconds float64
	CPU     float64
	P50     float64 // milliseconds, as all of these
	P99     float64
	Max     float64
}

func summary(took []time.Duration, elapsed time.Duration, spent float64) result {
	slices.Sort(took)
	at := func(share float64) float64 {
		if len(took) == 0 {
			return 0
		}
		return float64(took[min(len(took)-1, int(share*float64(len(took))))]) / 1e6
	}
	return result{int64(len(took)), elapsed.Seconds(), spent, at(0.5), at(0.99), at(1)}
}

// loop runs one connection each, with `next` telling when a request is due; its time counts from there.
func loop(next func(start time.Time) (time.Time, bool)) (result, error) {
	clients := make([]*client, *connections)
	for at := range clients {
		c, err := dial(fmt.Sprintf("%s-%d%s", *prefix, at, *suffix), 64*1024)
		if err != nil {
			return result{}, err
		}
		defer c.Close()
		if *method == "PUT" { // to begin with, there must be an object, and its version be known
			if err := c.ask("GET", *path, "", false); err != nil {
				return result{}, err
			}
			c.version = version(c.answer.Bytes())
		}
		clients[at] = c
	}
	var group sync.WaitGroup
	took := make([][]time.Duration, len(clients))
	failed := make([]error, len(clients))
	before, start := cpu(), time.Now()
	for at, c := range clients {
		group.Go(func() {
			for {
				due, more := next(start)
				if !more {
					return
				}
				if failed[at] = c.ask(*method, *path, *body, *method == "POST"); failed[at] != nil {
					return
				}
				took[at] = append(took[at], time.Since(due))
			}
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	return summary(slices.Concat(took...), elapsed, cpu()-before), errors.Join(failed...)
}

func closed() (any, error) {
	var begun atomic.Int64
	return loop(func(start time.Time) (time.Time, bool) {
		now := time.Now()
		if *requests > 0 {
			return now, begun.Add(1) <= *requests
		}
		return now, now.Sub(start).Seconds() < *seconds
	})
}

func open() (any, error) {
	var slot atomic.Int64
	count := int64(*rate * *seconds)
	return loop(func(start time.Time) (time.Time, bool) {
		at := slot.Add(1)
		due := start.Add(time.Duration(float64(at) / *rate * 1e9))
		time.Sleep(time.Until(due))
		return due, at <= count
	})
}

type fan struct {
	Deliveries int64
	Seconds    float64
	CPU        float64
}

func watch() (any, error) {
	var seen atomic.Int64
	each := int64(*watchers) * int64(*events)
	done, lost := make(chan struct{}, *rounds), make(chan error, *watchers)
	all, err := begun(func(c *client) {
		events := httputil.NewChunkedReader(c.reader)
		buffer := make([]byte, 32*1024)
		for {
			size, err := events.Read(buffer)
			more := int64(bytes.Count(buffer[:size], []byte{'\n'}))
			if total := seen.Add(more); more > 0 && total/each > (total-more)/each {
				done <- struct{}{}
			}
			if err != nil {
				lost <- err
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	writer, err := dial(*prefix, 64*1024)
	if err != nil {
		return nil, err
	}
	if err = writer.ask("GET", *target, "", false); err != nil {
		return nil, err
	}
	writer.version = version(writer.answer.Bytes())
	var told []fan
	for range *rounds {
		before, start := cpu(), time.Now()
		for range *events {
			if err = writer.ask(*method, *target, *body, false); err != nil {
				return nil, err
			}
		}
		select {
		case <-done:
		case err = <-lost:
			return nil, err
		case <-time.After(60 * time.Second):
			return nil, fmt.Errorf("of %d deliveries %d came", each, seen.Load()%each)
		}
		told = append(told, fan{each, time.Since(start).Seconds(), cpu() - before})
	}
	return told, nil
}

// begun opens the watches, some at a time; each is read by `read` once its head has come.
func begun(read func(*client)) ([]*client, error) {
	all := make([]*client, *watchers)
	failed := make([]error, 16)
	var group sync.WaitGroup
	for worker := range failed {
		group.Go(func() {
			for at := worker; at < len(all) && failed[worker] == nil; at += len(failed) {
				failed[worker] = func() error {
					c, err := dial("", 4096)
					if err != nil {
						return err
					}
					all[at] = c
					c.send("GET", *path, nil)
					if _, err = c.Write(c.out.Bytes()); err != nil {
						return err
					}
					status, _, err := c.head()
					if err == nil && status != 200 {
						err = fmt.Errorf("a watch was answered with %d", status)
					}
					return err
				}()
			}
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	if read != nil {
		for _, c := range all {
			go read(c)
		}
	}
	return all, nil
}

// cpu is the time that the server has used, in seconds: the threads of its processes tell it to the nanosecond.
func cpu() (spent float64) {
	for pid := range strings.SplitSeq(*pids, ",") {
		threads, _ := filepath.Glob("/proc/" + pid + "/task/*/schedstat")
		for _, thread := range threads {
			text, _ := os.ReadFile(thread) // a thread may just have ended
			nanoseconds, _, _ := strings.Cut(string(text), " ")
			number, _ := strconv.ParseFloat(nanoseconds, 64)
			spent += number / 1e9
		}
	}
	return spent
}

func get() (any, error) {
	c, err := dial("", 64*1024)
	if err == nil {
		err = c.ask("GET", *path, "", false)
	}
	if err != nil {
		return nil, err
	}
	return json.RawMessage(c.answer.Bytes()), nil
}

func idle() (any, error) {
	begin := time.Now()
	all, err := begun(nil)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%d\n", time.Since(begin).Milliseconds())
	_, err = io.Copy(io.Discard, os.Stdin)
	return len(all), err
}

func main() {
	commands := map[string]func() (any, error){"closed": closed, "open": open, "watch": watch, "idle": idle, "get": get}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: load closed|open|watch|idle|get [flags]")
		os.Exit(2)
	}
	if err := flag.CommandLine.Parse(os.Args[2:]); err != nil {
		os.Exit(2)
	}
	told, err := commands[os.Args[1]]()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(told)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

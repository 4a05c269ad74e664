// Command etcd is etcd itself: its own main package is not importable as a
// tool of another module, its entry point is.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}

// kfake starts the in-memory Kafka of franz-go, another implementation of the protocol, for the tests: it prints the
// addresses of its brokers, one line for each cluster, and ends with its standard input.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
)

func start(name string, options ...kfake.Opt) *kfake.Cluster {
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(name, strings.Join(cluster.ListenAddrs(), ","))
	return cluster
}

func main() {
	open := start("open", kfake.NumBrokers(3))
	defer open.Close()
	single := start("single", kfake.NumBrokers(1))
	defer single.Close()
	closed := start("closed", kfake.NumBrokers(1), kfake.EnableSASL(), kfake.EnableACLs(),
		kfake.Superuser("SCRAM-SHA-256", "admin", "admin-secret"))
	defer closed.Close()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// Command pstest serves Google's in-memory Pub/Sub on a loopback port until it is told to stop.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"cloud.google.com/go/pubsub/v2/pstest"
)

func main() {
	port := flag.Int("port", 0, "loopback port to listen on; 0 takes a free one")
	flag.Parse()

	server := pstest.NewServerWithAddress(fmt.Sprintf("127.0.0.1:%d", *port))
	fmt.Println(server.Addr)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	if err := server.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

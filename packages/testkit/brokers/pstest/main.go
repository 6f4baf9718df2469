// Command pstest serves Google's in-memory Pub/Sub on a loopback port until it is told to stop.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	pb "cloud.google.com/go/pubsub/v2/apiv1/pubsubpb"
	"cloud.google.com/go/pubsub/v2/pstest"
	"google.golang.org/grpc"
)

// Room for the service's largest request of 10 MB; a server of Go takes 4 MiB unless it is told.
const maxRequestBytes = 16 << 20

func main() {
	port := flag.Int("port", 0, "loopback port to listen on; 0 takes a free one")
	flag.Parse()

	fake := pstest.NewServer()
	defer fake.Close()
	server := grpc.NewServer(grpc.MaxRecvMsgSize(maxRequestBytes))
	pb.RegisterPublisherServer(server, &fake.GServer)
	pb.RegisterSubscriberServer(server, &fake.GServer)

	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stop
		server.Stop()
	}()
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

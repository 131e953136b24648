// A grpc-gateway before the measured service: REST on one address, gRPC to another.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"gateway/documents"

	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	"google.golang.org/grpc"
)

func main() {
	// Names in JSON as the others spell them.
	mux := runtime.NewServeMux(runtime.WithMarshalerOption(runtime.MIMEWildcard, &runtime.JSONPb{OrigName: false}))
	options := []grpc.DialOption{grpc.WithInsecure()}
	if err := documents.RegisterDocumentServiceHandlerFromEndpoint(context.Background(), mux, os.Args[2], options); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], mux))
}

// A grpc-gateway before the suite's service: REST on one address, gRPC to another.
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"gateway/suite"

	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	_ "google.golang.org/genproto/googleapis/rpc/errdetails" // the details of refusals are of these types
	"google.golang.org/grpc"
)

func main() {
	// The names that ProtoJSON gives fields: by itself it would write those of the proto.
	marshaler := &runtime.JSONPb{OrigName: false}
	mux := runtime.NewServeMux(runtime.WithMarshalerOption(runtime.MIMEWildcard, marshaler))
	options := []grpc.DialOption{grpc.WithInsecure()}
	if err := suite.RegisterSuiteServiceHandlerFromEndpoint(context.Background(), mux, os.Args[2], options); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(os.Args[1], mux))
}

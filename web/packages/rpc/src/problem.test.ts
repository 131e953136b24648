import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "@pavise/schema/google/rpc/error_details_pb";
import { expect, test } from "vitest";
import { problemOf, type ProblemKind } from "./problem.ts";

test("a refusal says its reason, fields, legal calls, when to come back and its trace id", () => {
  const error = new ConnectError("not allowed", Code.FailedPrecondition, undefined, [
    {
      desc: ErrorInfoSchema,
      value: create(ErrorInfoSchema, { reason: "STATUS_NOT_ALLOWED", domain: "orders", metadata: { status: "OPEN" } }),
    },
    {
      desc: BadRequestSchema,
      value: create(BadRequestSchema, { fieldViolations: [{ field: "offers[0].tier_id", description: "not sold" }] }),
    },
    {
      desc: PreconditionFailureSchema,
      value: create(PreconditionFailureSchema, {
        violations: [{ type: "STATUS", subject: "orders/1", description: "PurchaseOrder" }],
      }),
    },
    { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay: { seconds: 2n, nanos: 500_000_000 } }) },
    { desc: RequestInfoSchema, value: create(RequestInfoSchema, { requestId: "trace-1" }) },
  ]);
  expect(problemOf(error)).toMatchObject({
    kind: "status",
    reason: "STATUS_NOT_ALLOWED",
    metadata: { status: "OPEN" },
    fields: [{ path: "offers[0].tier_id", description: "not sold" }],
    preconditions: [{ subject: "orders/1", description: "PurchaseOrder" }],
    retryAfter: 2.5,
    traceId: "trace-1",
    message: "not allowed",
  });
});

test.each<[Code, ProblemKind]>([
  [Code.InvalidArgument, "fields"],
  [Code.Unauthenticated, "signIn"],
  [Code.PermissionDenied, "permission"],
  [Code.NotFound, "notFound"],
  [Code.Aborted, "conflict"],
  [Code.AlreadyExists, "exists"],
  [Code.ResourceExhausted, "throttled"],
  [Code.Unavailable, "unavailable"],
  [Code.DeadlineExceeded, "unavailable"],
  [Code.Internal, "internal"],
])("code %s is %s", (code, kind) => {
  expect(problemOf(new ConnectError("x", code)).kind).toBe(kind);
});

test("a payment without an answer is repeated as it was", () => {
  const detail = { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason: "PAYMENT_PENDING" }) };
  expect(problemOf(new ConnectError("x", Code.Aborted, undefined, [detail])).kind).toBe("unavailable");
});

test("a call that did not reach the server is offline", () => {
  expect(problemOf(ConnectError.from(new TypeError("Failed to fetch"))).kind).toBe("offline");
  expect(problemOf(new TypeError("Failed to fetch")).traceId).toBe("");
});

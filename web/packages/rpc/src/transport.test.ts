import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, AnySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@pavise/schema/google/rpc/error_details_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { expect, test, vi } from "vitest";
import { transport } from "./transport.ts";

/** A gRPC-web answer without a message: only its status. */
const answer = (status: Code | 0) =>
  new Response(new Uint8Array([0, 0, 0, 0, 0, ...trailer(`grpc-status: ${status}\r\n`)]), {
    headers: { "content-type": "application/grpc-web+proto" },
  });
const trailer = (text: string) => [0x80, 0, 0, text.length >> 8, text.length & 0xff, ...new TextEncoder().encode(text)];

function client(answers: (Code | 0)[], renew?: () => Promise<boolean>) {
  const sent: Headers[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async (_input, init) => {
    sent.push(new Headers(init?.headers));
    return answer(answers.shift() ?? 0);
  });
  return {
    calls: createClient(
      OrderService,
      transport({ baseUrl: "http://server", fetch, ...(renew === undefined ? {} : { renew }) }),
    ),
    sent,
  };
}

test("a write has a key and both have a deadline; a read has no key", async () => {
  const { calls, sent } = client([0, 0]);
  await calls.deleteOrder({ orderId: "o" });
  await calls.getOrder({ orderId: "o" });
  expect(sent[0]?.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent[0]?.get("grpc-timeout")).toBe("30000m");
  expect(sent[1]?.has("idempotency-key")).toBe(false);
  expect(sent[1]?.get("grpc-timeout")).toBe("15000m");
});

test("a session that ran out is renewed and the call repeated with the same key", async () => {
  const renew = vi.fn<() => Promise<boolean>>(async () => true);
  const { calls, sent } = client([Code.Unauthenticated, 0], renew);
  await calls.deleteOrder({ orderId: "o" });
  expect(renew).toHaveBeenCalledTimes(1);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.get("idempotency-key")).toBe(sent[0]?.get("idempotency-key"));
});

test("a session that cannot be renewed is a refusal", async () => {
  const { calls, sent } = client([Code.Unauthenticated], async () => false);
  await expect(calls.getOrder({ orderId: "o" })).rejects.toThrow(ConnectError);
  expect(sent).toHaveLength(1);
});

/** The answer of a call that needs a fresh proof. */
const proofNeeded = () => {
  const info = create(ErrorInfoSchema, { reason: "PROOF_NEEDED", domain: "common.pavise" });
  const detail = toBinary(AnySchema, anyPack(ErrorInfoSchema, info));
  // A google.rpc.Status: the code, and one detail of less than 128 bytes.
  const bytes = btoa(String.fromCodePoint(0x08, Code.FailedPrecondition, 0x1a, detail.length, ...detail));
  const text = `grpc-status: ${Code.FailedPrecondition}\r\ngrpc-status-details-bin: ${bytes}\r\n`;
  return new Response(new Uint8Array([0, 0, 0, 0, 0, ...trailer(text)]), {
    headers: { "content-type": "application/grpc-web+proto" },
  });
};

function proving(answers: (() => Response)[], prove: () => Promise<boolean>) {
  const sent: Headers[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async (_input, init) => {
    sent.push(new Headers(init?.headers));
    return answers.shift()?.() ?? answer(0);
  });
  return { calls: createClient(OrderService, transport({ baseUrl: "http://server", fetch, prove })), sent };
}

test("a call that needs a proof asks for one, and is repeated with the same key", async () => {
  const prove = vi.fn<() => Promise<boolean>>(async () => true);
  const { calls, sent } = proving([proofNeeded], prove);
  await calls.deleteOrder({ orderId: "o" });
  expect(prove).toHaveBeenCalledTimes(1);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.get("idempotency-key")).toBe(sent[0]?.get("idempotency-key"));
});

test("a call is not repeated without a proof, nor asked for twice", async () => {
  const none = proving([proofNeeded], async () => false);
  await expect(none.calls.deleteOrder({ orderId: "o" })).rejects.toThrow(ConnectError);
  expect(none.sent).toHaveLength(1);
  const prove = vi.fn<() => Promise<boolean>>(async () => true);
  const again = proving([proofNeeded, proofNeeded], prove);
  await expect(again.calls.deleteOrder({ orderId: "o" })).rejects.toThrow(ConnectError);
  expect(prove).toHaveBeenCalledTimes(1);
});

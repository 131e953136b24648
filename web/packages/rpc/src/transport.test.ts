import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, AnySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { ErrorInfoSchema } from "@pavise/schema/google/rpc/error_details_pb";
import { ExportedInvoiceSchema, InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { OrderService } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { expect, test, vi } from "vitest";
import { movedTo, todayText } from "./today.ts";
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

/** The answer of a stream: these invoices, then the end. */
const invoices = (...ids: readonly string[]) => {
  const frames = ids.flatMap((invoiceId) => {
    const bytes = toBinary(ExportedInvoiceSchema, create(ExportedInvoiceSchema, { invoiceId }));
    return [0, 0, 0, 0, bytes.length].concat([...bytes]);
  });
  return new Response(new Uint8Array([...frames, ...trailer("grpc-status: 0\r\n")]), {
    headers: { "content-type": "application/grpc-web+proto" },
  });
};

/** A refusal without a message, as a stream gets it. */
const streamRefused = async () => {
  const refused = new Uint8Array(await proofNeeded().arrayBuffer()).slice(5);
  return new Response(refused, { headers: { "content-type": "application/grpc-web+proto" } });
};

function exporting(answers: (() => Response | Promise<Response>)[], prove: () => Promise<boolean>) {
  const sent: Uint8Array[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async (_input, init) => {
    sent.push(init?.body as Uint8Array);
    return answers.shift()?.() ?? answer(0);
  });
  const { exportInvoices } = createClient(InvoiceService, transport({ baseUrl: "http://server", fetch, prove }));
  const run = async () => {
    const ids: string[] = [];
    for await (const { invoiceId } of exportInvoices({ status: 1 })) ids.push(invoiceId);
    return ids;
  };
  return { run, sent };
}

test("a stream that needs a proof asks for one before its first message, and is sent again as it was", async () => {
  const prove = vi.fn<() => Promise<boolean>>(async () => true);
  const { run, sent } = exporting([streamRefused, () => invoices("one", "two")], prove);
  expect(await run()).toEqual(["one", "two"]);
  expect(prove).toHaveBeenCalledTimes(1);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.length).toBeGreaterThan(5);
});

test("a stream is not sent again without a proof, nor once it has begun", async () => {
  const none = exporting([streamRefused], async () => false);
  await expect(none.run()).rejects.toThrow(ConnectError);
  expect(none.sent).toHaveLength(1);
  const late = async () => {
    const [first, end] = [await invoices("one").arrayBuffer(), await (await streamRefused()).arrayBuffer()];
    const message = new Uint8Array(first).slice(0, -trailer("grpc-status: 0\r\n").length);
    return new Response(new Uint8Array([...message, ...new Uint8Array(end)]), {
      headers: { "content-type": "application/grpc-web+proto" },
    });
  };
  const prove = vi.fn<() => Promise<boolean>>(async () => true);
  const begun = exporting([late], prove);
  await expect(begun.run()).rejects.toThrow(ConnectError);
  expect(prove).not.toHaveBeenCalled();
});

test("the time that a proof takes is not the call's", async () => {
  const deadlines: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const controller = new AbortController();
    deadlines.push(controller);
    return controller.signal;
  });
  const { calls, sent } = proving([proofNeeded], async () => {
    deadlines[0]?.abort();
    return true;
  });
  await calls.deleteOrder({ orderId: "o" });
  expect(sent.map((headers) => headers.get("grpc-timeout"))).toEqual(["30000m", "30000m"]);
  expect(deadlines).toHaveLength(2);
});

test("an answer tells the server's day", async () => {
  const told = answer(0);
  told.headers.set("pavise-today", "2999-03-14;moved");
  const fetch = () => Promise.resolve(told);
  await createClient(OrderService, transport({ baseUrl: "http://server", fetch })).getOrder({ orderId: "o" });
  expect([todayText(), movedTo()]).toEqual(["2999-03-14", "2999-03-14"]);
});

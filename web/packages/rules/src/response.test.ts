import { expect, test, vi } from "vitest";
import { isNormal, readAnswer, request } from "./response.ts";

test.each([
  [199, false],
  [200, true],
  [302, true],
  [404, true],
  [499, true],
  [500, false],
  [503, false],
])("status %d is a normal result: %s", (status, normal) => {
  expect(isNormal(status)).toBe(normal);
});

test("204 is null", async () => {
  expect(await readAnswer(new Response(null, { status: 204 }))).toEqual({ status: 204, data: null });
});

test("a 2xx answer is JSON, any other the text with the status", async () => {
  expect(await readAnswer(Response.json({ id: "1" }, { status: 201 }))).toEqual({ status: 201, data: { id: "1" } });
  expect(await readAnswer(new Response('{"message":"no"}', { status: 409 }))).toEqual({
    status: 409,
    data: '{"message":"no"}',
  });
});

test("requests carry credentials, and POST and PUT a JSON body", async () => {
  const sent = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => new Response(null, { status: 204 }),
  );
  vi.stubGlobal("fetch", sent);
  await request("/v1/orders");
  await request("/v1/orders", { method: "POST", body: { a: 1 } });
  vi.unstubAllGlobals();
  expect(sent.mock.calls[0]).toEqual(["/v1/orders", { method: "GET", credentials: "include" }]);
  expect(sent.mock.calls[1]?.[1]).toMatchObject({ method: "POST", credentials: "include", body: '{"a":1}' });
});

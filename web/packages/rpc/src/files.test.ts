import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { addressOf, nameOf, refusalOf } from "./files.ts";
import { problemOf } from "./problem.ts";

test("an address has the values of its path, and other fields in its query", () => {
  const request = { invoiceExportId: "a/b", tags: ["x", "y"], note: "a b", chunk: "AA==" };
  expect(addressOf("/v1/invoiceExports/{invoice_export_id}/file", request, ["chunk"])).toBe(
    "/v1/invoiceExports/a%2Fb/file?tags=x&tags=y&note=a+b",
  );
  expect(addressOf("/v1/passwordImports", {})).toBe("/v1/passwordImports");
});

test("a file has its full name, or the plain one", () => {
  expect(nameOf("attachment; filename=\"A_o.csv\"; filename*=UTF-8''A%C3%B1o.csv")).toBe("Año.csv");
  expect(nameOf('attachment; filename="a b.csv"')).toBe("a b.csv");
  expect(nameOf("attachment")).toBe("");
});

test("a refusal over REST is the same problem as one over gRPC", () => {
  const body = {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "wrong",
    details: [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "INVALID_FIELD", domain: "x", metadata: {} },
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "dueFrom", description: "must be a day" }],
      },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.500s" },
      { "@type": "type.googleapis.com/pavise.orders.v1.Unknown", x: 1 },
    ],
  };
  const problem = problemOf(refusalOf(400, JSON.stringify(body), "request-1"));
  expect(problem).toMatchObject({
    kind: "fields",
    code: Code.InvalidArgument,
    reason: "INVALID_FIELD",
    fields: [{ path: "dueFrom", description: "must be a day" }],
    retryAfter: 1.5,
    traceId: "request-1",
  });
  expect(problemOf(refusalOf(502, "<html>", null)).kind).toBe("unavailable");
});

import { ConnectError, Code, createRouterTransport } from "@connectrpc/connect";
import { SessionService } from "@pavise/schema/pavise/identity/v1/session_service_pb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signInPath } from "./sign-in-address.ts";

beforeAll(() => vi.stubGlobal("location", { origin: "https://pavise.example" }));
afterAll(() => vi.unstubAllGlobals());

test("the address is the platform's own, without its host", async () => {
  const asked: unknown[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(SessionService, {
      composeSignInAddress: ({ app, returnTo, subType }) => {
        asked.push({ app, returnTo, subType });
        return { address: "https://pavise.example/console/cross-realm?app=console&realm=user&return=%2Fconsole%2F" };
      },
    });
  });
  const path = await signInPath(transport, "console", "/console/", "user");
  expect(path).toBe("/console/cross-realm?app=console&realm=user&return=%2Fconsole%2F");
  expect(asked).toEqual([{ app: "console", returnTo: "/console/", subType: "user" }]);
});

test("without an answer it is the app's own page, which leads nobody back and forth", async () => {
  const transport = createRouterTransport(({ service }) => {
    service(SessionService, {
      composeSignInAddress: () => {
        throw new ConnectError("gone", Code.Unavailable);
      },
    });
  });
  expect(await signInPath(transport, "app", "/app/home?x=1")).toBe("/app/sign-in?return=%2Fapp%2Fhome%3Fx%3D1");
  expect(await signInPath(transport, "console", "/console/r/x", "user")).toBe("/console/cross-realm?realm=user");
});

import { expect, test } from "vitest";
import { hostAndPort, loginAddress, realmOf, returnPath, signInAddress, type RedirectFrom } from "./redirect.ts";

const page = (port = ""): RedirectFrom => ({
  app: "console",
  base: "/console",
  location: {
    protocol: "https:",
    hostname: "pavise.example",
    port,
    pathname: "/console/orders",
    search: "?status=OPEN&q=a b",
  },
});

test.each([
  ["", "pavise.example"],
  ["443", "pavise.example"],
  ["8443", "pavise.example:8443"],
  ["80", "pavise.example:80"],
])("port %j gives %s", (port, shown) => {
  expect(hostAndPort({ hostname: "pavise.example", port })).toBe(shown);
});

test.each(["sign-in", "sign-up", "sign-out", "cross-realm"] as const)(
  "%s carries the app and the encoded way back",
  (call) => {
    const address = new URL(loginAddress(call, page("8443"), "internal"));
    expect(address.origin).toBe("https://pavise.example:8443");
    expect(address.pathname).toBe(`/console/${call}`);
    expect(address.searchParams.get("app")).toBe("console");
    expect(address.searchParams.get("return")).toBe("/console/orders?status=OPEN&q=a b");
    expect(address.search).toContain("return=%2Fconsole%2Forders%3Fstatus%3DOPEN%26q%3Da+b");
  },
);

test("only a cross-realm address carries the originating realm", () => {
  expect(new URL(loginAddress("cross-realm", page(), "user", "internal")).searchParams.get("from")).toBe("internal");
  expect(new URL(loginAddress("sign-in", page(), "user", "internal")).searchParams.has("from")).toBe(false);
});

test.each([
  ["user", "user"],
  ["member", "user"],
  ["Internal", "internal"],
  ["Partner", "partner"],
  ["GroupAdmin", "groupAdmin"],
  ["something else", "groupAdmin"],
])("sub-type %s signs in to realm %s", (subType, realm) => {
  expect(realmOf(subType)).toBe(realm);
});

test("a session of the page's realm signs in plainly, another goes across", () => {
  expect(new URL(signInAddress(page(), "internal", "Internal")).pathname).toBe("/console/sign-in");
  expect(new URL(signInAddress(page(), "internal", undefined)).pathname).toBe("/console/sign-in");
  const across = new URL(signInAddress(page(), "internal", "User"));
  expect(across.pathname).toBe("/console/cross-realm");
  expect(across.searchParams.get("realm")).toBe("user");
  expect(across.searchParams.get("from")).toBe("internal");
  expect(new URL(signInAddress(page(), "internal", "??")).searchParams.get("realm")).toBe("groupAdmin");
});

test.each([
  ["/console/orders?x=1#top", "/console/orders?x=1#top"],
  ["https://elsewhere.example/", "/home"],
  ["//elsewhere.example/", "/home"],
  ["/\\elsewhere.example", "/home"],
  ["javascript:alert(1)", "/home"],
  [null, "/home"],
  ["", "/home"],
])("the way back %j leads to %s", (given, path) => {
  expect(returnPath(given, "/home")).toBe(path);
});

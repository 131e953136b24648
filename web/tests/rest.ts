// The platform over REST, for data that must exist before a test begins.
import { server } from "./platform.ts";

/** Makes a call, with the caller's token if given. A refusal ends the test. */
export async function call<T>(
  method: string,
  path: string,
  { body, token = "" }: { body?: object; token?: string } = {},
): Promise<T> {
  const response = await fetch(server.url + path, {
    method,
    headers: { "content-type": "application/json", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as T;
}

type Answer = Record<string, unknown>;

/** Makes calls as an identity, and returns its id. */
export async function restOf(name: string, password: string) {
  const { accessToken: token } = await call<{ accessToken: string }>("POST", "/v1/tokens", {
    body: { ...(name.includes("@") ? { email: name } : { username: name }), password },
  });
  const { sub: id } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { sub: string };
  return {
    id,
    token,
    get: <T = Answer>(path: string) => call<T>("GET", path, { token }),
    post: <T = Answer>(path: string, body: object = {}) => call<T>("POST", path, { body, token }),
    put: <T = Answer>(path: string, body: object = {}) => call<T>("PUT", path, { body, token }),
  };
}

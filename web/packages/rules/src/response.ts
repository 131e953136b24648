// Reads answers of the REST facade to direct requests (000 §1, 001 §1, 002 §9).

/** Whether a status is a normal result: 200 up to 499. Every other status is a failure. */
export function isNormal(status: number): boolean {
  return status >= 200 && status < 500;
}

/** The answer of a direct request. */
export interface Answer {
  readonly status: number;
  /** The JSON of a 2xx answer; null for 204; the raw text of any other. */
  readonly data: unknown;
}

/** The options of a direct request. */
export type DirectRequest = { readonly method?: "GET" } | { readonly method: "POST" | "PUT"; readonly body: unknown };

/** Reads an answer: 204 is null, 2xx is JSON, any other is the raw text. */
export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (status === 204) return { status, data: null };
  if (status < 200 || status > 299) return { status, data: await response.text() };
  return { status, data: (await response.json()) as unknown };
}

/** Sends a request with the session's credentials, and a JSON body with POST and PUT. */
export async function request(
  url: string,
  { method = "GET", ...rest }: DirectRequest & { body?: unknown } = {},
): Promise<Answer> {
  const init: RequestInit = { method, credentials: "include" };
  if (method !== "GET") {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(rest.body);
  }
  return readAnswer(await fetch(url, init));
}

// A page that could not be shown: a part of the app did not arrive, or an answer could not be displayed.
import { Code, ConnectError } from "@connectrpc/connect";

let answered = "";

/** Keeps the id of the request that was answered last. */
export function noteAnswered(requestId: string): void {
  if (requestId !== "") answered = requestId;
}

/** Turns an error of rendering into a refusal; it carries the id of the request that was answered last. */
export function refusalOfPage(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  // Browsers report a module that did not arrive as a TypeError with one of these words.
  const unreached = error instanceof TypeError && /import|fetch|load/i.test(error.message);
  const code = unreached ? Code.Unavailable : Code.Internal;
  return new ConnectError(String(error), code, answered === "" ? {} : { "x-request-id": answered });
}

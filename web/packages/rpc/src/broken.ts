// A page that could not be shown: its code did not arrive, or its rendering failed.
import { Code, ConnectError } from "@connectrpc/connect";

let answered = "";

/** Stores the id of the last answered request. */
export function noteAnswered(requestId: string): void {
  if (requestId !== "") answered = requestId;
}

/** Turns an error of rendering into a problem with the id of the last answered request. */
export function refusalOfPage(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  // Browsers report a module that did not arrive as a TypeError with one of these words.
  const unreached = error instanceof TypeError && /import|fetch|load/i.test(error.message);
  const code = unreached ? Code.Unavailable : Code.Internal;
  return new ConnectError(String(error), code, answered === "" ? {} : { "x-request-id": answered });
}

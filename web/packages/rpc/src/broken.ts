// A page that could not be shown: its code did not arrive, or its rendering failed.
import { Code, ConnectError } from "@connectrpc/connect";

let answered = "";

/** Stores the id of the last answered request. */
export function noteAnswered(requestId: string): void {
  if (requestId !== "") answered = requestId;
}

/** Whether a module or stylesheet of the app did not arrive. Browsers and the build tool have these words for it. */
export function isLostPart(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message);
}

/** Turns an error of rendering into a problem with the id of the last answered request. A lost part has no answer. */
export function refusalOfPage(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (isLostPart(error)) return new ConnectError(String(error), Code.Unavailable);
  return new ConnectError(String(error), Code.Internal, answered === "" ? {} : { "x-request-id": answered });
}

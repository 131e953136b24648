// The addresses of the sign-in pages, as the platform composes them (000 §2, 002 §2).
import type { Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";

/** An app with sign-in pages of its own. */
export type SignInApp = "app" | "console";

/** The path and query of the sign-in page of a visitor who comes from `returnTo`; of the page across realms when the
 *  sub-type of the signed-in identity is of another realm. Without an answer, the plain page of the app. */
export async function signInPath(
  transport: Transport,
  app: SignInApp,
  returnTo: string,
  subType = "",
): Promise<string> {
  try {
    // Loaded only here: few visits ask for the page.
    const { SessionService } = await import("@pavise/schema/pavise/identity/v1/session_service_pb");
    const asked = { app, returnTo, subType };
    const { address } = await callUnaryMethod(transport, SessionService.method.composeSignInAddress, asked);
    const { pathname, search } = new URL(address, globalThis.location.origin);
    return pathname + search;
  } catch {
    // The sign-in page would lead a signed-in visitor back here, for ever.
    return subType === ""
      ? `/${app}/sign-in?${new URLSearchParams({ return: returnTo }).toString()}`
      : `/${app}/cross-realm?${new URLSearchParams({ realm: subType }).toString()}`;
  }
}

// Where a page sends its visitor to sign in, sign up or sign out (000 §2, 002 §2).

export type LoginRealm = "user" | "internal" | "partner" | "groupAdmin";

export type LoginCall = "sign-in" | "sign-up" | "sign-out" | "cross-realm";

/** The page that redirects. */
export interface RedirectFrom {
  /** The name of the app, as the login service knows it. */
  readonly app: string;
  readonly location: Pick<Location, "protocol" | "hostname" | "port" | "pathname" | "search">;
  /** Where the sign-in pages are, below the origin: `/console`. */
  readonly base: string;
}

/** A host with its port, where there is one to say: not when it is empty, and not 443. */
export function hostAndPort({ hostname, port }: Pick<Location, "hostname" | "port">): string {
  return port === "" || port === "443" ? hostname : `${hostname}:${port}`;
}

/** The login realm of a signed-in identity's sub-type; the group realm when it is none of the known. */
export function realmOf(subType: string): LoginRealm {
  switch (subType.toLowerCase()) {
    case "user":
    case "member":
      return "user";
    case "internal":
      return "internal";
    case "partner":
      return "partner";
    default:
      return "groupAdmin";
  }
}

/** The address of a login page. It carries the app's name and the page to come back to; a cross-realm sign-in also
 *  the realm that the visitor comes from. */
export function loginAddress(call: LoginCall, from: RedirectFrom, realm: LoginRealm, originating?: LoginRealm): string {
  const { location } = from;
  const query = new URLSearchParams({ app: from.app, realm, return: location.pathname + location.search });
  if (call === "cross-realm" && originating !== undefined) query.set("from", originating);
  return `${location.protocol}//${hostAndPort(location)}${from.base}/${call}?${query.toString()}`;
}

/** Where a visitor signs in: plainly when nobody is signed in or the session is of the page's realm, else across to the
 *  realm of his sub-type. */
export function signInAddress(from: RedirectFrom, realm: LoginRealm, subType: string | undefined): string {
  if (subType === undefined) return loginAddress("sign-in", from, realm);
  const own = realmOf(subType);
  return own === realm ? loginAddress("sign-in", from, realm) : loginAddress("cross-realm", from, own, realm);
}

/** The page to come back to, if it is one of this origin: anything else would let a link send people elsewhere. */
export function returnPath(given: string | null | undefined, fallback: string): string {
  if (given === null || given === undefined || !given.startsWith("/") || given.startsWith("//") || given.includes("\\")) return fallback;
  try {
    const { origin, pathname, search, hash } = new URL(given, "https://page.invalid");
    return origin === "https://page.invalid" ? pathname + search + hash : fallback;
  } catch {
    return fallback;
  }
}

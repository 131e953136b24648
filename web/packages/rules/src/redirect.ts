// Addresses of the sign-in, sign-up and sign-out pages (000 §2, 002 §2).

export type LoginRealm = "user" | "internal" | "partner" | "groupAdmin";

export type LoginCall = "sign-in" | "sign-up" | "sign-out" | "cross-realm";

/** The page that redirects. */
export interface RedirectFrom {
  /** The app's name in the login service. */
  readonly app: string;
  readonly location: Pick<Location, "protocol" | "hostname" | "port" | "pathname" | "search">;
  /** The path of the sign-in pages: `/console`. */
  readonly base: string;
}

/** The host, with its port unless that is empty or 443. */
export function hostAndPort({ hostname, port }: Pick<Location, "hostname" | "port">): string {
  return port === "" || port === "443" ? hostname : `${hostname}:${port}`;
}

/** The login realm of a signed-in identity's sub-type; the group realm for an unknown sub-type. */
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

/** The address of a login page, with the app's name and the return page. A cross-realm sign-in also has
 *  the realm that the visitor comes from. */
export function loginAddress(call: LoginCall, from: RedirectFrom, realm: LoginRealm, originating?: LoginRealm): string {
  const { location } = from;
  const query = new URLSearchParams({ app: from.app, realm, return: location.pathname + location.search });
  if (call === "cross-realm" && originating !== undefined) query.set("from", originating);
  return `${location.protocol}//${hostAndPort(location)}${from.base}/${call}?${query.toString()}`;
}

/** The sign-in page of a visitor: plain without a session or with one of the page's realm, else the page of the
 *  realm of their sub-type. */
export function signInAddress(from: RedirectFrom, realm: LoginRealm, subType: string | undefined): string {
  if (subType === undefined) return loginAddress("sign-in", from, realm);
  const own = realmOf(subType);
  return own === realm ? loginAddress("sign-in", from, realm) : loginAddress("cross-realm", from, own, realm);
}

/** The return page, only if it is of this origin: another would let a link send people elsewhere (open redirect). */
export function returnPath(given: string | null | undefined, fallback: string): string {
  if (given === null || given === undefined || !given.startsWith("/") || given.startsWith("//") || given.includes("\\"))
    return fallback;
  try {
    const { origin, pathname, search, hash } = new URL(given, "https://page.invalid");
    return origin === "https://page.invalid" ? pathname + search + hash : fallback;
  } catch {
    return fallback;
  }
}

// The page to come back to after a sign-in (000 §2, 002 §2). The platform composes the addresses of the sign-in pages.

export type LoginRealm = "user" | "internal" | "partner" | "groupAdmin";

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

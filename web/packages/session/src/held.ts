// The code of a letter proves an address, or confirms a change of names by somebody else.
import type { UnprovedEmail } from "@pavise/schema/pavise/identity/v1/email_address_pb";

/** The address or change that the code confirms. */
export type Held =
  | { readonly kind: "address" }
  /** The address takes the place of others. */
  | { readonly kind: "replacement"; readonly removes: readonly string[] }
  /** Somebody else changed the names with which the identity signs in. */
  | {
      readonly kind: "names";
      readonly adds: readonly string[];
      readonly removes: readonly string[];
      readonly makesPrimary: string;
    };

type Waiting = Pick<UnprovedEmail, "address" | "addsUsernames" | "removes" | "makesPrimary">;

/** Whether only the identity's own addresses tell what waits: both a replacement and a change by others remove names. */
export function isUnclear({ addsUsernames, removes, makesPrimary }: Waiting): boolean {
  return removes.length > 0 && addsUsernames.length === 0 && makesPrimary === "";
}

/** The address or change that the code confirms. The letter about a change of names goes to an address that the identity has proved. */
export function heldBy(waiting: Waiting, own: readonly string[]): Held {
  const { address, addsUsernames: adds, removes, makesPrimary } = waiting;
  const isOwn = own.some((one) => one.toLowerCase() === address.toLowerCase());
  if (adds.length > 0 || makesPrimary !== "" || (isUnclear(waiting) && isOwn))
    return { kind: "names", adds, removes, makesPrimary };
  return removes.length > 0 ? { kind: "replacement", removes } : { kind: "address" };
}

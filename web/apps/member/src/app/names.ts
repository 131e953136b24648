// What forms say of people's names: one rule wherever one is typed, and it is the contract's.
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { isName } from "@pavise/rules/patterns.ts";

/** The id of what is wrong with a name; nothing where it can be sent. */
export function wrongName(text: string, longest: number = LENGTHS["orders.v1.PersonalInfo.first_name"]): string | undefined {
  if (text.trim() === "") return "details.missing";
  return isName(text, longest) ? undefined : "details.name.wrong";
}

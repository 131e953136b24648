// The check of people's names in forms: the contract's rule, the same in every form.
import { LENGTHS } from "@pavise/rules/lengths.ts";
import { isName } from "@pavise/rules/patterns.ts";

/** The message id of the fault in a name; undefined for a valid name. */
export function wrongName(
  text: string,
  longest: number = LENGTHS["orders.v1.PersonalInfo.first_name"],
): string | undefined {
  if (text.trim() === "") return "details.missing";
  return isName(text, longest) ? undefined : "details.name.wrong";
}

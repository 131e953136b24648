/** The error texts of fields that a refusal names. `FieldErrors.tsx` provides them. */
import { createContext, use, useState } from "react";

/** The error texts by field name: the field's path in the request. */
export type Violations = ReadonlyMap<string, string>;

export const NONE: Violations = new Map();
export const ViolationsContext = createContext(NONE);

/** The error text of a field while it still has the refused value. */
export function useViolation(name: string | undefined, value: unknown): string | undefined {
  const violations = use(ViolationsContext);
  const [refused, setRefused] = useState({ violations, value });
  if (refused.violations !== violations) setRefused({ violations, value });
  return name !== undefined && Object.is(refused.value, value) ? violations.get(name) : undefined;
}

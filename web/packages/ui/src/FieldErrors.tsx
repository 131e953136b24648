/** Brings a refusal to the fields that it names. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { brokenRule } from "@pavise/rules/violation.ts";
import { createContext, use, useMemo, useState, type ReactNode } from "react";

/** The error texts by field name: the field's path in the request. */
type Violations = ReadonlyMap<string, string>;

const NONE: Violations = new Map();
const ViolationsContext = createContext(NONE);

/** Fields below show the refusal's errors about them. A field's name is its path: `order.personal_info.first_name`. */
export function FieldErrors({ error, children }: { error: unknown; children: ReactNode }) {
  const { i18n, _ } = useLingui();
  const { locale } = i18n;
  const violations = useMemo(() => {
    if (error === undefined || error === null) return NONE;
    return new Map(problemOf(error).fields.map(({ path, description }) => [path, inWords(description, locale, _)]));
  }, [error, locale, _]);
  return <ViolationsContext value={violations}>{children}</ViolationsContext>;
}

function inWords(
  description: string,
  locale: string,
  _: (id: string, values?: Record<string, unknown>) => string,
): string {
  const broken = brokenRule(description);
  if (broken !== undefined) return _(`ui.rule.${broken.rule}`, { limit: broken.limit ?? "" });
  // The server's own sentences are in English.
  return locale.startsWith("en") ? description.charAt(0).toUpperCase() + description.slice(1) : _("ui.rule.other");
}

/** The error text of a field while it still has the refused value. */
export function useViolation(name: string | undefined, value: unknown): string | undefined {
  const violations = use(ViolationsContext);
  const [refused, setRefused] = useState({ violations, value });
  if (refused.violations !== violations) setRefused({ violations, value });
  return name !== undefined && Object.is(refused.value, value) ? violations.get(name) : undefined;
}

/** Whether the error names a field. */
export function namesFields(error: unknown): boolean {
  return error !== undefined && error !== null && problemOf(error).fields.length > 0;
}

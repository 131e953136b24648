/** Brings a refusal to the fields that it names. */
import { useLingui } from "@lingui/react";
import { problemOf } from "@pavise/rpc/problem.ts";
import { brokenRule } from "@pavise/rules/violation.ts";
import { useMemo, type ReactNode } from "react";
import { NONE, ViolationsContext } from "./violations.ts";

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

/** Whether the error names a field. */
export function namesFields(error: unknown): boolean {
  return error !== undefined && error !== null && problemOf(error).fields.length > 0;
}

// The contract's terms in the reader's language: labels, statuses, titles of calls. English without a translation.
import { useLingui } from "@lingui/react";
import type { I18n } from "@lingui/core";
import { useCallback } from "react";

/** The translation of English words, or the words themselves. */
export function inLanguage(i18n: I18n, words: string, values?: Record<string, unknown>): string {
  return Object.hasOwn(i18n.messages, words) ? i18n._(words, values) : words;
}

/** The same as a hook. */
export function useWords(): (words: string, values?: Record<string, unknown>) => string {
  const { i18n } = useLingui();
  const { messages } = i18n;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- other messages are another language
  return useCallback((words, values) => inLanguage(i18n, words, values), [i18n, messages]);
}

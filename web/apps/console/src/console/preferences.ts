// The caller's choices in the console: theme, density, and the arrangement of lists. The server keeps them, so that they
// follow the caller to another browser. This browser keeps them too, until the server has answered.
import {
  ConsoleDensity,
  ConsoleTheme,
  type ConsolePreference,
} from "@pavise/schema/pavise/identity/v1/console_preference_pb";
import { UserStateService } from "@pavise/schema/pavise/identity/v1/user_state_service_pb";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useConsole, type Ask } from "./console.ts";

const { method } = UserStateService;

const KEY = "pavise.choices";

/** The arrangement of a list. */
export interface Arrangement {
  /** The shown columns, in their order; none: those that the contract shows. */
  readonly columns: readonly string[];
  /** The column by which it is ordered, after a minus for the falling order; empty for the list's own order. */
  readonly order: string;
}

/** The caller's choices. */
export interface Choices {
  /** Undefined: that of the system. */
  readonly theme: "light" | "dark" | undefined;
  readonly compact: boolean;
  /** By the names of the lists: `orders.Order`. */
  readonly lists: Readonly<Record<string, Arrangement>>;
}

const NOTHING: Choices = { theme: undefined, compact: false, lists: {} };

/** The choices in the server's words. */
export function choicesOf({ theme, density, lists }: Pick<ConsolePreference, "theme" | "density" | "lists">): Choices {
  return {
    theme: theme === ConsoleTheme.DARK ? "dark" : theme === ConsoleTheme.LIGHT ? "light" : undefined,
    compact: density === ConsoleDensity.COMPACT,
    lists: Object.fromEntries(lists.map(({ list, columns, order }) => [list, { columns, order }])),
  };
}

/** The choices as the server takes them. A list without an arrangement is left out. */
export function requestOfChoices(identityId: string, { theme, compact, lists }: Choices) {
  const themes = { light: ConsoleTheme.LIGHT, dark: ConsoleTheme.DARK };
  return {
    identityId,
    theme: theme === undefined ? ConsoleTheme.UNSPECIFIED : themes[theme],
    density: compact ? ConsoleDensity.COMPACT : ConsoleDensity.COMFORTABLE,
    lists: Object.entries(lists)
      .filter(([, { columns, order }]) => columns.length > 0 || order !== "")
      .map(([list, { columns, order }]) => ({ list, columns: [...columns], order })),
  };
}

/** The choices with another arrangement of a list. */
export function arranged(choices: Choices, list: string, arrangement: Partial<Arrangement>): Choices {
  const before = choices.lists[list] ?? { columns: [], order: "" };
  return { ...choices, lists: { ...choices.lists, [list]: { ...before, ...arrangement } } };
}

/** The choices that this browser keeps of an identity. */
function cached(identityId: string): Choices | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as { of?: string; choices?: Choices } | null;
    return kept?.of === identityId && kept.choices !== undefined ? { ...NOTHING, ...kept.choices } : undefined;
  } catch {
    return undefined;
  }
}

function cache(identityId: string, choices: Choices): Choices {
  localStorage.setItem(KEY, JSON.stringify({ of: identityId, choices }));
  return choices;
}

async function read(ask: Ask, identityId: string, signal?: AbortSignal): Promise<Choices> {
  return cache(identityId, choicesOf(await ask(method.getConsolePreferences, { identityId }, { signal })));
}

/** Changes are written one after the other, so that the last one stays. */
let written: Promise<unknown> = Promise.resolve();

/** The caller's choices, and how to change them. During an impersonation there are none: they would be another's. */
export function usePreferences() {
  const { ask, caller, may, operationOf } = useConsole();
  const queries = useQueryClient();
  const { identityId } = caller;
  const possible =
    caller.actor === undefined &&
    may(operationOf(method.getConsolePreferences)) &&
    may(operationOf(method.putConsolePreferences));
  const query = useQuery({
    queryKey: ["preferences", identityId],
    enabled: possible,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: ({ signal }) => read(ask, identityId, signal),
  });
  const choices = possible ? (query.data ?? cached(identityId) ?? NOTHING) : NOTHING;
  const change = useCallback(
    (edit: (before: Choices) => Choices) => {
      if (!possible) return;
      const queryKey = ["preferences", identityId];
      void queries.cancelQueries({ queryKey });
      queries.setQueryData<Choices>(queryKey, (before) =>
        cache(identityId, edit(before ?? cached(identityId) ?? NOTHING)),
      );
      // Another window may have changed other choices: the edit is made on the newest ones.
      written = written
        .then(async () => {
          const next = edit(choicesOf(await ask(method.getConsolePreferences, { identityId })));
          await ask(method.putConsolePreferences, requestOfChoices(identityId, next));
        })
        // A choice that does not reach the server stays in this browser.
        .catch(() => undefined);
    },
    [ask, identityId, possible, queries],
  );
  return { choices, change, ready: !possible || !query.isLoading };
}

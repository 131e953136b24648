// The caller's choices in the console: theme, density, and the arrangement of lists. The server keeps them, so that they
// follow the caller to another browser. This browser keeps them too, until the server has answered.
import {
  ConsoleDensity,
  ConsoleTheme,
  type ConsolePreference,
} from "@pavise/schema/pavise/identity/v1/console_preference_pb";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useConsole, type Console } from "./console.ts";

const SERVICE = { typeName: "pavise.identity.v1.UserStateService" };
const GET = { parent: SERVICE, name: "GetConsolePreferences" };
const PUT = { parent: SERVICE, name: "PutConsolePreferences" };

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

/** The calls are fetched after the first page: it needs neither of them. */
async function stubs() {
  return (await import("@pavise/schema/pavise/identity/v1/user_state_service_pb")).UserStateService.method;
}

/** Reads the choices, and writes them; undefined if the caller may not, or acts for another: they would be the other's. */
function callsOf({ ask, caller, may, operationOf }: Console) {
  const [get, put] = [operationOf(GET), operationOf(PUT)];
  if (caller.actor !== undefined || !may(get) || !may(put)) return undefined;
  const { identityId } = caller;
  return {
    read: async (signal?: AbortSignal) => {
      const { getConsolePreferences } = await stubs();
      return choicesOf(await ask(getConsolePreferences, { identityId }, { signal }));
    },
    write: async (choices: Choices) => {
      const { putConsolePreferences } = await stubs();
      return ask(putConsolePreferences, requestOfChoices(identityId, choices));
    },
  };
}

/** Changes are written one after the other, so that the last one stays. */
let written: Promise<unknown> = Promise.resolve();

/** The caller's choices, and how to change them. */
export function usePreferences() {
  const known = useConsole();
  const queries = useQueryClient();
  const { identityId } = known.caller;
  const calls = useMemo(() => callsOf(known), [known]);
  const query = useQuery({
    queryKey: ["preferences", identityId],
    enabled: calls !== undefined,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: async ({ signal }) => cache(identityId, (await calls?.read(signal)) ?? NOTHING),
  });
  const choices = calls === undefined ? NOTHING : (query.data ?? cached(identityId) ?? NOTHING);
  const change = useCallback(
    (edit: (before: Choices) => Choices) => {
      if (calls === undefined) return;
      const queryKey = ["preferences", identityId];
      void queries.cancelQueries({ queryKey });
      queries.setQueryData<Choices>(queryKey, (before) =>
        cache(identityId, edit(before ?? cached(identityId) ?? NOTHING)),
      );
      // Another window may have changed other choices: the edit is made on the newest ones.
      written = written
        .then(async () => calls.write(edit(await calls.read())))
        // A choice that does not reach the server stays in this browser.
        .catch(() => undefined);
    },
    [calls, identityId, queries],
  );
  return { choices, change, ready: calls === undefined || !query.isLoading };
}

// Saved views of lists: filters, columns, order and density under a name. The server keeps them as settings of the
// application "console", one setting per view. The default view of each list is a setting of its own.
import type { JsonObject, MessageShape } from "@bufbuild/protobuf";
import type { ApplicationSettingSchema } from "@pavise/schema/pavise/identity/v1/application_setting_pb";
import { ApplicationSettingService } from "@pavise/schema/pavise/identity/v1/application_setting_service_pb";
import { problemOf } from "@pavise/rpc/problem.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useConsole, type Ask, type Console } from "../console/console.ts";
import type { Entity } from "../contract/operation.ts";
import { entityPath } from "../contract/screens.ts";
import { searchText, type Search } from "../frame/address.ts";

type Setting = MessageShape<typeof ApplicationSettingSchema>;
const { method } = ApplicationSettingService;

/** The application id of the settings. */
const APPLICATION = "console";
/** The setting that holds the default view of each list. */
const DEFAULTS = "list-defaults";
/** The longest name of a view. */
export const LONGEST_NAME = 60;
/** Address parameters that are not part of a view. */
const ASIDE = new Set(["view", "of"]);
/** Address parameter that shows the list without its default view. */
export const NO_VIEW = "none";

/** A saved view of a list. */
export interface View {
  readonly id: string;
  readonly ownerId: string;
  readonly version: bigint;
  readonly name: string;
  /** The list: `orders.Order`. */
  readonly list: string;
  /** The address parameters of the list: filters, columns, order, density. */
  readonly address: Readonly<Record<string, string>>;
  readonly shared: boolean;
  readonly mine: boolean;
}

/** The name of a list in settings. */
export function listName({ domain, name }: Entity): string {
  return `${domain}.${name}`;
}

/** The address parameters that a view keeps. */
export function keptOf(search: Search): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => !ASIDE.has(entry[0]) && entry[1] !== undefined && entry[1] !== "",
    ),
  );
}

/** Whether an address shows the same as a view. */
export function shows(search: Search, { address }: View): boolean {
  const kept = keptOf(search);
  return (
    Object.keys(kept).length === Object.keys(address).length &&
    Object.entries(kept).every(([name, value]) => address[name] === value)
  );
}

/** The address of a view, short enough to send. */
export function viewPath(entity: Entity, { id, ownerId, shared, mine }: View): string {
  return entityPath(entity) + searchText({ view: id, of: mine && shared ? undefined : ownerId });
}

/** The view in a setting; undefined for any other setting. */
export function viewOf({ id, ownerId, version, name, settings, shared }: Setting, me: string): View | undefined {
  const [list, ...rest] = name.split("/");
  const address = settings?.["address"];
  if (
    list === undefined ||
    rest.length === 0 ||
    settings?.["kind"] !== "view" ||
    typeof address !== "object" ||
    address === null ||
    Array.isArray(address)
  )
    return undefined;
  const said = Object.entries(address).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return {
    id,
    ownerId,
    version,
    name: rest.join("/"),
    list,
    address: Object.fromEntries(said),
    shared,
    mine: ownerId === me,
  };
}

function contentOf(
  list: string,
  name: string,
  address: Readonly<Record<string, string>>,
): { name: string; settings: JsonObject } {
  return { name: `${list}/${name}`, settings: { kind: "view", address: { ...address } } };
}

/** All settings of views. */
export interface Kept {
  readonly views: readonly View[];
  /** The default view by the list's name. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly defaultsSetting: Setting | undefined;
}

const NOTHING: Kept = { views: [], defaults: {}, defaultsSetting: undefined };

async function everyPage(
  page: (pageToken: string) => Promise<{ applicationSettings: Setting[]; nextPageToken: string }>,
): Promise<Setting[]> {
  const all: Setting[] = [];
  let pageToken = "";
  do {
    const answer = await page(pageToken);
    all.push(...answer.applicationSettings);
    pageToken = answer.nextPageToken;
  } while (pageToken !== "");
  return all;
}

async function read(ask: Ask, me: string, signal?: AbortSignal): Promise<Kept> {
  const [mine, shared] = await Promise.all([
    everyPage((pageToken) =>
      ask(
        method.listApplicationSettings,
        { identityId: me, applicationName: APPLICATION, pageSize: 500, pageToken },
        { signal },
      ),
    ),
    everyPage((pageToken) =>
      ask(method.listSharedApplicationSettings, { sharedIn: APPLICATION, pageSize: 500, pageToken }, { signal }),
    ),
  ]);
  const defaultsSetting = mine.find(({ name }) => name === DEFAULTS);
  const settings = [...mine, ...shared.filter(({ ownerId }) => ownerId !== me)];
  const views = settings
    .flatMap((setting) => viewOf(setting, me) ?? [])
    .toSorted((left, right) => left.name.localeCompare(right.name));
  return { views, defaults: defaultsOf(defaultsSetting), defaultsSetting };
}

function defaultsOf(setting: Setting | undefined): Record<string, string> {
  const said = setting?.settings?.["defaults"];
  if (typeof said !== "object" || said === null || Array.isArray(said)) return {};
  return Object.fromEntries(
    Object.entries(said).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Whether the caller can save views. During an impersonation there are none: they would be the other identity's. */
function mayKeep({ caller, may, operationOf }: Console): boolean {
  return (
    caller.actor === undefined &&
    [method.listApplicationSettings, method.listSharedApplicationSettings, method.createApplicationSetting].every(
      (one) => may(operationOf(one)),
    )
  );
}

/** The caller's saved views, and those that staff share. */
export function useViews() {
  const known = useConsole();
  const { ask, caller } = known;
  const possible = mayKeep(known);
  const query = useQuery({
    queryKey: ["views", caller.identityId],
    enabled: possible,
    staleTime: 60_000,
    queryFn: ({ signal }) => read(ask, caller.identityId, signal),
  });
  return { ...(query.data ?? NOTHING), possible, ready: !possible || !query.isLoading };
}

/** A view by its id: a known one, or one from a link. */
export function useView(id: string | undefined, ownerId: string | undefined) {
  const { ask, caller } = useConsole();
  const { views, ready, possible } = useViews();
  const known = views.find((view) => view.id === id);
  const elsewhere =
    possible && ready && known === undefined && id !== undefined && id !== NO_VIEW && ownerId !== undefined;
  const query = useQuery({
    queryKey: ["views", "other", id, ownerId],
    enabled: elsewhere,
    retry: false,
    queryFn: async ({ signal }) =>
      viewOf(
        await ask(
          method.getApplicationSetting,
          { identityId: ownerId ?? "", applicationSettingId: id ?? "" },
          { signal },
        ),
        caller.identityId,
      ) ?? null,
  });
  const found = known ?? query.data ?? undefined;
  const waiting = !ready || (elsewhere && query.isLoading);
  return {
    view: found,
    waiting,
    missing: !waiting && possible && id !== undefined && id !== NO_VIEW && found === undefined,
  };
}

/** Changes of views. Each function throws the server's refusal. */
export function useViewCalls() {
  const { ask, caller } = useConsole();
  const queries = useQueryClient();
  const me = caller.identityId;
  const settled = useCallback(
    <T>(done: Promise<T>): Promise<T> => done.finally(() => queries.invalidateQueries({ queryKey: ["views"] })),
    [queries],
  );
  return useMemo(() => {
    const at = ({ id, ownerId }: View) => ({ identityId: ownerId, applicationSettingId: id });
    return {
      create: (list: string, name: string, address: Readonly<Record<string, string>>) =>
        settled(
          ask(method.createApplicationSetting, {
            identityId: me,
            applicationName: APPLICATION,
            ...contentOf(list, name, address),
          }),
        ),
      /** Refused when the view changed since it was read (stale update); pass the current version to overwrite it. */
      replace: (view: View, name: string, address: Readonly<Record<string, string>>) =>
        settled(
          ask(
            method.updateApplicationSetting,
            { ...at(view), applicationName: APPLICATION, ...contentOf(view.list, name, address) },
            { version: view.version },
          ),
        ),
      share: (view: View, shared: boolean) =>
        settled(ask(method.shareApplicationSetting, { ...at(view), shared }, { version: view.version })),
      remove: (view: View) => settled(ask(method.deleteApplicationSetting, at(view), { version: view.version })),
      /** The current view on the server. */
      again: async (view: View) => viewOf(await ask(method.getApplicationSetting, at(view)), me),
      begin: (list: string, id: string | undefined) => settled(begin(ask, me, list, id)),
    };
  }, [ask, me, settled]);
}

/** Sets the default view of a list. Another window may set that of another list at the same time: both are kept. */
async function begin(ask: Ask, me: string, list: string, id: string | undefined): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { defaults, defaultsSetting } = await read(ask, me);
    const others = Object.entries(defaults).filter(([one]) => one !== list);
    const settings = { defaults: Object.fromEntries(id === undefined ? others : [...others, [list, id]]) };
    try {
      if (defaultsSetting === undefined)
        await ask(method.createApplicationSetting, {
          identityId: me,
          applicationName: APPLICATION,
          name: DEFAULTS,
          settings,
        });
      else
        await ask(
          method.updateApplicationSettingDocument,
          { identityId: me, applicationSettingId: defaultsSetting.id, settings },
          { version: defaultsSetting.version },
        );
      return;
    } catch (error) {
      if (attempt === 2 || !["conflict", "exists"].includes(problemOf(error).kind)) throw error;
    }
  }
}

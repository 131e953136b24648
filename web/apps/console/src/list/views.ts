// Saved views of lists: filters, columns, order and density under a name. They are kept by the server as settings of the
// application "console", one for each view; which view a list begins with is a setting of its own.
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

/** The application that the settings are of. */
const APPLICATION = "console";
/** The setting that says with which view a list begins. */
const DEFAULTS = "list-defaults";
/** The longest name of a view. */
export const LONGEST_NAME = 60;
/** What of an address is not part of a view. */
const ASIDE = new Set(["view", "of"]);
/** Asks for the list as it is, where it would begin with a view. */
export const NO_VIEW = "none";

/** A saved view of a list. */
export interface View {
  readonly id: string;
  readonly ownerId: string;
  readonly version: bigint;
  readonly name: string;
  /** The list: `orders.Order`. */
  readonly list: string;
  /** What the address of the list says: filters, columns, order, density. */
  readonly address: Readonly<Record<string, string>>;
  readonly shared: boolean;
  readonly mine: boolean;
}

/** What a list is called in settings. */
export function listName({ domain, name }: Entity): string {
  return `${domain}.${name}`;
}

/** What of an address a view keeps. */
export function keptOf(search: Search): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter((entry): entry is [string, string] => !ASIDE.has(entry[0]) && entry[1] !== undefined && entry[1] !== ""));
}

/** Whether an address shows what a view says. */
export function shows(search: Search, { address }: View): boolean {
  const kept = keptOf(search);
  return Object.keys(kept).length === Object.keys(address).length && Object.entries(kept).every(([name, value]) => address[name] === value);
}

/** The address of a view, short enough to be sent to somebody. */
export function viewPath(entity: Entity, { id, ownerId, shared, mine }: View): string {
  return entityPath(entity) + searchText({ view: id, of: mine && shared ? undefined : ownerId });
}

/** A view out of its setting; undefined for a setting that is something else. */
export function viewOf({ id, ownerId, version, name, settings, shared }: Setting, me: string): View | undefined {
  const [list, ...rest] = name.split("/");
  const address = settings?.["address"];
  if (list === undefined || rest.length === 0 || settings?.["kind"] !== "view" || typeof address !== "object" || address === null || Array.isArray(address)) return undefined;
  const said = Object.entries(address).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { id, ownerId, version, name: rest.join("/"), list, address: Object.fromEntries(said), shared, mine: ownerId === me };
}

function contentOf(list: string, name: string, address: Readonly<Record<string, string>>): { name: string; settings: JsonObject } {
  return { name: `${list}/${name}`, settings: { kind: "view", address: { ...address } } };
}

/** Everything that is kept of views. */
export interface Kept {
  readonly views: readonly View[];
  /** The view that a list begins with, by the list's name. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly defaultsSetting: Setting | undefined;
}

const NOTHING: Kept = { views: [], defaults: {}, defaultsSetting: undefined };

async function everyPage(page: (pageToken: string) => Promise<{ applicationSettings: Setting[]; nextPageToken: string }>): Promise<Setting[]> {
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
    everyPage((pageToken) => ask(method.listApplicationSettings, { identityId: me, applicationName: APPLICATION, pageSize: 500, pageToken }, { signal })),
    everyPage((pageToken) => ask(method.listSharedApplicationSettings, { sharedIn: APPLICATION, pageSize: 500, pageToken }, { signal })),
  ]);
  const defaultsSetting = mine.find(({ name }) => name === DEFAULTS);
  const settings = [...mine, ...shared.filter(({ ownerId }) => ownerId !== me)];
  const views = settings.flatMap((setting) => viewOf(setting, me) ?? []).toSorted((left, right) => left.name.localeCompare(right.name));
  return { views, defaults: defaultsOf(defaultsSetting), defaultsSetting };
}

function defaultsOf(setting: Setting | undefined): Record<string, string> {
  const said = setting?.settings?.["defaults"];
  if (typeof said !== "object" || said === null || Array.isArray(said)) return {};
  return Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

/** Whether whoever uses the console can keep views. Who acts for somebody sees none: they would be the other's. */
function mayKeep({ caller, may, operationOf }: Console): boolean {
  return caller.actor === undefined && [method.listApplicationSettings, method.listSharedApplicationSettings, method.createApplicationSetting].every((one) => may(operationOf(one)));
}

/** The saved views of whoever uses the console, and those that staff share. */
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

/** A view by its id: one of the known ones, or one that somebody sent the link of. */
export function useView(id: string | undefined, ownerId: string | undefined) {
  const { ask, caller } = useConsole();
  const { views, ready, possible } = useViews();
  const known = views.find((view) => view.id === id);
  const elsewhere = possible && ready && known === undefined && id !== undefined && id !== NO_VIEW && ownerId !== undefined;
  const query = useQuery({
    queryKey: ["views", "other", id, ownerId],
    enabled: elsewhere,
    retry: false,
    queryFn: async ({ signal }) => viewOf(await ask(method.getApplicationSetting, { identityId: ownerId ?? "", applicationSettingId: id ?? "" }, { signal }), caller.identityId) ?? null,
  });
  const found = known ?? query.data ?? undefined;
  const waiting = !ready || (elsewhere && query.isLoading);
  return { view: found, waiting, missing: !waiting && possible && id !== undefined && id !== NO_VIEW && found === undefined };
}

/** What can be done with views. Each throws what the server refused with. */
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
        settled(ask(method.createApplicationSetting, { identityId: me, applicationName: APPLICATION, ...contentOf(list, name, address) })),
      /** Refused when somebody changed the view since it was read, unless the version is named that he made. */
      replace: (view: View, name: string, address: Readonly<Record<string, string>>) =>
        settled(ask(method.updateApplicationSetting, { ...at(view), applicationName: APPLICATION, ...contentOf(view.list, name, address) }, { version: view.version })),
      share: (view: View, shared: boolean) => settled(ask(method.shareApplicationSetting, { ...at(view), shared }, { version: view.version })),
      remove: (view: View) => settled(ask(method.deleteApplicationSetting, at(view), { version: view.version })),
      /** The view as it is on the server now. */
      again: async (view: View) => viewOf(await ask(method.getApplicationSetting, at(view)), me),
      begin: (list: string, id: string | undefined) => settled(begin(ask, me, list, id)),
    };
  }, [ask, me, settled]);
}

/** Says with which view a list begins. Another window may do the same for another list: both are kept. */
async function begin(ask: Ask, me: string, list: string, id: string | undefined): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { defaults, defaultsSetting } = await read(ask, me);
    const others = Object.entries(defaults).filter(([one]) => one !== list);
    const settings = { defaults: Object.fromEntries(id === undefined ? others : [...others, [list, id]]) };
    try {
      if (defaultsSetting === undefined) await ask(method.createApplicationSetting, { identityId: me, applicationName: APPLICATION, name: DEFAULTS, settings });
      else await ask(method.updateApplicationSettingDocument, { identityId: me, applicationSettingId: defaultsSetting.id, settings }, { version: defaultsSetting.version });
      return;
    } catch (error) {
      if (attempt === 2 || !["conflict", "exists"].includes(problemOf(error).kind)) throw error;
    }
  }
}

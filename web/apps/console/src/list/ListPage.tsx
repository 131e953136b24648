/** An entity's records in a grid: the newest changes, or the result of a list call. */
import { useWords } from "@pavise/i18n/words.ts";
import type { DescField, Message, Registry } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { FieldEditor } from "@pavise/descform/FieldEditor.tsx";
import { asText, fieldSlot, type DraftMessage } from "@pavise/descform/draft.ts";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { constraintsOf } from "@pavise/descform/constraints.ts";
import { compile } from "@pavise/descform/compile.ts";
import { leafOf } from "@pavise/descform/leaves.ts";
import { isPersonal } from "@pavise/descform/value.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Realm } from "@pavise/schema/pavise/contract/v1/options_pb";
import { Boundary } from "@pavise/ui/Boundary.tsx";
import { Button, IconButton } from "@pavise/ui/Button.tsx";
import { Grid, type GridSort } from "@pavise/ui/Grid.tsx";
import { IconColumns, IconExport, IconMenu, IconRefresh } from "@pavise/ui/icons.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Menu, MenuItem } from "@pavise/ui/Menu.tsx";
import { EmptyState, Note } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useEffect, useMemo, useRef, useState } from "react";
import { useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { OwnerContext, usePickers } from "../console/Picker.tsx";
import { arranged, usePreferences } from "../console/preferences.ts";
import { ProblemPanel } from "../console/Problem.tsx";
import type { Entity, Operation } from "../contract/operation.ts";
import { entityPath, formPath, recordPath, screenOf } from "../contract/screens.ts";
import { useAddress, type Search } from "../frame/address.ts";
import { plural } from "../frame/places.ts";
import { BulkMenu } from "./Bulk.tsx";
import { columnsOf, hiddenAtFirst, sorted } from "./columns.tsx";
import { csvOf, download } from "./csv.ts";
import { Views } from "./Views.tsx";
import { keptOf, listName, NO_VIEW, useView, useViews } from "./views.ts";
import { countText, filterFields, sourcesOf, useOnlyValues, useRows, type ListCount, type Source } from "./source.ts";
import styles from "../console/console.module.css";

/** The list of an entity. */
export function ListPage({ entity }: { entity: Entity }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { search, setSearch } = useAddress();
  const { view, missing, applying } = useAppliedView(entity);
  const sources = sourcesOf(known, entity);
  const source = sources.find(({ id }) => id === search["by"]) ?? sources[0];
  const only = useOnlyValues(entity, source, search);
  const [count, setCount] = useState<ListCount>();
  const filling = useFilling(entity, applying ? undefined : only);
  const starts = known.contract.operations.filter(
    (operation) =>
      operation.entity === entity && !operation.reads && screenOf(operation).screen === "form" && known.may(operation),
  );
  return (
    <div className={styles.full}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <div className={styles.counted}>
            <PageTitle>{w(plural(entity.title))}</PageTitle>
            {count === undefined ? null : (
              <span className={styles.count} aria-live="polite">
                {countText(count, known.saying.locale)}
              </span>
            )}
          </div>
        </div>
        <div className={styles.tools}>
          <Views entity={entity} view={view} />
          {starts.slice(0, 1).map((operation) => (
            <Link key={operation.id} kind="primary" href={formPath(operation)}>
              {w(operation.title)}
            </Link>
          ))}
          {starts.length > 1 ? (
            <Menu label={_("More")} trigger={<Button>{_("More")}</Button>}>
              {starts.slice(1).map((operation) => (
                <MenuItem key={operation.id} label={w(operation.title)} href={formPath(operation)} />
              ))}
            </Menu>
          ) : null}
        </div>
      </header>
      {missing ? <Note tone="warning" title={_("This view is not there any more")} /> : null}
      {applying || filling ? (
        <SkeletonText lines={6} />
      ) : source === undefined ? (
        <EmptyState title={_("Nothing here for you")}>{_("None of your permissions lists these records.")}</EmptyState>
      ) : (
        <Boundary key={`${source.id} ${view?.id ?? ""}`}>
          <Records
            entity={entity}
            source={source}
            sources={sources}
            onCount={setCount}
            onSource={(id) => setSearch({ by: id, view: search["view"], of: search["of"] })}
          />
        </Boundary>
      )}
    </div>
  );
}

/** Puts the only possible values into the address. Returns whether they are still being read. */
function useFilling(entity: Entity, only: Readonly<Record<string, string>> | undefined): boolean {
  const { pathname, search, setSearch } = useAddress();
  const missing = only === undefined ? [] : Object.keys(only).filter((name) => (search[name] ?? "") === "");
  // While this page is being left, the address may already be that of the next page.
  const wanted = missing.length > 0 && pathname === entityPath(entity);
  useEffect(() => {
    if (wanted) setSearch({ ...search, ...only });
  }, [wanted, only, search, setSearch]);
  return only === undefined || wanted;
}

/** The view that the address names, or the list's default view. Its filters, columns and order go into the address. */
function useAppliedView(entity: Entity) {
  const { pathname, search, setSearch } = useAddress();
  const { views, defaults, ready } = useViews();
  const { view, waiting, missing } = useView(search["view"], search["of"]);
  const bare = Object.keys(keptOf(search)).length === 0;
  const first =
    bare && search["view"] === undefined ? views.find(({ id }) => id === defaults[listName(entity)]) : undefined;
  const wanted = first ?? (bare && view !== undefined && Object.keys(view.address).length > 0 ? view : undefined);
  const own = useOwnArrangement(entity);
  const alone = bare && wanted === undefined && (search["view"] === undefined ? ready : search["view"] === NO_VIEW);
  // While this page is being left, the address may already be that of the next page.
  const begin = alone && pathname === entityPath(entity) ? own.address : undefined;
  useEffect(() => {
    if (wanted !== undefined) setSearch({ ...wanted.address, view: wanted.id, of: search["of"] });
    else if (begin !== undefined) setSearch({ ...search, ...begin });
  }, [wanted, begin, setSearch, search]);
  return {
    view,
    missing,
    applying:
      wanted !== undefined ||
      begin !== undefined ||
      (alone && !own.ready) ||
      (bare && (search["view"] === undefined ? !ready : waiting)),
  };
}

/** The caller's own arrangement of a list as parameters of its address; undefined for none. */
function useOwnArrangement(entity: Entity) {
  const { choices, ready } = usePreferences();
  const { compact } = choices;
  const arrangement = choices.lists[listName(entity)];
  const address = useMemo(() => {
    const names = entity.desc.fields.map(({ name }) => name);
    const shown = arrangement?.columns.filter((name) => names.includes(name)) ?? [];
    const order = arrangement?.order ?? "";
    const hide = shown.length === 0 ? "" : names.filter((name) => !shown.includes(name)).join(",");
    const parameters = {
      ...(hide === "" ? {} : { hide }),
      ...(order === "" ? {} : { sort: order }),
      ...(compact ? { density: "compact" } : {}),
    };
    return Object.keys(parameters).length === 0 ? undefined : parameters;
  }, [entity, arrangement, compact]);
  return { address, ready };
}

type RecordsProps = {
  entity: Entity;
  source: Source;
  sources: readonly Source[];
  onCount: (count: ListCount | undefined) => void;
  onSource: (id: string) => void;
};

function Records({ entity, source, sources, onCount, onSource }: RecordsProps) {
  const { _ } = useLingui();
  const w = useWords();
  const { saying, contract } = useConsole();
  const { setSearch, go } = useAddress();
  const search = useOwnSearch();
  const cell = useCell();
  const [request, setRequest] = useState<Message | undefined>(() =>
    requestOfSearch(source.operation, search, contract.registry),
  );
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const [widths, setWidths] = useState<Record<string, number>>({});
  const query = useRows(entity, source, request);
  const { count } = query;
  useEffect(() => {
    onCount(count);
    return () => onCount(undefined);
  }, [count, onCount]);
  const arrange = useArranging(entity);
  const columns = useMemo(() => columnsOf(entity, saying, cell), [entity, saying, cell]);
  const hidden = useMemo(
    () => (search["hide"] === undefined ? hiddenAtFirst(entity, columns) : new Set(search["hide"].split(","))),
    [search, entity, columns],
  );
  const sort = sortOf(search["sort"]);
  const dense = search["density"] === "compact";
  const rows = useMemo(
    () =>
      sorted(
        query.rows,
        columns.find(({ id }) => id === sort?.column),
        sort?.descending ?? false,
        saying,
      ),
    [query.rows, columns, sort?.column, sort?.descending, saying],
  );
  const shown = columns.filter(({ id }) => !hidden.has(id));
  const waiting = source.kind === "list" && request === undefined;
  return (
    <>
      <div className={styles.bar}>
        {sources.length > 1 ? (
          <Select
            label={_("Show")}
            choices={sources.map(({ id, kind, operation }) => ({
              id,
              label: kind === "recent" ? _("What changed last") : w(operation.title),
            }))}
            value={source.id}
            onChange={onSource}
          />
        ) : null}
        {source.kind === "list" ? (
          <Filters operation={source.operation} onApply={setRequest} registry={contract.registry} error={query.error} />
        ) : (
          <div className={styles.filters} />
        )}
        <div className={styles.tools}>
          {selected.size > 0 ? (
            <BulkMenu
              entity={entity}
              rows={rows.filter(({ id }) => selected.has(id))}
              onDone={() => setSelected(new Set())}
            />
          ) : null}
          <Columns
            columns={columns}
            hidden={hidden}
            onHide={(ids) => {
              setSearch({ ...search, hide: ids.join(",") });
              arrange({ columns: columns.filter(({ id }) => !ids.includes(id)).map(({ id }) => id) });
            }}
          />
          <span title={_("Compact")}>
            <IconButton
              label={_("Compact")}
              aria-pressed={dense}
              onPress={() => {
                setSearch({ ...search, density: dense ? undefined : "compact" });
                arrange({ compact: !dense });
              }}
            >
              <IconMenu />
            </IconButton>
          </span>
          <span title={_("CSV")}>
            <IconButton
              label={_("CSV")}
              isDisabled={rows.length === 0}
              onPress={() => download(`${entity.name}.csv`, csvOf(rows, shown, saying))}
            >
              <IconExport />
            </IconButton>
          </span>
          <span title={_("Refresh")}>
            <IconButton label={_("Refresh")} isDisabled={waiting} onPress={() => void query.refetch()}>
              <IconRefresh />
            </IconButton>
          </span>
        </div>
      </div>
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      <Grid
        className={styles.grow}
        label={w(plural(entity.title))}
        compact={dense}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        hidden={hidden}
        widths={widths}
        onWidths={setWidths}
        sort={sort}
        onSort={(next) => {
          const order = next === null ? "" : `${next.descending ? "-" : ""}${next.column}`;
          setSearch({ ...search, sort: order === "" ? undefined : order });
          arrange({ order });
        }}
        selected={selected}
        onSelect={setSelected}
        onOpen={({ id, record }) => go(`${recordPath(entity, id)}${ownerQuery(entity, record.message)}`)}
        loading={query.isLoading}
        loadingMore={query.isFetchingNextPage}
        {...(query.hasNextPage ? { onEnd: () => void query.fetchNextPage() } : {})}
        empty={<Nothing waiting={waiting} />}
      />
    </>
  );
}

/** Keeps how a list is arranged. The arrangement of a view is the view's own. */
function useArranging(entity: Entity) {
  const { search } = useAddress();
  const { change } = usePreferences();
  const view = search["view"];
  return (next: { columns?: readonly string[]; order?: string; compact?: boolean }) => {
    if (view !== undefined && view !== NO_VIEW) return;
    const { compact, ...arrangement } = next;
    change((before) => ({
      ...arranged(before, listName(entity), arrangement),
      compact: compact ?? before.compact,
    }));
  };
}

/** The search in the address. A member's list shows only their own records, so it does not ask for the owner. */
function useOwnSearch(): Search {
  const { caller } = useConsole();
  const { search } = useAddress();
  return useMemo<Search>(
    () => (caller.realm === Realm.USER ? { identity_id: caller.identityId, ...search } : search),
    [caller, search],
  );
}

/** The choice of shown columns. */
function Columns({
  columns,
  hidden,
  onHide,
}: {
  columns: readonly { readonly id: string; readonly header: string }[];
  hidden: ReadonlySet<string>;
  onHide: (ids: readonly string[]) => void;
}) {
  const { _ } = useLingui();
  return (
    <Menu
      label={_("Columns")}
      trigger={
        <IconButton label={_("Columns")}>
          <IconColumns />
        </IconButton>
      }
      selected={columns.filter(({ id }) => !hidden.has(id)).map(({ id }) => id)}
      onSelect={(keys) => onHide(columns.filter(({ id }) => !keys.has(id)).map(({ id }) => id))}
    >
      {columns.map(({ id, header }) => (
        <MenuItem key={id} id={id} label={header} />
      ))}
    </Menu>
  );
}

/** Shown in place of rows when there are none. */
function Nothing({ waiting }: { waiting: boolean }) {
  const { _ } = useLingui();
  return (
    <EmptyState title={waiting ? _("Say what you look for") : _("Nothing found")}>
      {waiting ? _("This list needs to know whose records you mean. Fill in the fields above.") : null}
    </EmptyState>
  );
}

/** The link carries the owner's id: some records can only be read together with their owner. */
function ownerQuery(entity: Entity, message: Message): string {
  const owner = (message as unknown as { ownerId?: string }).ownerId ?? "";
  return owner === "" || entity.name === "Identity" ? "" : `?owner=${encodeURIComponent(owner)}`;
}

function sortOf(text: string | undefined): GridSort | null {
  if (text === undefined || text === "") return null;
  return text.startsWith("-") ? { column: text.slice(1), descending: true } : { column: text, descending: false };
}

type FiltersProps = {
  operation: Operation;
  onApply: (request: Message) => void;
  registry: Registry;
  /** The refusal of the list call. */
  error: unknown;
};

/** The filters of a list. Filters without personal data stand in the address, so that the list can be linked to. */
function Filters({ operation, onApply, registry, error }: FiltersProps) {
  const { _ } = useLingui();
  const { search, setSearch } = useAddress();
  const { input } = operation.method;
  const fields = filterFields(operation).filter(isOneValue);
  const form = useForm(input, draftOfSearch(fields, search), registry, { plain: true, reference: usePickers() });
  const refuse = useRef(form.refuse);
  useEffect(() => {
    if (error !== null) refuse.current(problemOf(error).fields);
  }, [error]);
  if (fields.length === 0) return <div className={styles.filters} />;
  return (
    <FormContextProvider value={form.context}>
      <OwnerContext value={asText((form.draft as DraftMessage)["identityId"])}>
        <form
          className={styles.filters}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const message = form.check();
            if (message === undefined) return;
            onApply(message);
            setSearch({ ...search, ...searchOfDraft(fields, form.draft as DraftMessage) });
          }}
        >
          {fields.map((field) => (
            <FieldEditor key={field.name} field={field} slot={fieldSlot(form.slot, field)} />
          ))}
          <Button type="submit">{_("Find")}</Button>
        </form>
      </OwnerContext>
    </FormContextProvider>
  );
}

/** Whether a filter is one value, also a day or a moment: the bounds of a range. */
function isOneValue(field: DescField): boolean {
  if (field.fieldKind === "message") return ["date", "timestamp"].includes(leafOf(field.message) ?? "");
  return field.fieldKind === "scalar" || field.fieldKind === "enum";
}

/** A list applies at once when it needs no filter, or when the address has every needed filter. */
function requestOfSearch(operation: Operation, search: Search, registry: Registry): Message | undefined {
  const draft = draftOfSearch(operation.method.input.fields, search);
  return compile(operation.method.input, draft, { registry, constraints: constraintsOf(registry) }).message;
}

function draftOfSearch(fields: readonly DescField[], search: Search): DraftMessage {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = search[field.name];
      if (text === undefined || text === "" || !isOneValue(field)) return [];
      return [[field.localName, draftOfText(field, text)]];
    }),
  );
}

/** The draft of a filter from its text in the address. A moment stands there with its zone: `2026-02-01T09:30@UTC`. */
function draftOfText(field: DescField, text: string) {
  if (field.scalar === 8) return text === "true";
  if (field.fieldKind !== "message" || leafOf(field.message) !== "timestamp") return text;
  const [local = "", zone = "UTC"] = text.split("@");
  return { local, zone };
}

function textOfDraft(value: DraftMessage[string]): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object") return String(value);
  const { local = "", zone = "UTC" } = value as { local?: string; zone?: string };
  return local === "" ? undefined : `${local}@${zone}`;
}

function searchOfDraft(fields: readonly DescField[], draft: DraftMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    fields.filter((field) => !isPersonal(field)).map((field) => [field.name, textOfDraft(draft[field.localName])]),
  );
}

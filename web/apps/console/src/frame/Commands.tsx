/** The command palette: places, operations, and records by id or by the start of their names. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { Palette, type PaletteGroup } from "@pavise/ui/Palette.tsx";
import { leave } from "@pavise/ui/leave.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { textOf } from "../console/calls.ts";
import { useConsole, type Console } from "../console/console.ts";
import { readHistory } from "../console/journal.ts";
import { formPath, journalOf, recordPath, screenOf } from "../contract/screens.ts";
import { useAddress } from "./address.ts";
import { keysOf, type PlaceGroup } from "./places.ts";
import { useSettled } from "../console/settled.ts";
import { recent } from "./recent.ts";

type CommandsProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly PlaceGroup[];
  /** The text that was typed before the palette was loaded. */
  begin: string;
  placeholder: string;
};
/** The shortest text that searches records. Shorter text finds only pages and operations. */
const SHORTEST = 2;
type Found = { readonly path: string; readonly label: string; readonly detail: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-(?:[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$/i;

/** The palette with all places, operations and records. */
export function Commands({ open, onOpenChange, groups, begin, placeholder }: CommandsProps) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { contract, may, entityNamed } = known;
  const address = useAddress();
  const visit = address.go;
  const go = useCallback((path: string) => leave(() => visit(path)), [visit]);
  const [typed, setTyped] = useState("");
  const wanted = useSettled(typed).trim();
  const found = useQuery({
    queryKey: ["found", wanted],
    enabled: open && wanted.length >= SHORTEST,
    queryFn: ({ signal }) => find(known, wanted, signal),
  });
  const items = useMemo<PaletteGroup[]>(() => {
    const places = groups.flatMap(({ heading, places: inside }) =>
      inside.map((place) => {
        const keys = keysOf(place);
        return {
          id: `place ${place.path}`,
          label: w(place.label),
          detail: w(heading),
          ...(keys === undefined ? {} : { keys }),
          run: () => go(place.path),
        };
      }),
    );
    const operations = contract.operations
      .filter(may)
      .filter((operation) => ["form", "dialog"].includes(screenOf(operation).screen))
      .map((operation) => ({
        id: operation.id,
        label: w(operation.title),
        detail: operation.group.replace(/Service$/, ""),
        words: `${operation.rest[0]?.path ?? ""} ${operation.name}`,
        run: () => go(formPath(operation)),
      }));
    const opened = (open ? recent() : []).flatMap(({ domain, entity: name, id }) => {
      const entity = entityNamed(domain, name);
      return entity === undefined
        ? []
        : [{ id: `recent ${id}`, label: id, detail: w(entity.title), run: () => go(recordPath(entity, id)) }];
    });
    const records = (found.data ?? []).map(({ path, label, detail }) => ({
      id: `found ${path}`,
      label,
      detail,
      words: typed,
      run: () => go(path),
    }));
    return [
      { id: "records", label: _("Records"), items: records },
      { id: "places", label: _("Go to"), items: places },
      { id: "operations", label: _("Do"), items: operations },
      { id: "recent", label: _("Opened last"), items: opened },
    ];
    // The recently opened records are read again each time the palette opens.
  }, [groups, contract, may, entityNamed, go, _, w, found.data, typed, open]);
  return (
    <Palette
      open={open}
      onOpenChange={onOpenChange}
      groups={items}
      onSearch={setTyped}
      begin={begin}
      placeholder={placeholder}
      {...(found.error === null
        ? {}
        : { hint: <span role="status">{_("Records could not be looked for. Type on to try again.")}</span> })}
    />
  );
}

/** Records for the typed text: an id is looked up in the journals, a name in the searchable entities. */
async function find(known: Console, typed: string, signal: AbortSignal): Promise<Found[]> {
  if (!UUID.test(typed)) {
    const { findEverywhere } = await import("../console/find.ts");
    const records = await findEverywhere(known, typed, signal);
    return records.map(({ entity, record: { id, title, detail } }) => ({
      path: recordPath(entity, id),
      label: title,
      detail: `${known.saying.translate(entity.title)} · ${detail}`,
    }));
  }
  const { contract, call, may } = known;
  const journals = contract.services.map(({ name }) => journalOf(contract, name)).filter(may);
  await contract.load(...journals.map(({ domain }) => domain));
  const histories = await Promise.all(
    journals.map((journal) => readHistory(call, journal, typed, contract.registry, signal).catch(() => [])),
  );
  return histories.flatMap((history) => {
    const last = history.at(-1);
    const entity = contract.entities.find(({ typeName }) => typeName === last?.typeName);
    if (last === undefined || entity === undefined) return [];
    const owner = last.message === undefined ? "" : textOf(last.message, entity.desc, "owner_id");
    return [
      {
        path: recordPath(entity, last.entityId) + (owner === "" ? "" : `?owner=${owner}`),
        label: last.entityId,
        detail: known.saying.translate(entity.title),
      },
    ];
  });
}

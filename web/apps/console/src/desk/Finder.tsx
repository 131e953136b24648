/** The start page of a desk: a search for the record, and the records that changed last. */
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { Link } from "@pavise/ui/Link.tsx";
import { useQuery } from "@tanstack/react-query";
import { Picker } from "../console/Picker.tsx";
import { useConsole } from "../console/console.ts";
import { findRecords, LOOKED_THROUGH, reachOf } from "../console/find.ts";
import type { Entity } from "../contract/operation.ts";
import { useAddress } from "../frame/address.ts";
import { listName } from "../list/views.ts";
import { plural } from "../frame/places.ts";
import { Asked, DeskHead, Section } from "./parts.tsx";
import page from "../console/console.module.css";
import styles from "./desk.module.css";

/** The start page of the desk for an entity. */
export function Finder({ name, path, label }: { name: string; path: string; label: string }) {
  const { contract } = useConsole();
  const entity = contract.entities.find((one) => listName(one) === name);
  return entity === undefined ? null : <Find entity={entity} path={path} label={label} />;
}

function Find({ entity, path, label }: { entity: Entity; path: string; label: string }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const { go } = useAddress();
  const newest = useQuery({
    queryKey: ["found", entity.typeName, "", ""],
    queryFn: ({ signal }) => findRecords(known, entity, "", "", signal),
  });
  return (
    <div className={styles.desk}>
      <DeskHead desk={_("Desks")} path="/" title={w(label)} />
      <div className={styles.find}>
        <Picker
          entity={entity}
          label={w(entity.title)}
          value=""
          onChange={(id) => (id === "" ? undefined : go(`${path}/${encodeURIComponent(id)}`))}
          placeholder={_("Name, address or id")}
        />
        <p className={page.soft}>
          {reachOf(known, entity) === "all"
            ? _("Looks through all, by the beginnings of names, addresses, telephone numbers and ids.")
            : _("Looks through the newest {count}. Older ones are found by their id, or a whole name or address.", {
                count: LOOKED_THROUGH,
              })}
        </p>
      </div>
      <Section title={_("Newest: {what}", { what: w(plural(entity.title)) })}>
        <Asked query={newest} lines={6}>
          {(records) => (
            <div className={page.links}>
              {records.map(({ id, title, detail }) => (
                <Link key={id} href={`${path}/${id}`}>
                  <span>{title}</span>
                  <small>{detail}</small>
                </Link>
              ))}
            </div>
          )}
        </Asked>
      </Section>
    </div>
  );
}

/** The history of a record, newest first, with the changed fields of each entry. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { differences } from "@pavise/descform/value.ts";
import { enumWords, words } from "@pavise/descform/words.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { SkeletonText } from "@pavise/ui/Progress.tsx";
import { Diff, Timeline } from "@pavise/ui/Timeline.tsx";
import { useState } from "react";
import { PersonName } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { entryBefore, type Change } from "../console/journal.ts";
import type { Entity } from "../contract/operation.ts";
import styles from "../console/console.module.css";

/** How many changes are shown at once. */
const MORE = 25;

/** The history of a record; undefined while it is being read. */
export function History({ entity, changes }: { entity: Entity; changes: readonly Change[] | undefined }) {
  const { _ } = useLingui();
  const w = useWords();
  const [shown, setShown] = useState(MORE);
  return (
    <section aria-label={_("History")}>
      <h2>{_("History")}</h2>
      {changes === undefined ? (
        <SkeletonText lines={5} />
      ) : (
        <>
          <Timeline
            label={_("History")}
            events={changes
              .map((change, index) => ({
                id: String(change.clock),
                action:
                  change.typeName === entity.typeName
                    ? w(enumWords(change.action))
                    : `${w(words(change.typeName.split(".").at(-1) ?? ""))} · ${w(enumWords(change.action))}`,
                at: change.at,
                who: <Who change={change} />,
                more: <What before={entryBefore(changes, index)} after={change} />,
              }))
              .toReversed()
              .slice(0, shown)}
          />
          {changes.length > shown ? (
            <Button kind="quiet" onPress={() => setShown(shown + MORE)}>
              {_("Show older changes: {count}", { count: changes.length - shown })}
            </Button>
          ) : null}
        </>
      )}
    </section>
  );
}

function Who({ change: { actor, subject } }: { change: Change }) {
  const { _ } = useLingui();
  if (actor === "") return null;
  return (
    <>
      <PersonName id={actor} />
      {subject === "" || subject === actor ? null : (
        <>
          {" "}
          {_("for")} <PersonName id={subject} />
        </>
      )}
    </>
  );
}

function What({ before, after }: { before: Change | undefined; after: Change }) {
  const { _ } = useLingui();
  const { contract, saying } = useConsole();
  const desc = contract.registry.getMessage(after.typeName);
  const changed =
    desc === undefined || before === undefined ? [] : differences(desc, before.message, after.message, saying);
  if (changed.length === 0) return null;
  return (
    <details className={styles.more}>
      <summary>{_("What changed: {count}", { count: changed.length })}</summary>
      <Differences changed={changed} />
    </details>
  );
}

/** Differences as a table. */
export function Differences({ changed }: { changed: ReturnType<typeof differences> }) {
  return (
    <Diff
      changes={changed.map(({ label, before, after }) => ({
        name: label,
        ...(before === "" ? {} : { before }),
        ...(after === "" ? {} : { after }),
      }))}
    />
  );
}

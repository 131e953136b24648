/** The start page: the places, and the recently opened records; for a group's administrator their groups first. */
import { loadTerms } from "@pavise/i18n/contract/load.ts";
import { speakMore } from "@pavise/i18n/Language.tsx";
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { Link } from "@pavise/ui/Link.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { lazy, Suspense, useMemo } from "react";
import { useConsole } from "../console/console.ts";
import { recordPath } from "../contract/screens.ts";
import { beginsAtGroups } from "./groups.ts";
import { keysOf, placesOf } from "./places.ts";
import { recent } from "./recent.ts";
import styles from "../console/console.module.css";

// The names load late: a first visitor has opened nothing.
const Name = lazy(async () => ({ default: (await import("../console/Cells.tsx")).Name }));

// The page of groups has words of the contract, such as statuses and countries.
const GroupHome = lazy(async () => {
  const [module] = await Promise.all([import("./GroupHome.tsx"), speakMore(loadTerms)]);
  return { default: module.GroupHome };
});

/** The first page. */
export function HomePage() {
  const { _ } = useLingui();
  const known = useConsole();
  if (beginsAtGroups(known))
    return (
      <GroupHome>
        <Ways />
      </GroupHome>
    );
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <PageTitle>{_("Where to?")}</PageTitle>
      </header>
      <div className={styles.home}>
        <Ways />
      </div>
    </div>
  );
}

/** The records that were opened last, and the places. */
function Ways() {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const groups = useMemo(() => placesOf(known), [known]);
  const opened = recent().flatMap(({ domain, entity: name, id }) => {
    const entity = known.entityNamed(domain, name);
    return entity === undefined ? [] : [{ entity, id }];
  });
  return (
    <>
      {opened.length === 0 ? null : (
        <section className={styles.block}>
          <h2>{_("Opened last")}</h2>
          <div className={styles.links}>
            {opened.slice(0, 8).map(({ entity, id }) => (
              <Link key={id} href={recordPath(entity, id)}>
                <span>{w(entity.title)}</span>
                <small>
                  <Suspense fallback={id}>
                    <Name entity={entity} id={id} />
                  </Suspense>
                </small>
              </Link>
            ))}
          </div>
        </section>
      )}
      {groups.map(({ heading, places }) => (
        <section key={heading} className={styles.block}>
          <h2>{w(heading)}</h2>
          <div className={styles.links}>
            {places.map((place) => (
              <Link key={place.path} href={place.path}>
                <span>{w(place.label)}</span>
                {place.key === undefined ? null : <small>{keysOf(place)}</small>}
              </Link>
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

/** The start page of a group's administrator: each of their groups, with its record and its lists. */
import { useLingui } from "@lingui/react";
import { useWords } from "@pavise/i18n/words.ts";
import { CountryCodeSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import { GroupSchema, GroupStatusSchema, type Group } from "@pavise/schema/pavise/groups/v1/group_pb";
import { GroupService } from "@pavise/schema/pavise/groups/v1/group_service_pb";
import { Link } from "@pavise/ui/Link.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import type { ReactNode } from "react";
import { Status } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { WaitingHeading } from "../console/Waiting.tsx";
import { entityPath, getOf, recordPath } from "../contract/screens.ts";
import { Asked, useAnswer, useEntity, useSpelt } from "../desk/parts.tsx";
import { searchText } from "./address.ts";
import { groupListsOf, mayInGroup } from "./groups.ts";
import { plural } from "./places.ts";
import page from "../console/console.module.css";
import desk from "../desk/desk.module.css";

/** The most groups that are shown. */
const SHOWN = 50;

/** The groups in which the caller has a role, and `children` below. With one group, it is that group’s page. */
export function GroupHome({ children }: { children: ReactNode }) {
  const { _ } = useLingui();
  const asked = useAnswer(GroupService.method.listGroups, { pageSize: SHOWN });
  const groups = asked.data?.groups ?? [];
  const only = groups.length === 1 ? groups[0] : undefined;
  return (
    <div className={desk.desk}>
      <header className={page.head}>
        {asked.isLoading ? (
          <WaitingHeading />
        ) : (
          <div className={page.titles}>
            {only === undefined ? null : <p className={page.kicker}>{_("Your group")}</p>}
            <PageTitle>{only?.name ?? _("Your groups")}</PageTitle>
            {only === undefined ? null : <Facts group={only} />}
          </div>
        )}
      </header>
      <Asked query={asked}>
        {({ nextPageToken }) =>
          groups.length === 0 ? (
            <EmptyState title={_("You have no role in a group")}>
              {_("An administrator of the group, or staff, can give you one.")}
            </EmptyState>
          ) : (
            <>
              <div className={page.home}>
                {groups.map((group) => (
                  <section key={group.id} className={page.block} aria-label={group.name}>
                    {only === undefined ? <h2>{group.name}</h2> : null}
                    <div className={page.stack}>
                      {only === undefined ? <Facts group={group} /> : null}
                      <Ways group={group} />
                    </div>
                  </section>
                ))}
              </div>
              {nextPageToken === "" ? null : <All />}
            </>
          )
        }
      </Asked>
      <div className={page.home}>{children}</div>
    </div>
  );
}

/** The status, the number and the country of a group. */
function Facts({ group }: { group: Group }) {
  const spelt = useSpelt();
  return (
    <div className={desk.state}>
      <Status desc={GroupStatusSchema} value={group.status} />
      <span>{group.number}</span>
      <span>{spelt(CountryCodeSchema, group.countryIdentifier)}</span>
    </div>
  );
}

/** Links to a group's record, and to its lists as far as the caller's roles in the group admit them. */
function Ways({ group }: { group: Group }) {
  const { _ } = useLingui();
  const w = useWords();
  const known = useConsole();
  const entity = useEntity(GroupSchema);
  return (
    <div className={page.links}>
      {entity !== undefined && mayInGroup(known, group, getOf(known.contract, entity)) ? (
        <Link href={recordPath(entity, group.id)}>{_("The group’s record")}</Link>
      ) : null}
      {groupListsOf(known, group).map(({ operation, entity: listed }) => (
        <Link
          key={operation.id}
          href={`${entityPath(listed)}${searchText({ by: operation.name, group_id: group.id })}`}
        >
          {w(plural(listed.title))}
        </Link>
      ))}
    </div>
  );
}

/** The link to the list of all groups, of which this page shows the newest. */
function All() {
  const { _ } = useLingui();
  const entity = useEntity(GroupSchema);
  return entity === undefined ? null : <Link href={entityPath(entity)}>{_("All groups")}</Link>;
}

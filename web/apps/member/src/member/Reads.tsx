// The reads of a member's personal data by others: when, who in general, what.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import type { DataAccess } from "@pavise/schema/pavise/identity/v1/data_access_pb";
import { DataAccessService } from "@pavise/schema/pavise/identity/v1/data_access_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Loaded } from "@pavise/ui/Loaded.tsx";
import { Part } from "@pavise/ui/Part.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useMemberId } from "./holdings.ts";
import page from "@pavise/ui/Part.module.css";

/** The reads that are shown at once. */
const AT_ONCE = 10;

/** Kinds of data that have words for members. The rest is other data. */
const NAMED = new Set(["Identity", "Order", "Invoice", "Subscription", "PaymentMethod", "Transaction", "Entitlement"]);
/** Realms of readers with words for members. The others are programs. */
const READERS = new Set(["Internal", "Partner", "GroupAdmin"]);

/** The part of the security page. */
export function Reads() {
  const { _ } = useLingui();
  const identityId = useMemberId();
  const reads = useInfiniteQuery(
    DataAccessService.method.listDataAccesses,
    { identityId, pageSize: AT_ONCE, pageToken: "" },
    {
      pageParamKey: "pageToken",
      getNextPageParam: ({ nextPageToken }) => (nextPageToken === "" ? undefined : nextPageToken),
      enabled: identityId !== "",
    },
  );
  return (
    <Part id="reads" title={_("reads.title")}>
      <p className={page.soft}>{_("reads.lead")}</p>
      <Loaded query={reads} lines={3}>
        {({ pages }) => {
          const all = pages.flatMap(({ dataAccesses }) => dataAccesses);
          return all.length === 0 ? (
            <p>{_("reads.none")}</p>
          ) : (
            <ul className={page.rows} aria-labelledby="reads">
              {all.map((read) => (
                <Line key={read.id} read={read} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {reads.hasNextPage ? (
        <div className={page.actions}>
          <Button isPending={reads.isFetchingNextPage} onPress={() => void reads.fetchNextPage()}>
            {_("reads.more")}
          </Button>
        </div>
      ) : null}
    </Part>
  );
}

function Line({ read: { entityType, readerRealm, impersonated, readAt } }: { read: DataAccess }) {
  const { _ } = useLingui();
  const what = NAMED.has(entityType) ? entityType : "other";
  const who = impersonated ? "acting" : READERS.has(readerRealm) ? readerRealm : "program";
  return (
    <li className={page.line}>
      <span className={page.lineWords}>
        <span className={page.name}>{_(`reads.what.${what}`)}</span>
        <span className={page.small}>{_(`reads.who.${who}`)}</span>
      </span>
      <DateTime at={readAt === undefined ? null : timestampDate(readAt)} />
    </li>
  );
}

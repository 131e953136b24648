/** The provisionings that wait for staff, each with its cause. */
import { useLingui } from "@lingui/react";
import {
  ProvisionStatus,
  ProvisionStatusSchema,
  ProvisionStepSchema,
  type Provision,
} from "@pavise/schema/pavise/fulfillment/v1/provision_pb";
import { ProvisionService } from "@pavise/schema/pavise/fulfillment/v1/provision_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { IconRefresh } from "@pavise/ui/icons.tsx";
import { EmptyState } from "@pavise/ui/Notice.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { DateTime } from "@pavise/ui/Value.tsx";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { PersonName, Status } from "../../console/Cells.tsx";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { useAddress } from "../../frame/address.ts";
import { DeskHead, moment, useSpelt } from "../parts.tsx";
import { BLOCKED } from "./provisions.ts";
import page from "../../console/console.module.css";

const ALL = "all";
/** The most provisions read of each status. */
const EACH = 200;

/** The list of the provisioning desk: `?status=` narrows the list. */
export function ProvisionsDesk() {
  const { _ } = useLingui();
  const spelt = useSpelt();
  const { ask } = useConsole();
  const { search, setSearch, go } = useAddress();
  const chosen = search["status"] ?? ALL;
  const statuses = chosen === ALL ? BLOCKED : [Number(chosen) as ProvisionStatus];
  const query = useQuery({
    queryKey: ["record", "provisions", chosen],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        statuses.map((status) => ask(ProvisionService.method.listProvisions, { status, pageSize: EACH }, { signal })),
      );
      return pages.flatMap(({ provisions }) => provisions);
    },
  });
  const columns = useMemo<GridColumn<Provision>[]>(
    () => [
      {
        id: "status",
        header: _("Status"),
        width: 210,
        cell: ({ status }) => <Status desc={ProvisionStatusSchema} value={status} />,
      },
      { id: "what", header: _("What"), width: 220, cell: ({ offerName, id }) => offerName || id },
      {
        id: "step",
        header: _("Step"),
        width: 190,
        cell: ({ failure }) => spelt(ProvisionStepSchema, failure?.step ?? 0),
      },
      { id: "why", header: _("Why"), width: 380, cell: ({ failure }) => failure?.cause ?? "" },
      { id: "attempts", header: _("Tries"), width: 70, end: true, cell: ({ attempts }) => String(attempts) },
      { id: "since", header: _("Since"), width: 190, cell: ({ updatedAt }) => <DateTime at={moment(updatedAt)} /> },
      { id: "owner", header: _("Buyer"), width: 310, cell: ({ ownerId }) => <PersonName id={ownerId} /> },
    ],
    [_, spelt],
  );
  const choices = [
    ...BLOCKED,
    ProvisionStatus.CREATED,
    ProvisionStatus.PROCESS,
    ProvisionStatus.STARTED,
    ProvisionStatus.COMPLETED,
  ];
  return (
    <div className={page.full}>
      <DeskHead desk={_("Desks")} path="/" title={_("Provisioning repair")} />
      <div className={page.bar}>
        <Select
          label={_("Show")}
          value={chosen}
          onChange={(status) => setSearch({ status: status === ALL ? undefined : status })}
          choices={[
            { id: ALL, label: _("All that wait for somebody") },
            ...choices.map((status) => ({ id: String(status), label: spelt(ProvisionStatusSchema, status) })),
          ]}
        />
        <div className={page.filters} />
        <Button kind="quiet" onPress={() => void query.refetch()}>
          <IconRefresh /> {_("Refresh")}
        </Button>
      </div>
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      <Grid
        className={page.grow}
        label={_("Provisions")}
        rows={query.data ?? []}
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(`/desk/provisioning/${id}`)}
        loading={query.isLoading}
        empty={<EmptyState title={_("Nothing waits")}>{_("Every provisioning goes on by itself.")}</EmptyState>}
      />
    </div>
  );
}

/** Every permission of the contract: the calls that it opens, and whether the caller has it. */
import { useWords } from "@pavise/i18n/words.ts";
import { useLingui } from "@lingui/react";
import { Grid, type GridColumn } from "@pavise/ui/Grid.tsx";
import { StatusDot } from "@pavise/ui/Value.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useMemo } from "react";
import { useConsole } from "../console/console.ts";
import { holds } from "../contract/caller.ts";
import type { Operation } from "../contract/operation.ts";
import { useAddress } from "../frame/address.ts";
import styles from "../console/console.module.css";

interface Row {
  readonly permission: string;
  readonly operations: readonly Operation[];
}

/** The permission matrix. */
export function PermissionsPage() {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, caller } = useConsole();
  const { go } = useAddress();
  const rows = useMemo<Row[]>(() => {
    const names = [...new Set(contract.operations.map(({ permission }) => permission))].filter(Boolean).toSorted();
    return names.map((permission) => ({
      permission,
      operations: contract.operations.filter((operation) => operation.permission === permission),
    }));
  }, [contract]);
  const columns: GridColumn<Row>[] = [
    { id: "permission", header: _("Permission"), width: 300, cell: ({ permission }) => <code>{permission}</code> },
    {
      id: "mine",
      header: _("You"),
      width: 100,
      cell: ({ permission }) =>
        holds(caller, permission) ? (
          <StatusDot tone="good">{_("Yes")}</StatusDot>
        ) : (
          <StatusDot tone="over">{_("No")}</StatusDot>
        ),
    },
    { id: "count", header: _("Calls"), width: 70, end: true, cell: ({ operations }) => String(operations.length) },
    {
      id: "operations",
      header: _("Operations"),
      width: 700,
      cell: ({ operations }) => operations.map(({ title }) => w(title)).join(", "),
    },
  ];
  return (
    <div className={styles.full}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <PageTitle>{_("Permissions")}</PageTitle>
        </div>
      </header>
      <Grid
        className={styles.grow}
        label={_("Permissions")}
        rows={rows}
        columns={columns}
        rowId={({ permission }) => permission}
        onOpen={({ permission }) => go(`/explorer?q=${encodeURIComponent(permission)}`)}
        compact
      />
    </div>
  );
}

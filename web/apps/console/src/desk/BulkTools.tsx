/** The bar above a desk's list: its filters, the calls for the ticked rows, and reading it again. */
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { useLingui } from "@lingui/react";
import { Button } from "@pavise/ui/Button.tsx";
import { IconRefresh } from "@pavise/ui/icons.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemPanel } from "../console/Problem.tsx";
import { BulkMenu } from "../list/Bulk.tsx";
import { useEntity } from "./parts.tsx";
import page from "../console/console.module.css";

/** The rows of a list that can be ticked, for calls that go through many of them. */
export type Ticks<D extends DescMessage> = {
  desc: D;
  rows: readonly (MessageShape<D> & { readonly id: string })[];
  selected: ReadonlySet<string>;
  onSelect: (ids: Set<string>) => void;
  /** The calls that have buttons of their own, by name. */
  first: readonly string[];
};

type BulkToolsProps<D extends DescMessage> = {
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  /** Omitted for a list whose rows are only read. */
  ticks?: Ticks<D>;
  /** The filters. */
  children: ReactNode;
};

/** The bar, and the refusal of the list below it. */
export function BulkTools<D extends DescMessage>({ query, ticks, children }: BulkToolsProps<D>) {
  const { _ } = useLingui();
  return (
    <>
      <div className={page.bar}>
        <div className={page.filters}>{children}</div>
        <div className={page.tools}>
          {ticks === undefined || ticks.selected.size === 0 ? null : <Calls {...ticks} />}
          <Button kind="quiet" onPress={() => void query.refetch()}>
            <IconRefresh /> {_("Refresh")}
          </Button>
        </div>
      </div>
      {query.error === null ? null : (
        <ProblemPanel error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
    </>
  );
}

/** The calls for the ticked rows. Afterwards no row is ticked. */
function Calls<D extends DescMessage>({ desc, rows, selected, onSelect, first }: Ticks<D>) {
  const entity = useEntity(desc);
  if (entity === undefined) return null;
  const ticked = rows.filter(({ id }) => selected.has(id));
  return (
    <BulkMenu
      entity={entity}
      first={first}
      rows={ticked.map((row) => ({ id: row.id, record: reflect(desc, row) }))}
      onDone={() => onSelect(new Set())}
    />
  );
}

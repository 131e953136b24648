/** The state of a query: loading, loaded, or refused. The app words refusals: `telling.ts`. */
import { useLingui } from "@lingui/react";
import { ErrorPanel } from "./Notice.tsx";
import { SkeletonText } from "./Skeleton.tsx";
import { use, type ReactNode } from "react";
import { Telling } from "./telling.ts";

/** The fields of a query that this component reads. */
type Query<T> = { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };

/** Shows the data, its skeleton, or the refusal with a retry. */
export function Loaded<T>({
  query,
  lines = 4,
  children,
}: {
  query: Query<T>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error)
    return <Refused error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  return <SkeletonText lines={lines} />;
}

/** A refusal in the app's words. */
export function Refused({ error, onRetry, retrying }: { error: unknown; onRetry?: () => void; retrying?: boolean }) {
  const { _ } = useLingui();
  const tell = use(Telling);
  if (tell === undefined) throw new Error("no app around says what was refused");
  const { title, detail, traceId } = tell(error, _);
  return (
    <ErrorPanel title={title} traceId={traceId} {...(onRetry ? { onRetry } : {})} retrying={retrying === true}>
      {detail}
    </ErrorPanel>
  );
}

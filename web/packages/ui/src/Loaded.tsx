/** A part's data: on its way, there, or refused. What a refusal says is the app's: `telling.ts`. */
import { useLingui } from "@lingui/react";
import { ErrorPanel } from "./Notice.tsx";
import { SkeletonText } from "./Skeleton.tsx";
import { use, type ReactNode } from "react";
import { Telling } from "./telling.ts";

/** What a query is to this. */
type Query<T> = { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };

/** Shows what came, or that it is on its way, or what went wrong and how to try again. */
export function Loaded<T>({ query, lines = 4, children }: { query: Query<T>; lines?: number; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Refused error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  return <SkeletonText lines={lines} />;
}

/** A refusal, as the app around says it. */
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

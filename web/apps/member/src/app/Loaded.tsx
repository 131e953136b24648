// A page's data: on its way, there, or refused.
import { useLingui } from "@lingui/react";
import { ErrorPanel } from "@pavise/ui/Notice.tsx";
import { SkeletonText } from "@pavise/ui/Skeleton.tsx";
import type { ReactNode } from "react";
import { told } from "./problems.ts";

/** What a query is to this. */
type Query<T> = { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };

/** Shows what came, or that it is on its way, or what went wrong and how to try again. */
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
  if (query.error) return <Refused error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  return <SkeletonText lines={lines} />;
}

/** A refusal in words. */
export function Refused({ error, onRetry, retrying }: { error: unknown; onRetry?: () => void; retrying?: boolean }) {
  const { _ } = useLingui();
  const { title, detail, traceId } = told(error, _);
  return (
    <ErrorPanel title={title} traceId={traceId} {...(onRetry ? { onRetry } : {})} retrying={retrying === true}>
      {detail}
    </ErrorPanel>
  );
}

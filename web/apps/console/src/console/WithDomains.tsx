/** A part of the console that needs the types of some domains, and waits for them. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useConsole } from "./console.ts";
import { ProblemPanel } from "./Problem.tsx";
import { Waiting } from "./Waiting.tsx";
import styles from "./console.module.css";

/** Shows its content as soon as the types of these domains are loaded. */
export function WithDomains({ of, children }: { of: readonly string[]; children: ReactNode }) {
  const { contract } = useConsole();
  const there = contract.has(of);
  const { error, isFetching, refetch } = useQuery({
    queryKey: ["contract", "types", ...of],
    queryFn: ({ signal }) => {
      signal.addEventListener("abort", () => contract.again(...of));
      return contract.load(...of).then(() => true);
    },
    enabled: !there,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  if (there) return children;
  if (error === null) return <Waiting />;
  return (
    <div className={styles.page}>
      <ProblemPanel error={error} onRetry={() => void refetch()} retrying={isFetching} />
    </div>
  );
}

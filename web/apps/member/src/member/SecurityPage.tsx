// Security: the page that members and staff share, with the member app's notes and the reads of the member's data.
import { Security } from "@pavise/security/Security.tsx";
import { SkeletonText } from "@pavise/ui/Skeleton.tsx";
import { Toasts } from "@pavise/ui/toasts.tsx";
import { lazy, Suspense } from "react";

const Reads = lazy(async () => ({ default: (await import("./Reads.tsx")).Reads }));

/** The security page. */
export function SecurityPage() {
  return (
    <>
      <Security />
      <Suspense fallback={<SkeletonText lines={3} />}>
        <Reads />
      </Suspense>
      <Toasts />
    </>
  );
}

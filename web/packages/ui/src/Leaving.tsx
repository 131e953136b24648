/** The place of the question before typed text is dropped: one for all pages of an app. */
import { lazy, Suspense } from "react";
import { endQuestion, useAsked } from "./typed.ts";

const LeaveDialog = lazy(async () => ({ default: (await import("./LeaveDialog.tsx")).LeaveDialog }));

/** Its code is loaded when something is asked. */
export function Leaving() {
  const run = useAsked();
  if (run === undefined) return null;
  return (
    <Suspense fallback={null}>
      <LeaveDialog
        onStay={endQuestion}
        onLeave={() => {
          endQuestion();
          run();
        }}
      />
    </Suspense>
  );
}

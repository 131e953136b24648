/** The place of the question before typed text is dropped: one for all pages of an app. */
import { useLingui } from "@lingui/react";
import { lazy, Suspense, useEffect } from "react";
import { endQuestion, useAsked } from "./typed.ts";

type LeaveProps = { onStay: () => void; onLeave: () => void };

const LeaveDialog = lazy(async () => ({
  default: await import("./LeaveDialog.tsx").then(
    (part) => part.LeaveDialog,
    () => PlainQuestion,
  ),
}));

/** The browser's own question, where the code of the dialog was lost: nothing that was typed may be lost with it. */
function PlainQuestion({ onStay, onLeave }: LeaveProps) {
  const { _ } = useLingui();
  useEffect(() => {
    // oxlint-disable-next-line no-alert
    if (globalThis.confirm(`${_("ui.leave.title")} ${_("ui.leave.detail")}`)) onLeave();
    else onStay();
  }, [_, onStay, onLeave]);
  return null;
}

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

/** Downloads the differences of a range of days as CSV. */
import { useLingui } from "@lingui/react";
import { addDays, today } from "@pavise/rpc/day.ts";
import { addressOf, saveFile, takeFile } from "@pavise/rpc/files.ts";
import { isoDay } from "@pavise/rpc/today.ts";
import { ReconciliationService } from "@pavise/schema/pavise/billing/v1/reconciliation_service_pb";
import { useKeeper } from "@pavise/session/Session.tsx";
import { useAttempt } from "@pavise/ui/attempt.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { IconExport } from "@pavise/ui/icons.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import page from "../../console/console.module.css";

const { downloadReconciliation } = ReconciliationService.method;

/** The button that opens the dialog, for those who may download. */
export function DownloadDifferences() {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const [open, setOpen] = useState(false);
  const operation = operationOf(downloadReconciliation);
  const path = operation?.rest[0]?.path;
  if (!may(operation) || path === undefined) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <IconExport /> {_("Export…")}
      </Button>
      {open ? <Ask path={path} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Ask({ path, onClose }: { path: string; onClose: () => void }) {
  const { _ } = useLingui();
  const { remedies } = useKeeper();
  const { pending, error, run } = useAttempt();
  const [from, setFrom] = useState<Day | null>(() => ({ ...addDays(today(), -30) }));
  const [until, setUntil] = useState<Day | null>(() => ({ ...today() }));
  const download = () =>
    run(async () => {
      if (from === null || until === null) return;
      const file = await takeFile(addressOf(path, { dayFrom: isoDay(from), dayUntil: isoDay(until) }), remedies);
      saveFile(file);
      toast({ title: _("Saved: {name}", { name: file.name }) });
      onClose();
    });
  return (
    <Dialog
      open
      stays
      title={_("Export differences")}
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{_("Cancel")}</Button>
          <Button
            kind="primary"
            isPending={pending}
            isDisabled={from === null || until === null}
            onPress={() => void download()}
          >
            {_("Download CSV")}
          </Button>
        </>
      )}
    >
      <div className={page.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <FieldErrors error={error}>
          <DateField label={_("First day")} name="day_from" value={from} onChange={setFrom} />
          <DateField label={_("Last day")} name="day_until" value={until} onChange={setUntil} />
        </FieldErrors>
        <p className={page.soft}>{_("At most a year of days.")}</p>
      </div>
    </Dialog>
  );
}

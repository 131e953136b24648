/** Exports the invoices of a range of days as a CSV file. */
import { useLingui } from "@lingui/react";
import { enumSpelling, numberWords } from "@pavise/descform/words.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { InvoiceStatusSchema } from "@pavise/schema/pavise/billing/v1/invoice_pb";
import { InvoiceService } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { addDays, today } from "@pavise/rpc/day.ts";
import { isoDay } from "@pavise/rpc/today.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { DateField, type Day } from "@pavise/ui/DateField.tsx";
import { Dialog } from "@pavise/ui/Dialog.tsx";
import { FieldErrors } from "@pavise/ui/FieldErrors.tsx";
import { IconExport } from "@pavise/ui/icons.tsx";
import { Select } from "@pavise/ui/Select.tsx";
import { toast } from "@pavise/ui/toasts.tsx";
import { useEffect, useRef, useState } from "react";
import { useConsole } from "../../console/console.ts";
import { ProblemPanel } from "../../console/Problem.tsx";
import { download } from "../../list/csv.ts";
import { exportHead, exportLine } from "./exported.ts";
import styles from "../../console/console.module.css";

const { exportInvoices } = InvoiceService.method;

/** Rows between two updates of the count. */
const STEP = 50;
/** The choice of every status. */
const ALL = "all";

/** The button that opens the dialog, for those who may export. */
export function ExportInvoices() {
  const { _ } = useLingui();
  const { may, operationOf } = useConsole();
  const [open, setOpen] = useState(false);
  if (!may(operationOf(exportInvoices))) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>
        <IconExport /> {_("Export…")}
      </Button>
      {open ? <ExportDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The last whole month. */
function lastMonth(): { from: Day; until: Day } {
  const until = addDays({ ...today(), day: 1 }, -1);
  return { from: { ...until, day: 1 }, until };
}

function ExportDialog({ onClose }: { onClose: () => void }) {
  const { _ } = useLingui();
  const w = useWords();
  const [from, setFrom] = useState<Day | null>(() => lastMonth().from);
  const [until, setUntil] = useState<Day | null>(() => lastMonth().until);
  const [status, setStatus] = useState(ALL);
  const { count, error, running, run, stop } = useExport(onClose);
  const statuses = InvoiceStatusSchema.values.filter(({ number }) => number !== 0);
  const ready = from !== null && until !== null;
  return (
    <Dialog
      open
      stays
      title={_("Export invoices")}
      onOpenChange={() => {
        stop();
        onClose();
      }}
      actions={
        running ? (
          <Button onPress={stop}>{_("Stop the export")}</Button>
        ) : (
          <>
            <Button onPress={onClose}>{_("Cancel")}</Button>
            <Button
              kind="primary"
              isDisabled={!ready}
              onPress={() => {
                if (ready) void run(from, until, status === ALL ? 0 : Number(status));
              }}
            >
              {_("Download CSV")}
            </Button>
          </>
        )
      }
    >
      <div className={styles.stack}>
        {error === undefined ? null : <ProblemPanel error={error} />}
        <FieldErrors error={error}>
          <DateField label={_("Due from")} name="due_from" value={from} onChange={setFrom} isDisabled={running} />
          <DateField label={_("Due until")} name="due_until" value={until} onChange={setUntil} isDisabled={running} />
        </FieldErrors>
        <Select
          label={_("Status")}
          value={status}
          onChange={setStatus}
          isDisabled={running}
          choices={[
            { id: ALL, label: _("All statuses") },
            ...statuses.map(({ number }) => ({
              id: String(number),
              label: w(numberWords(InvoiceStatusSchema, number)),
            })),
          ]}
        />
        <p className={styles.soft} aria-live="polite">
          {count === undefined ? _("At most a year of due days.") : _("Invoices so far: {count}", { count })}
        </p>
      </div>
    </Dialog>
  );
}

/** An export: the rows so far as text, its start and its end before the last row. */
function useExport(onDone: () => void) {
  const { _ } = useLingui();
  const { stream, saying } = useConsole();
  const [count, setCount] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [running, setRunning] = useState(false);
  const stopped = useRef<AbortController>(undefined);
  useEffect(() => () => stopped.current?.abort(), []);
  const shown = (rows: number) => new Intl.NumberFormat(saying.locale).format(rows);

  async function run(from: Day, until: Day, status: number) {
    const stop = new AbortController();
    stopped.current = stop;
    setRunning(true);
    setError(undefined);
    setCount(shown(0));
    try {
      const pieces = [exportHead(saying.translate)];
      let rows = 0;
      for await (const invoice of stream(exportInvoices, { dueFrom: from, dueUntil: until, status }, stop.signal)) {
        pieces.push("\r\n", exportLine(invoice));
        rows += 1;
        if (rows % STEP === 0) setCount(shown(rows));
      }
      if (stop.signal.aborted) return;
      const name = status === 0 ? "" : `-${enumSpelling(InvoiceStatusSchema, status).toLowerCase()}`;
      download(`invoices-${isoDay(from)}-${isoDay(until)}${name}.csv`, ...pieces);
      toast({ title: _("Exported invoices: {count}", { count: shown(rows) }) });
      onDone();
    } catch (thrown) {
      if (!stop.signal.aborted) setError(thrown);
    } finally {
      setRunning(false);
      setCount(undefined);
    }
  }

  return { count, error, running, run, stop: () => stopped.current?.abort() };
}

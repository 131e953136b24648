/** The forms of calls that take a file, and of calls that answer one. */
import { fromJson, toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import type { DraftMessage } from "@pavise/descform/draft.ts";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { MessageView } from "@pavise/descform/View.tsx";
import { useWords } from "@pavise/i18n/words.ts";
import { addressOf, saveFile, sendFile, takeFile } from "@pavise/rpc/files.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { useKeeper } from "@pavise/session/Session.tsx";
import { Button } from "@pavise/ui/Button.tsx";
import { ProgressBar } from "@pavise/ui/Progress.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { useId, useRef, useState } from "react";
import { useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { Faults } from "../console/Faults.tsx";
import { usePickers } from "../console/Picker.tsx";
import { ProblemPanel } from "../console/Problem.tsx";
import { useReread } from "../console/reread.ts";
import type { Operation, UploadRule } from "../contract/operation.ts";
import styles from "../console/console.module.css";
import own from "./bytes.module.css";

const MIB = 1 << 20;

/** A size for people. */
export function sizeWords(bytes: number): string {
  if (bytes >= MIB) return `${Number((bytes / MIB).toFixed(1))} MiB`;
  return bytes >= 1024 ? `${Number((bytes / 1024).toFixed(1))} KiB` : `${bytes} B`;
}

/** Whether a rule such as `text/csv` or `image/*` takes a content type. */
export function takesType(rules: readonly string[], type: string): boolean {
  return (
    rules.length === 0 ||
    rules.some((rule) => rule === type || (rule.endsWith("/*") && type.startsWith(rule.slice(0, -1))))
  );
}

/** The file with the type that the call takes, where the browser knows none. */
function typed(file: File, rules: readonly string[]): File {
  const [only] = rules;
  if (file.type !== "" || rules.length !== 1 || only === undefined || only.endsWith("/*")) return file;
  return new File([file], file.name, { type: only });
}

/** The form of a call that takes a file. */
export function UploadForm({
  operation,
  rule,
  initial,
  refused,
}: {
  operation: Operation;
  rule: UploadRule;
  initial: DraftMessage;
  refused: boolean;
}) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, saying } = useConsole();
  const { remedies } = useKeeper();
  const cell = useCell();
  const reread = useReread();
  const online = useOnline();
  const { input, output } = operation.method;
  const form = useForm(input, initial, contract.registry, { reference: usePickers() });
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [answer, setAnswer] = useState<Message>();
  const key = useRef(crypto.randomUUID());
  const stop = useRef<AbortController>(undefined);
  const [rest] = operation.rest;
  const fault = file === undefined ? undefined : faultOf(file, rule);

  async function submit() {
    const request = form.check();
    if (request === undefined || file === undefined || rest === undefined) return;
    const named = rule.fileName === "" ? {} : { [rule.fileName]: file.name };
    const fields = { ...(toJson(input, request) as JsonObject), ...named };
    stop.current = new AbortController();
    setSent(0);
    setError(undefined);
    setAnswer(undefined);
    try {
      const { signal } = stop.current;
      const address = addressOf(rest.path, fields, rule.own);
      const call = { verb: rest.method, address, file, key: key.current, onProgress: setSent, signal };
      setAnswer(fromJson(output, await sendFile(call, remedies), { ignoreUnknownFields: true }));
      key.current = crypto.randomUUID();
      setFile(undefined);
      await reread();
    } catch (thrown) {
      form.refuse(problemOf(thrown).fields);
      setError(thrown);
    } finally {
      setSent(undefined);
    }
  }

  return (
    <>
      <FormContextProvider value={form.context}>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <MessageFields desc={input} slot={form.slot} omit={new Set(rule.fields)} />
          <FileInput rule={rule} file={file} onFile={(chosen) => setFile(typed(chosen, rule.types))} />
          {fault === undefined ? null : (
            <p role="alert" className={own.fault}>
              {fault === "size"
                ? _("The file has {size}; at most {limit} are taken.", {
                    size: sizeWords(file?.size ?? 0),
                    limit: sizeWords(rule.most),
                  })
                : _("Files of this type are not taken: {type}", { type: file?.type ?? "" })}
            </p>
          )}
          <Faults desc={input} faults={form.context.faults} />
          {error === undefined ? null : <ProblemPanel error={error} />}
          {sent === undefined || file === undefined ? null : (
            <ProgressBar
              label={_("Sending {name}", { name: file.name })}
              value={sent}
              most={Math.max(file.size, 1)}
              words={_("{sent} of {size}", { sent: sizeWords(sent), size: sizeWords(file.size) })}
            />
          )}
          <div className={styles.actions}>
            <Button
              kind={operation.danger ? "danger" : "primary"}
              type="submit"
              isPending={sent !== undefined}
              isDisabled={refused || !online || file === undefined || fault !== undefined}
            >
              {w(operation.title)}
            </Button>
            {sent === undefined ? null : <Button onPress={() => stop.current?.abort()}>{_("Stop")}</Button>}
          </div>
        </form>
      </FormContextProvider>
      {answer === undefined ? null : (
        <section className={styles.answer} aria-label={_("Answer")} aria-live="polite">
          <h2>{_("Done")}</h2>
          <MessageView desc={output} message={answer} saying={saying} cell={cell} level={3} />
        </section>
      )}
    </>
  );
}

/** The fault of a file by its rule. */
function faultOf(file: File, rule: UploadRule): "size" | "type" | undefined {
  if (file.size > rule.most) return "size";
  return takesType(rule.types, file.type) ? undefined : "type";
}

/** Chooses a file: by a press, by keyboard, or by dropping it. */
function FileInput({ rule, file, onFile }: { rule: UploadRule; file: File | undefined; onFile: (file: File) => void }) {
  const { _ } = useLingui();
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const first = files?.[0];
    if (first !== undefined) onFile(first);
  };
  return (
    <div
      className={own.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <label htmlFor={id}>{_("File")}</label>
      <input
        id={id}
        type="file"
        accept={rule.types.join(",")}
        aria-describedby={`${id}-rule`}
        onChange={(event) => take(event.target.files)}
      />
      <p id={`${id}-rule`} className={styles.soft}>
        {rule.types.length === 0
          ? _("At most {limit}. Drop it here, or choose it.", { limit: sizeWords(rule.most) })
          : _("{types}, at most {limit}. Drop it here, or choose it.", {
              types: rule.types.join(", "),
              limit: sizeWords(rule.most),
            })}
      </p>
      {file === undefined ? null : <p aria-live="polite">{`${file.name} · ${sizeWords(file.size)}`}</p>}
    </div>
  );
}

/** The form of a call that answers a file. */
export function DownloadForm({
  operation,
  initial,
  refused,
}: {
  operation: Operation;
  initial: DraftMessage;
  refused: boolean;
}) {
  const { _ } = useLingui();
  const { contract } = useConsole();
  const { remedies } = useKeeper();
  const { input } = operation.method;
  const form = useForm(input, initial, contract.registry, { reference: usePickers() });
  const [saved, setSaved] = useState<string>();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const [rest] = operation.rest;

  async function submit() {
    const request = form.check();
    if (request === undefined || rest === undefined) return;
    setPending(true);
    setError(undefined);
    setSaved(undefined);
    try {
      const taken = await takeFile(addressOf(rest.path, toJson(input, request) as JsonObject), remedies);
      saveFile(taken);
      setSaved(`${taken.name} · ${sizeWords(taken.content.size)}`);
    } catch (thrown) {
      form.refuse(problemOf(thrown).fields);
      setError(thrown);
    } finally {
      setPending(false);
    }
  }

  return (
    <FormContextProvider value={form.context}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <MessageFields desc={input} slot={form.slot} />
        <Faults desc={input} faults={form.context.faults} />
        {error === undefined ? null : <ProblemPanel error={error} />}
        <div className={styles.actions}>
          <Button kind="primary" type="submit" isPending={pending} isDisabled={refused}>
            {_("Download")}
          </Button>
        </div>
        {saved === undefined ? null : <p aria-live="polite">{_("Saved: {name}", { name: saved })}</p>}
      </form>
    </FormContextProvider>
  );
}

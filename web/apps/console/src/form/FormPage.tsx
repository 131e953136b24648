/** The form of an operation: for every operation without a screen of its own, and for trials. */
import { useWords } from "@pavise/i18n/words.ts";
import type { DescMethodServerStreaming, Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { asMessage, asText, type Draft, type DraftMessage } from "@pavise/descform/draft.ts";
import { MessageFields } from "@pavise/descform/FieldEditor.tsx";
import { FormContextProvider, useForm } from "@pavise/descform/form.ts";
import { MessageView } from "@pavise/descform/View.tsx";
import { problemOf } from "@pavise/rpc/problem.ts";
import { Button } from "@pavise/ui/Button.tsx";
import { Link } from "@pavise/ui/Link.tsx";
import { Note } from "@pavise/ui/Notice.tsx";
import { useOnline } from "@pavise/ui/Strip.tsx";
import { useTyped } from "@pavise/ui/typed.ts";
import { Facts } from "@pavise/ui/Value.tsx";
import { PageTitle } from "@pavise/ui/PageTitle.tsx";
import { useMemo, useRef, useState } from "react";
import { textOf } from "../console/calls.ts";
import { useCell } from "../console/Cells.tsx";
import { useConsole } from "../console/console.ts";
import { Faults } from "../console/Faults.tsx";
import { OwnerContext, usePickers } from "../console/Picker.tsx";
import { ProblemPanel } from "../console/Problem.tsx";
import { useReread } from "../console/reread.ts";
import { refusalOf } from "../contract/caller.ts";
import { realmName, type Operation } from "../contract/operation.ts";
import { recordPath, screenOf } from "../contract/screens.ts";
import { useAddress } from "../frame/address.ts";
import { DownloadForm, UploadForm } from "./BytesForm.tsx";
import styles from "../console/console.module.css";

/** The most messages of a stream that a form shows. */
const FIRST = 20;

/** The page of an operation. */
export function FormPage({ operation }: { operation: Operation }) {
  const { _ } = useLingui();
  const w = useWords();
  const { caller } = useConsole();
  const { search } = useAddress();
  const initial = useMemo(() => draftOfSearch(operation, search), [operation, search]);
  const refusal = refusalOf(operation, caller);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <p className={styles.kicker}>
            <Link href="/explorer">{_("API explorer")}</Link>
          </p>
          <PageTitle>{w(operation.title)}</PageTitle>
        </div>
      </header>
      <div className={styles.columns}>
        <div className={styles.stack}>
          {refusal === undefined ? null : (
            <Note tone="warning" title={_("You may not do this")}>
              {refusal === "permission"
                ? _("It needs the permission {permission}.", { permission: operation.permission })
                : refusal === "role"
                  ? _("It needs another role than yours.")
                  : _("It is not for your realm.")}
            </Note>
          )}
          {operation.kind === "watch" ? (
            <Note title={_("This is a stream")}>
              <Link href={screenOf(operation).path}>{_("Its entries are in the journal.")}</Link>
            </Note>
          ) : operation.upload !== undefined ? (
            <UploadForm
              operation={operation}
              rule={operation.upload}
              initial={initial}
              refused={refusal !== undefined}
            />
          ) : operation.downloads ? (
            <DownloadForm operation={operation} initial={initial} refused={refusal !== undefined} />
          ) : (
            <CallForm operation={operation} initial={initial} refused={refusal !== undefined} />
          )}
        </div>
        <About operation={operation} />
      </div>
    </div>
  );
}

/** The request and its answer. */
function CallForm({ operation, initial, refused }: { operation: Operation; initial: DraftMessage; refused: boolean }) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, call, stream } = useConsole();
  const reread = useReread();
  const online = useOnline();
  const form = useForm(operation.method.input, initial, contract.registry, { reference: usePickers() });
  const [answers, setAnswers] = useState<readonly Message[]>();
  const [error, setError] = useState<unknown>();
  const [pending, setPending] = useState(false);
  const key = useRef(crypto.randomUUID());
  const typed = useTyped();

  async function submit() {
    const request = form.check();
    if (request === undefined) return;
    setPending(true);
    setError(undefined);
    try {
      if (operation.streams) setAnswers(await firstOf(stream(operation.method as DescMethodServerStreaming, request)));
      else setAnswers([await call(operation, request, { key: key.current })]);
      if (!operation.reads) {
        typed.forget();
        key.current = crypto.randomUUID();
        await reread();
      }
    } catch (thrown) {
      form.refuse(problemOf(thrown).fields);
      setError(thrown);
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <FormContextProvider value={form.context}>
        <OwnerContext value={ownerOf(form.draft)}>
          <form
            className={styles.form}
            noValidate
            {...(operation.reads ? {} : typed.on)}
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <MessageFields desc={operation.method.input} slot={form.slot} />
            <Faults desc={operation.method.input} faults={form.context.faults} />
            {error === undefined ? null : <ProblemPanel error={error} />}
            <div className={styles.actions}>
              <Button
                kind={operation.danger ? "danger" : "primary"}
                type="submit"
                isPending={pending}
                isDisabled={refused || (!online && !operation.reads)}
              >
                {operation.reads ? _("Read") : w(operation.title)}
              </Button>
            </div>
          </form>
        </OwnerContext>
      </FormContextProvider>
      {answers?.map((answer, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the messages of an answer keep their places
        <Answer key={at} operation={operation} answer={answer} />
      ))}
      {answers === undefined || !operation.streams ? null : (
        <p className={styles.soft}>
          {answers.length === 0
            ? _("The stream has no message.")
            : answers.length < FIRST
              ? _("These are all messages of the stream.")
              : _("These are the first messages of the stream: {count}", { count: FIRST })}
        </p>
      )}
    </>
  );
}

/** The first messages of a stream. */
async function firstOf(messages: AsyncIterable<Message>): Promise<Message[]> {
  const first: Message[] = [];
  for await (const message of messages) {
    first.push(message);
    if (first.length === FIRST) break;
  }
  return first;
}

function Answer({ operation, answer }: { operation: Operation; answer: Message }) {
  const { _ } = useLingui();
  const { saying } = useConsole();
  const cell = useCell();
  const { output } = operation.method;
  const id = textOf(answer, output, "id");
  const { entity } = operation;
  return (
    <section className={styles.answer} aria-label={_("Answer")} aria-live="polite">
      <h2>{operation.reads ? _("Answer") : _("Done")}</h2>
      {entity !== undefined && entity.desc === output && id !== "" ? (
        <Link href={recordPath(entity, id)}>{_("Open the record")}</Link>
      ) : null}
      <MessageView desc={output} message={answer} saying={saying} cell={cell} level={3} />
    </section>
  );
}

/** The contract's description of the operation. */
function About({ operation }: { operation: Operation }) {
  const { _ } = useLingui();
  const { contract } = useConsole();
  const { method, permission, realms, rest, from, to, action } = operation;
  const lines = [
    { name: _("gRPC"), value: <code>{`${method.parent.typeName}/${method.name}`}</code> },
    ...rest.map(({ method: verb, path }, index) => ({
      name: index === 0 ? _("REST") : _("also"),
      value: <code>{`${verb} ${path}`}</code>,
    })),
    {
      name: _("For"),
      value: operation.public && realms.length === 0 ? _("Everybody") : realms.map(realmName).join(", "),
    },
    { name: _("Permission"), value: permission === "" ? _("None") : <code>{permission}</code> },
    { name: _("From"), value: from.join(", ") },
    { name: _("To"), value: to.join(", ") },
    { name: _("Journal action"), value: action },
  ].filter(({ value }) => value !== "");
  return (
    <aside className={styles.side} aria-label={_("About this call")}>
      <section>
        <h2>{_("About this call")}</h2>
        <Facts facts={lines} />
      </section>
      {contract.operations.length === 0 ? null : <Example operation={operation} />}
    </aside>
  );
}

/** The call from a shell, over REST where it has a path. */
function Example({ operation }: { operation: Operation }) {
  const { _ } = useLingui();
  const [first] = operation.rest;
  if (first === undefined) return null;
  const body =
    first.method === "GET" || first.method === "DELETE" ? "" : " \\\n  -H 'content-type: application/json' -d '{…}'";
  return (
    <section>
      <h2>{_("From a shell")}</h2>
      <pre
        className={styles.code}
        tabIndex={0}
        aria-label={_("From a shell")}
      >{`curl -X ${first.method} "$PAVISE${first.path}" \\\n  -H "authorization: Bearer $TOKEN"${body}`}</pre>
    </section>
  );
}

/** The owner id in the form's fields, once it is filled in. */
function ownerOf(draft: Draft): string {
  return asText(asMessage(draft)["identityId"]);
}

/** A draft of the request's plain fields from the address. */
function draftOfSearch(operation: Operation, search: Readonly<Record<string, string | undefined>>): DraftMessage {
  return Object.fromEntries(
    operation.method.input.fields.flatMap((field) => {
      const text = search[field.name];
      return text === undefined || field.fieldKind !== "scalar"
        ? []
        : [[field.localName, field.scalar === 8 ? text === "true" : text]];
    }),
  );
}

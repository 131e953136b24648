// An action on a record: first a dry run for the review, then the call, once.
import type { DescField, Message } from "@bufbuild/protobuf";
import { useLingui } from "@lingui/react";
import { useForm } from "@pavise/descform/form.ts";
import { enumSpelling } from "@pavise/descform/words.ts";
import { differences } from "@pavise/descform/value.ts";
import { useWords } from "@pavise/i18n/words.ts";
import { problemOf } from "@pavise/rpc/problem.ts";
import { toast } from "@pavise/ui/toasts.tsx";
import { useCallback, useMemo, useRef, useState } from "react";
import { lacksReason, requestOf, textOf, versionOf } from "../console/calls.ts";
import { useConsole } from "../console/console.ts";
import { usePickers } from "../console/Picker.tsx";
import { useReread } from "../console/reread.ts";
import type { Entity, Operation } from "../contract/operation.ts";
import { getOf } from "../contract/screens.ts";
import { statusOf } from "./Actions.tsx";
import { startOf } from "./start.ts";

/** An action on a record. */
export interface Subject {
  readonly operation: Operation;
  readonly entity: Entity;
  readonly id: string;
  readonly message: Message;
}

/** The state of an action from the first question to the answer. */
export function useAction({ operation, entity, id, message }: Subject, onDone: () => void) {
  const { _ } = useLingui();
  const w = useWords();
  const { contract, call, saying } = useConsole();
  const reread = useReread();
  const { known, initial } = useMemo(
    () => startOf(operation, entity, id, message, contract.registry),
    [operation, entity, id, message, contract],
  );
  const [seen, setSeen] = useState(message);
  const status = statusOf(entity, seen);
  const offered = useCallback((field: DescField) => followingOf(operation, field, status), [operation, status]);
  const form = useForm(operation.method.input, initial, contract.registry, { reference: usePickers(), offered });
  const [preview, setPreview] = useState<{ request: Message; after: Message | undefined }>();
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<ReturnType<typeof differences>>();
  const [pending, setPending] = useState(false);
  // One idempotency key per intent: a second press, or a retry after a lost answer, acts once.
  const key = useRef(crypto.randomUUID());
  const version = versionOf(seen, entity.desc);

  async function attempt(run: () => Promise<void>) {
    setPending(true);
    setError(undefined);
    try {
      await run();
    } catch (thrown) {
      await refused(thrown);
    } finally {
      setPending(false);
    }
  }

  async function refused(thrown: unknown) {
    const problem = problemOf(thrown);
    form.refuse(problem.fields);
    if (problem.kind === "fields" || problem.fields.length > 0) setPreview(undefined);
    const get = getOf(contract, entity);
    if (problem.kind === "conflict" && get !== undefined) {
      const given = { [get.idField?.name ?? "id"]: id, [get.ownerField]: textOf(seen, entity.desc, "owner_id") };
      const now = await call(get, requestOf(get, given));
      setConflict(differences(entity.desc, seen, now, saying));
      setSeen(now);
      setPreview(undefined);
      key.current = crypto.randomUUID();
    }
    setError(thrown);
  }

  const review = () =>
    attempt(async () => {
      const request = form.check();
      if (request === undefined) return;
      if (lacksReason(operation, request))
        return form.refuse([{ path: "reason", description: _("Say why: the member will ask.") }]);
      setConflict(undefined);
      // A call that proves something has no dry run, so that guesses are counted.
      const after = operation.proves ? undefined : await call(operation, request, { version, preview: true });
      setPreview({ request, after: operation.method.output === entity.desc ? after : undefined });
    });

  const confirm = () =>
    attempt(async () => {
      if (preview === undefined) return;
      await call(operation, preview.request, { version, key: key.current });
      await reread();
      toast({ title: _("Done: {what}", { what: w(operation.title) }) });
      onDone();
    });

  const changed = preview?.after === undefined ? [] : differences(entity.desc, seen, preview.after, saying);
  return {
    form,
    known,
    seen,
    previewed: preview !== undefined,
    changed,
    error,
    conflict,
    pending,
    review,
    confirm,
    back: () => setPreview(undefined),
  };
}

/** The statuses that a field offers which says the status afterwards: those that follow. */
function followingOf(operation: Operation, field: DescField, status: string): ReadonlySet<number> | undefined {
  if (field.name !== operation.toField || field.enum === undefined) return undefined;
  const following = operation.leads(status);
  const { values } = field.enum;
  return new Set(values.filter((value) => following.includes(enumSpelling(value.parent, value.number))).map(numberOf));
}

const numberOf = ({ number }: { number: number }) => number;

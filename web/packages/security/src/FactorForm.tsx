// What a kind of factor needs before it can be shown to work: a number, an address, a question.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useLingui } from "@lingui/react";
import { isEmail } from "@pavise/rules/patterns.ts";
import { FactorType, SecurityQuestionType } from "@pavise/schema/pavise/identity/v1/factor_pb";
import type { CreateFactorRequestSchema } from "@pavise/schema/pavise/identity/v1/factor_service_pb";
import { IdentityService } from "@pavise/schema/pavise/identity/v1/identity_service_pb";
import { Button } from "@pavise/ui/Button.tsx";
import { TextField } from "@pavise/ui/Field.tsx";
import { Form } from "@pavise/ui/Form.tsx";
import { NativeSelect } from "@pavise/ui/NativeSelect.tsx";
import { useState, type ReactNode } from "react";
import { type Kind, phoneNumber, useOwnId } from "./factors.ts";
import page from "@pavise/ui/Part.module.css";

/** What the call takes, besides whose it is. */
export type Wanted = Omit<MessageInitShape<typeof CreateFactorRequestSchema>, "identityId" | "$typeName">;

type FactorFormProps = { kind: Kind; onSubmit: (wanted: Wanted) => void; pending: boolean };

/** The form of a kind. */
export function FactorForm({ kind, onSubmit, pending }: FactorFormProps) {
  if (kind === FactorType.SMS) return <PhoneForm onSubmit={onSubmit} pending={pending} />;
  if (kind === FactorType.EMAIL) return <EmailForm onSubmit={onSubmit} pending={pending} />;
  return <QuestionForm onSubmit={onSubmit} pending={pending} />;
}

type FormProps = Omit<FactorFormProps, "kind">;

function PhoneForm({ onSubmit, pending }: FormProps) {
  const { _ } = useLingui();
  const [typed, setTyped] = useState("");
  const phone = phoneNumber(typed);
  return (
    <Shown pending={pending} label={_("security.code.send")} right={phone !== undefined} onSend={() => onSubmit({ type: FactorType.SMS, phoneNumber: phone ?? "" })}>
      {(checked) => (
        <TextField
          label={_("security.phone")}
          type="tel"
          name="phone"
          autoComplete="tel"
          value={typed}
          onChange={setTyped}
          help={_("security.phone.help")}
          error={checked && phone === undefined ? _("security.phone.wrong") : undefined}
        />
      )}
    </Shown>
  );
}

function EmailForm({ onSubmit, pending }: FormProps) {
  const { _ } = useLingui();
  const identityId = useOwnId();
  const identity = useQuery(IdentityService.method.getIdentity, { identityId });
  const [typed, setTyped] = useState<string>();
  const primary = identity.data?.emails.find((email) => email.primary)?.address ?? "";
  const email = (typed ?? primary).trim();
  return (
    <Shown pending={pending} label={_("security.code.send")} right={isEmail(email)} onSend={() => onSubmit({ type: FactorType.EMAIL, email })}>
      {(checked) => (
        <TextField
          label={_("security.email")}
          type="email"
          name="email"
          autoComplete="email"
          value={typed ?? primary}
          onChange={setTyped}
          help={_("security.email.help")}
          error={checked && !isEmail(email) ? _("security.email.wrong") : undefined}
        />
      )}
    </Shown>
  );
}

/** Questions to choose from; the last is one's own. */
const QUESTIONS = ["pet", "street", "teacher", "job", "own"] as const;
const SHORTEST_QUESTION = 5;

function QuestionForm({ onSubmit, pending }: FormProps) {
  const { _ } = useLingui();
  const [chosen, setChosen] = useState<(typeof QUESTIONS)[number]>("pet");
  const [own, setOwn] = useState("");
  const [answer, setAnswer] = useState("");
  const question = chosen === "own" ? own.trim() : _(`security.question.${chosen}`);
  const complete = question.length >= SHORTEST_QUESTION && answer.trim() !== "";
  const wanted: Wanted = { type: FactorType.QUESTION, question: { type: SecurityQuestionType.TEXT, question, answer: answer.trim() } };
  return (
    <Shown pending={pending} label={_("security.continue")} right={complete} onSend={() => onSubmit(wanted)}>
      {(checked) => (
        <>
          <NativeSelect
            label={_("security.question")}
            choices={QUESTIONS.map((id) => ({ id, label: _(`security.question.${id}`) }))}
            value={chosen}
            onChange={setChosen}
          />
          {chosen === "own" ? (
            <TextField
              label={_("security.question.own.label")}
              value={own}
              onChange={setOwn}
              maxLength={200}
              error={checked && question.length < SHORTEST_QUESTION ? _("security.missing") : undefined}
            />
          ) : null}
          <TextField
            label={_("security.answer")}
            value={answer}
            onChange={setAnswer}
            maxLength={200}
            autoComplete="off"
            help={_("security.answer.help")}
            error={checked && answer.trim() === "" ? _("security.missing") : undefined}
          />
        </>
      )}
    </Shown>
  );
}

type ShownProps = { children: (checked: boolean) => ReactNode; label: string; pending: boolean; right: boolean; onSend: () => void };

/** Fields with the word that sends them. */
function Shown({ children, label, pending, right, onSend }: ShownProps) {
  return (
    <Form right={right} onSend={onSend}>
      {(checked) => (
        <>
          {children(checked)}
          <div className={page.actions}>
            <Button kind="primary" type="submit" isPending={pending}>
              {label}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

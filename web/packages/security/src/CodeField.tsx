// The input of a factor's proof: six digits, or the answer to its question.
import { useLingui } from "@lingui/react";
import { FactorType, type Factor } from "@pavise/schema/pavise/identity/v1/factor_pb";
import { TextField } from "@pavise/ui/Field.tsx";
import type { ReactNode } from "react";

/** Whether codes are sent for factors of this kind. */
export function sendsCodes(type: FactorType): boolean {
  return type === FactorType.SMS || type === FactorType.EMAIL;
}

/** The typed proof as the calls take it. */
export function proofOf(type: FactorType, typed: string): { code: string; answer: string } {
  const text = typed.trim();
  return type === FactorType.QUESTION ? { code: "", answer: text } : { code: text.replaceAll(/\s/g, ""), answer: "" };
}

type CodeFieldProps = { factor: Factor; value: string; onChange: (value: string) => void; error?: ReactNode };

/** The field for the proof. */
export function CodeField({ factor, value, onChange, error }: CodeFieldProps) {
  const { _ } = useLingui();
  const asks = factor.type === FactorType.QUESTION;
  return (
    <TextField
      label={asks ? (factor.question?.question ?? "") : _("security.code")}
      value={value}
      onChange={onChange}
      name={asks ? "answer" : "code"}
      autoComplete={asks ? "off" : "one-time-code"}
      inputMode={asks ? "text" : "numeric"}
      mono={!asks}
      maxLength={asks ? 200 : 8}
      error={error}
    />
  );
}

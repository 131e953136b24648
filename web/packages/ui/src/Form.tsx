/** A form that says what is wrong beside the fields once somebody sends it, and leads him to the first fault. */
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { FieldErrors, namesFields } from "./FieldErrors.tsx";
import { focusFirstWrong } from "./focus.ts";
import styles from "./Part.module.css";

export type FormProps = {
  /** Whether what is filled in can be sent. */
  right: boolean;
  onSend: () => void;
  /** What the last attempt was refused with: fields that it names say so, and the first of them takes the focus. */
  error?: unknown;
  /** What is inside; `checked` once it was sent while something was wrong: from then on the faults are said. */
  children: (checked: boolean) => ReactNode;
};

/** The form. What is wrong is said in the reader's language, not in the browser's. */
export function Form({ right, onSend, error, children }: FormProps) {
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (namesFields(error) && form.current) focusFirstWrong(form.current);
  }, [error]);
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setChecked(!right);
    if (right) onSend();
    else focusFirstWrong(event.currentTarget);
  }
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <FieldErrors error={error}>{children(checked)}</FieldErrors>
    </form>
  );
}

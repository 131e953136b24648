/** A form that shows faults beside the fields once it is sent, and focuses the first of them. */
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { FieldErrors, namesFields } from "./FieldErrors.tsx";
import { focusFirstWrong } from "./focus.ts";
import { useTyped } from "./typed.ts";
import styles from "./Part.module.css";

export type FormProps = {
  /** Whether the input can be sent. */
  right: boolean;
  onSend: () => void;
  /** The refusal of the last attempt: the named fields show it, and the first of them takes the focus. */
  error?: unknown;
  /** The content; `checked` once it was sent with faults, which are shown from then on. */
  children: (checked: boolean) => ReactNode;
};

/** The form. Faults are told in the reader's language, not in the browser's. */
export function Form({ right, onSend, error, children }: FormProps) {
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const typed = useTyped();
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
    <form ref={form} className={styles.form} onSubmit={send} noValidate {...typed.on}>
      <FieldErrors error={error}>{children(checked)}</FieldErrors>
    </form>
  );
}

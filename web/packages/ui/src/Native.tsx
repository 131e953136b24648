/** Native controls in the look of the others, for first pages: they cost next to nothing to load. */
import { useId, type ButtonHTMLAttributes, type ReactNode } from "react";
import type { ButtonKind } from "./Button.tsx";
import { classes } from "./classes.ts";
import styles from "./Button.module.css";
import field from "./Field.module.css";
import radio from "./Native.module.css";

type Pressed = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "style" | "onClick" | "disabled"> & {
  onPress?: (() => void) | undefined;
  isDisabled?: boolean | undefined;
  isPending?: boolean | undefined;
  className?: string | undefined;
};

function Pressable({ onPress, isDisabled, isPending, type = "button", className, children, ...rest }: Pressed) {
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- a submit button says so
      type={isPending ? "button" : type}
      disabled={isDisabled === true}
      className={classes(styles.button, styles.native, className)}
      {...(onPress && !isPending ? { onClick: onPress } : {})}
    >
      {children}
    </button>
  );
}

export type NativeButtonProps = Pressed & { kind?: ButtonKind; wide?: boolean };

/** A button with a word on it. */
export function NativeButton({ kind = "secondary", wide, className, isPending, children, ...rest }: NativeButtonProps) {
  return (
    <Pressable
      {...rest}
      isPending={isPending}
      className={classes(styles[kind], wide && styles.wide, isPending && styles.pending, className)}
    >
      {isPending ? <span className={styles.spinner} aria-hidden /> : null}
      {children}
    </Pressable>
  );
}

/** An icon button; screen readers read its label. */
export function NativeIconButton({ label, className, ...rest }: Pressed & { label: string }) {
  return <Pressable {...rest} aria-label={label} className={classes(styles.icon, className)} />;
}

/** The classes of a link: like a button of the kind, or like a link in text. */
export function linkLook(kind?: ButtonKind, wide = false): string {
  return kind
    ? classes(styles.button, styles.native, styles[kind], wide && styles.wide)
    : classes(styles.link, styles.native);
}

export type NativeRadiosProps<K extends string> = {
  label: string;
  choices: readonly { id: K; label: ReactNode }[];
  value: K;
  onChange: (value: K) => void;
};

/** Radio buttons, side by side. */
export function NativeRadios<K extends string>({ label, choices, value, onChange }: NativeRadiosProps<K>) {
  const name = useId();
  return (
    <fieldset className={classes(field.field, radio.group)}>
      <legend className={field.label}>{label}</legend>
      <div className={field.row}>
        {choices.map((choice) => (
          <label key={choice.id} className={classes(field.choice, radio.choice)}>
            <input
              type="radio"
              name={name}
              checked={choice.id === value}
              onChange={() => onChange(choice.id)}
              className={radio.input}
            />
            <span className={classes(field.mark, field.ring, radio.ring)} />
            <span className={field.words}>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A choice: its label and its explanation. */
export type Choice<K extends string = string> = {
  id: K;
  label: string;
  detail?: string | undefined;
  disabled?: boolean;
};

/** A choice: what it is called, and what explains it. */
export type Choice<K extends string = string> = { id: K; label: string; detail?: string; disabled?: boolean };

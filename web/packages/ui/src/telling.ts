/** The app's words for refusals, given to shared components. */
import { createContext } from "react";

/** A title, a sentence, and the request's id where it helps support. */
export type Told = { title: string; detail: string; traceId: string };

/** Words a caught error. */
export type Tell = (error: unknown, say: (id: string, values?: Record<string, unknown>) => string) => Told;

/** The app's way of wording refusals. */
export const Telling = createContext<Tell | undefined>(undefined);

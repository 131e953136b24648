/** How the app around a page says what a call was refused with. */
import { createContext } from "react";

/** A title, a sentence, and the request's id where it helps to know it. */
export type Told = { title: string; detail: string; traceId: string };

/** Says what a call threw. */
export type Tell = (error: unknown, say: (id: string, values?: Record<string, unknown>) => string) => Told;

/** The app's way of saying it. */
export const Telling = createContext<Tell | undefined>(undefined);

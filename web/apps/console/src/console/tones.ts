// The dot of a status, by the tone that the contract gives it.
import { Tone } from "@pavise/schema/pavise/contract/v1/options_pb";
import type { Tone as Dot } from "@pavise/ui/Value.tsx";

/** The dot of each tone. */
export const DOTS: Readonly<Record<Tone, Dot>> = {
  [Tone.UNSPECIFIED]: "neutral",
  [Tone.NEUTRAL]: "neutral",
  [Tone.GOOD]: "good",
  [Tone.ATTENTION]: "warning",
  [Tone.BAD]: "bad",
  [Tone.BUSY]: "busy",
  [Tone.OVER]: "over",
};

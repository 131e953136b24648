// The buyer's input before the payment. It lives as long as the page and is stored nowhere, as it is personal data.
import type { Day } from "@pavise/ui/DateField.tsx";
import { useSessionState } from "@pavise/session/Session.tsx";
import { createContext, use, useMemo, useState, type ReactNode } from "react";

/** A person to cover besides the buyer. */
export type Person = { key: string; firstName: string; lastName: string; type: string; birthDate: Day | null };

/** The buyer, the address, the people, the business. */
export type Draft = {
  firstName: string;
  lastName: string;
  phone: string;
  address1: string;
  address2: string;
  city: string;
  postalCode: string;
  /** The buyer's date of birth, where the profile has none. */
  birthDate: Day | null;
  /** Whether the profile has filled in what it knows: what was emptied after that stays empty. */
  known: boolean;
  people: readonly Person[];
  business: string;
  /** The order made from the draft, while it is unpaid. */
  orderId: string;
};

/** An empty draft. */
export const EMPTY: Draft = {
  firstName: "",
  lastName: "",
  phone: "",
  address1: "",
  address2: "",
  city: "",
  postalCode: "",
  birthDate: null,
  known: false,
  people: [],
  business: "",
  orderId: "",
};

type Kept = { draft: Draft; put: (part: Partial<Draft>) => void };
const DraftContext = createContext<Kept | null>(null);

/** Keeps the draft for the pages below. */
export function DraftProvider({ children }: { children: ReactNode }) {
  const [draft, setDraft] = useState(EMPTY);
  const state = useSessionState();
  // A draft names its buyer, so a sign-out drops it.
  if (state.status === "signedOut" && state.left && draft !== EMPTY) setDraft(EMPTY);
  const kept = useMemo(
    () => ({ draft, put: (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part })) }),
    [draft],
  );
  return <DraftContext value={kept}>{children}</DraftContext>;
}

/** The draft, and its setter. */
export function useDraft(): Kept {
  const kept = use(DraftContext);
  if (!kept) throw new Error("useDraft outside of DraftProvider");
  return kept;
}

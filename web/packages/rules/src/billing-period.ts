// How often something is billed (000 §3, 001 §9).

/** The spellings of the contract. */
export const BILLING_PERIODS = [
  "DAILY",
  "WEEKLY",
  "MONTHLY",
  "QUARTERLY",
  "BIANNUAL",
  "ANNUAL",
  "PAY_PERIOD",
  "ONE_TIME",
] as const;

export type BillingPeriod = (typeof BILLING_PERIODS)[number];

/** Who is billed. */
export type Party = "member" | "associate" | "business" | "group";

/** What was asked for. */
export interface PeriodChoice {
  /** For everybody. */
  readonly period?: BillingPeriod | undefined;
  /** For one party, which wins. */
  readonly perParty?: Partial<Record<Party, BillingPeriod>> | undefined;
}

/** The billing period of a party: its own, else the one for everybody, else MONTHLY. An associate is billed
 *  MONTHLY whatever is asked for everybody. */
export function pickBillingPeriod(party: Party, choice: PeriodChoice = {}): BillingPeriod {
  const own = choice.perParty?.[party];
  if (own !== undefined) return own;
  if (party === "associate") return "MONTHLY";
  return choice.period ?? "MONTHLY";
}

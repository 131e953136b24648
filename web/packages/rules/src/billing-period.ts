// Billing periods (000 §3, 001 §9).

/** The contract's spellings. */
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

/** The billed party. */
export type Party = "member" | "associate" | "business" | "group";

/** The requested billing periods. */
export interface PeriodChoice {
  /** The period for all parties. */
  readonly period?: BillingPeriod | undefined;
  /** The period of one party, which takes precedence. */
  readonly perParty?: Partial<Record<Party, BillingPeriod>> | undefined;
}

/** The billing period of a party: its own, else the one for all, else MONTHLY. An associate is billed
 *  MONTHLY, whatever the period for all is. */
export function pickBillingPeriod(party: Party, choice: PeriodChoice = {}): BillingPeriod {
  const own = choice.perParty?.[party];
  if (own !== undefined) return own;
  if (party === "associate") return "MONTHLY";
  return choice.period ?? "MONTHLY";
}

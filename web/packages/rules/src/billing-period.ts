// Billing periods in the contract's spellings (000 §3, 001 §9).

export type BillingPeriod =
  | "DAILY"
  | "WEEKLY"
  | "MONTHLY"
  | "QUARTERLY"
  | "BIANNUAL"
  | "ANNUAL"
  | "PAY_PERIOD"
  | "ONE_TIME";

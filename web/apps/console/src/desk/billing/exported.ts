// The rows of an export of invoices as a CSV file.
import type { DescField } from "@bufbuild/protobuf";
import { enumSpelling, fieldLabel } from "@pavise/descform/words.ts";
import { isoDay, type Day } from "@pavise/rpc/today.ts";
import { decimalOf } from "@pavise/rules/price.ts";
import { ExportedInvoiceSchema, type ExportedInvoice } from "@pavise/schema/pavise/billing/v1/invoice_service_pb";
import { CurrencySchema, type Money } from "@pavise/schema/pavise/common/v1/money_pb";
import { csvLine } from "../../list/csv.ts";

const { fields } = ExportedInvoiceSchema;

/** The first line. */
export function exportHead(translate: (words: string) => string): string {
  return csvLine([...fields.map((field) => translate(fieldLabel(field))), translate("Currency")]);
}

/** The line of an invoice. Amounts are decimals with a point, and days are as in ISO 8601. */
export function exportLine(invoice: ExportedInvoice): string {
  const values = invoice as unknown as Record<string, unknown>;
  const texts = fields.map((field) => textOf(field, values[field.localName]));
  return csvLine([...texts, currencyOf(invoice.total)]);
}

function textOf(field: DescField, value: unknown): string {
  if (value === undefined) return "";
  if (field.fieldKind === "enum") return value === 0 ? "" : enumSpelling(field.enum, value as number);
  switch (field.message?.typeName) {
    case "pavise.common.v1.Money":
      return amountText(value as Money);
    case "pavise.common.v1.Date":
      return isoDay(value as Day);
    default:
      return String(value);
  }
}

function amountText(money: Money): string {
  const currency = currencyOf(money);
  if (currency === "") return "";
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return decimalOf(money.amount, maximumFractionDigits);
}

function currencyOf(money: Money | undefined): string {
  return money === undefined || money.currency === 0 ? "" : enumSpelling(CurrencySchema, money.currency);
}

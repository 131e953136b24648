// Exports rows as a CSV file for a spreadsheet.
import { fieldText, type Saying } from "@pavise/descform/value.ts";
import type { FieldColumn, Row } from "./columns.tsx";

/** Escapes text that a spreadsheet would run as a formula (CSV injection). */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.,\s]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A record of a CSV file (RFC 4180), without the end of the line. */
export function csvLine(texts: readonly string[]): string {
  return texts.map(cell).join(",");
}

/** The rows in the given columns. Personal data is left out. */
export function csvOf(rows: readonly Row[], columns: readonly FieldColumn[], saying: Saying): string {
  const kept = columns.filter(({ personal }) => !personal);
  const lines = [
    kept.map(({ header }) => header),
    ...rows.map(({ record }) => kept.map(({ field }) => fieldText(record, field, saying))),
  ];
  return lines.map(csvLine).join("\r\n");
}

/** Downloads a file in the browser. A long text comes in pieces. */
export function download(name: string, ...texts: readonly string[]): void {
  // The byte order mark tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(["\uFEFF", ...texts], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

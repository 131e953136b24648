export type Part = { name: string; sources: string[]; folder: string };
export const parts: Part[];
export function said(part: Part): string[];
export function catalog(part: Part, locale: string): Map<string, string>;

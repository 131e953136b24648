// Moments with an explicit time zone: `2026-03-31T09:30` in `America/Chicago`.

/** The zones that a form offers: the reader's own, UTC, and those of the markets. */
export function zones(): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const markets = [
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Toronto",
    "America/Vancouver",
  ];
  return [...new Set([own, "UTC", ...markets])];
}

/** The offset of a zone from UTC at a moment, in milliseconds. */
function ahead(zone: string, at: number): number {
  if (zone === "UTC") return 0;
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return shown - Math.floor(at / 1000) * 1000;
}

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/** The moment of a local time in a zone: seconds and nanoseconds since 1970. Undefined for an invalid time,
 *  and for a time that the zone's clocks skip. */
export function momentOf(local: string, zone: string): { seconds: bigint; nanos: number } | undefined {
  const match = LOCAL.exec(local);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((text) => Number(text ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const checked = new Date(wall);
  if (checked.getUTCMonth() !== month - 1 || checked.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  let at = wall - ahead(zone, wall);
  at = wall - ahead(zone, at);
  if (at + ahead(zone, at) !== wall) return undefined;
  return { seconds: BigInt(Math.floor(at / 1000)), nanos: Number((match[7] ?? "").padEnd(9, "0")) };
}

/** The local time of a zone at a moment, without a fraction that is zero. */
export function localOf(seconds: bigint, nanos: number, zone: string): string {
  const at = Number(seconds) * 1000;
  const text = new Date(at + ahead(zone, at)).toISOString().slice(0, 19);
  const fraction =
    nanos === 0
      ? ""
      : `.${String(nanos)
          .padStart(9, "0")
          .replace(/(000)+$/, "")}`;
  return text + fraction;
}

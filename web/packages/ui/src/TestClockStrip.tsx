/** A strip over every page where the test clock moved the day. */
import { useLingui } from "@lingui/react";
import { movedTo, watchToday } from "@pavise/rpc/today.ts";
import { useSyncExternalStore } from "react";
import { Strip } from "./Strip.tsx";

/** The moved day. Nothing where days are the machine's. */
export function TestClockStrip() {
  const { _, i18n } = useLingui();
  const moved = useSyncExternalStore(watchToday, movedTo);
  if (!moved) return null;
  const day = new Intl.DateTimeFormat(i18n.locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(moved));
  return <Strip>{_("ui.testClock", { day })}</Strip>;
}

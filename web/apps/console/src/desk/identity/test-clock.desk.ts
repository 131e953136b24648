// The desk where staff move the days of an installation for trials.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/test-clock";

export default {
  path,
  label: key("Test clock"),
  key: "T",
  needs: "TestClockService/GetTestClock",
  records: {},
  pages: { "": pageOf(async () => (await import("./TestClockDesk.tsx")).TestClockDesk) },
} satisfies Desk;

// The desk where staff see and steer the workers behind the calls.
import { key } from "@pavise/i18n/key.ts";
import { pageOf, type Desk } from "../desk.tsx";

const path = "/desk/workers";

export default {
  path,
  label: key("Workers"),
  key: "W",
  needs: "PlatformWorkerService/ListWorkers",
  records: {},
  pages: {
    "": pageOf(async () => (await import("./WorkersDesk.tsx")).WorkersDesk),
    "/$id": pageOf(async () => (await import("./WorkerDesk.tsx")).WorkerDesk),
  },
} satisfies Desk;

// The contract's options of a method, read from its descriptor.
import { getOption, hasOption, type DescMethod } from "@bufbuild/protobuf";
import { call } from "@pavise/schema/pavise/contract/v1/options_pb";

/** Whether a method only reads: it needs no idempotency key and can be repeated. */
export function reads(method: DescMethod): boolean {
  if (!hasOption(method, call)) return false;
  const { behavior } = getOption(method, call);
  switch (behavior.case) {
    case "get":
    case "list":
    case "batch":
    case "journal":
    case "maxClock":
    case "watch":
    case "health":
    case "titles":
      return true;
    case "custom":
      return behavior.value.reads;
    default:
      return false;
  }
}

// Messages that a form shows as one value: a moment, a day, an amount.
import type { DescMessage } from "@bufbuild/protobuf";

/** The editor of a message that is not edited field by field. */
export type Leaf = "timestamp" | "duration" | "date" | "money" | "wrapper" | "json";

const LEAVES: Readonly<Record<string, Leaf>> = {
  "google.protobuf.Timestamp": "timestamp",
  "google.protobuf.Duration": "duration",
  "google.protobuf.FieldMask": "json",
  "google.protobuf.Struct": "json",
  "google.protobuf.Value": "json",
  "google.protobuf.ListValue": "json",
  "google.protobuf.Any": "json",
  "pavise.common.v1.Date": "date",
  "pavise.common.v1.Money": "money",
};

/** The editor of a message type; undefined when it is edited field by field. */
export function leafOf(desc: DescMessage): Leaf | undefined {
  if (
    /^google\.protobuf\.\w+Value$/.test(desc.typeName) &&
    desc.fields.length === 1 &&
    desc.fields[0]?.name === "value"
  ) {
    return desc.fields[0].fieldKind === "scalar" ? "wrapper" : "json";
  }
  return LEAVES[desc.typeName];
}

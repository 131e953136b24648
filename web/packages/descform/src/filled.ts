// Messages for tests, with every field set.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

/** A message with every field set, two items in each list, and the first member of each oneof. */
export function filled(desc: DescMessage, depth = 0): Message {
  const message = reflect(desc, create(desc), false);
  let seed = depth + 1;
  const scalar = (field: DescField) => {
    seed += 1;
    if (field.message !== undefined)
      return reflect(field.message, special(field.message) ?? filled(field.message, depth + 1), false);
    if (field.enum !== undefined) return field.enum.values[1]?.number ?? 0;
    const values: Record<number, unknown> = {
      8: true,
      9: `text ${seed}`,
      12: new Uint8Array([seed, 0, 255]),
      1: seed / 4,
      2: seed / 4,
    };
    const wide = [3, 4, 6, 16, 18].includes(field.scalar as number);
    return values[field.scalar as number] ?? (wide ? BigInt(seed) : seed);
  };
  for (const field of desc.fields) {
    if (depth > 5 || (field.oneof !== undefined && field.oneof.fields[0] !== field)) continue;
    if (field.fieldKind === "list") {
      message.get(field).add(scalar(field) as never);
      message.get(field).add(scalar(field) as never);
    } else if (field.fieldKind === "map") {
      message.get(field).set((field.mapKey === 9 ? "name" : 5) as never, scalar(field) as never);
    } else message.set(field, scalar(field) as never);
  }
  return message.message;
}

/** Values of messages with rules of their own. */
function special(desc: DescMessage): Message | undefined {
  const parts: Record<string, object> = {
    "google.protobuf.Timestamp": { seconds: 1_700_000_000n, nanos: 123_000_000 },
    "pavise.common.v1.Date": { year: 2026, month: 2, day: 28 },
  };
  const part = parts[desc.typeName];
  return part === undefined ? undefined : create(desc, part as never);
}

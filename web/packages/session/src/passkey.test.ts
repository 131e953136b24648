import { expect, test } from "vitest";
import { bytesOf, textOf } from "./passkey.ts";

test("bytes go through base64url and back", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_byte, index) => index);
  for (const length of [0, 1, 2, 3, 255, 256]) {
    const text = textOf(bytes.slice(0, length).buffer);
    expect(text).toMatch(/^[A-Za-z0-9_-]*$/);
    expect([...bytesOf(text)]).toEqual(Array.from(bytes.slice(0, length)));
  }
});

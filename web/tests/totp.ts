// The codes of an authenticator app (RFC 6238), for tests that set one up.
import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** The time step of a code, in milliseconds. */
const STEP = 30_000;

/** The code of a base32 secret; `ahead` of now by that many steps, as each code is accepted once. */
export function codeOf(secret: string, ahead = 0): string {
  const letters = secret.replaceAll(/[^A-Z2-7]/g, "");
  const bits = Array.from(letters, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP) + ahead));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

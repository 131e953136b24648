import { expect, test } from "vitest";
import { OrderStatus, OrderStatusSchema } from "@pavise/schema/pavise/orders/v1/order_enum_pb";
import { IdentityRealm, IdentityRealmSchema } from "@pavise/schema/pavise/identity/v1/identity_pb";
import { RegionCode, RegionCodeSchema } from "@pavise/schema/pavise/common/v1/place_pb";
import { OrderSchema } from "@pavise/schema/pavise/orders/v1/order_pb";
import { TransactionStatus, TransactionStatusSchema } from "@pavise/schema/pavise/billing/v1/transaction_pb";
import { Tone } from "@pavise/schema/pavise/contract/v1/options_pb";
import { enumSpelling, enumWords, fieldLabel, numberWords, spellingWords, toneOf, words } from "./words.ts";

test.each([
  ["payment_method_id", "Payment method ID"],
  ["PurchaseOrder", "Purchase order"],
  ["PARTIALLY_FUNDED", "Partially funded"],
  ["CreateJwt", "Create JWT"],
])("%s in words is %s", (name, text) => {
  expect(words(name)).toBe(text);
});

test("values are spelt as documented", () => {
  expect(enumSpelling(IdentityRealmSchema, IdentityRealm.GROUP_ADMIN)).toBe("GroupAdmin");
  expect(enumSpelling(OrderStatusSchema, OrderStatus.PARTIALLY_FUNDED)).toBe("PARTIALLY_FUNDED");
  expect(enumSpelling(RegionCodeSchema, RegionCode.TX)).toBe("TX");
  expect(enumSpelling(OrderStatusSchema, 999)).toBe("999");
});

test("a spelling in words keeps what is a name", () => {
  expect(enumWords("PARTIALLY_FUNDED")).toBe("Partially funded");
  expect(enumWords("GroupAdmin")).toBe("GroupAdmin");
  expect(enumWords("TX")).toBe("TX");
});

test("a value has the words and the tone that the contract says", () => {
  expect(numberWords(TransactionStatusSchema, TransactionStatus.TIMEDOUT)).toBe("Timed out");
  expect(spellingWords(TransactionStatusSchema, "TIMEDOUT")).toBe("Timed out");
  expect(spellingWords(TransactionStatusSchema, "HARD_DECLINED")).toBe("Hard declined");
  expect(spellingWords(undefined, "HARD_DECLINED")).toBe("Hard declined");
  expect(numberWords(TransactionStatusSchema, 999)).toBe("999");
  expect(toneOf(TransactionStatusSchema, TransactionStatus.HARD_DECLINED)).toBe(Tone.BAD);
  expect(toneOf(TransactionStatusSchema, 999)).toBe(Tone.UNSPECIFIED);
  expect(toneOf(RegionCodeSchema, RegionCode.TX)).toBe(Tone.UNSPECIFIED);
});

test("a field is called as the contract says, or by its name", () => {
  expect(fieldLabel(OrderSchema.field["ownerId"]!)).toBe("Owner");
  expect(fieldLabel(OrderSchema.field["createdAt"]!)).toBe("Created at");
});

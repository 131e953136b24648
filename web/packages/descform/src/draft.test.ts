import { expect, test } from "vitest";
import { PutOffersRequestSchema } from "@pavise/schema/pavise/orders/v1/order_service_pb";
import { addItem, asList, fieldSlot, itemSlots, moveItem, removeItem, rootSlot, type Draft } from "./draft.ts";

function form(initial: Draft = {}) {
  let value: Draft = initial;
  return { slot: () => rootSlot(value, (change) => void (value = change(value))), value: () => value };
}
const offers = PutOffersRequestSchema.field["offers"]!;
const orderId = PutOffersRequestSchema.field["orderId"]!;
const brand = offers.message!.fields.find(({ name }) => name === "brand")!;

test("a slot sets, reads and clears its field alone", () => {
  const { slot, value } = form({ other: "kept" });
  const field = () => fieldSlot(slot(), orderId);
  expect(field().isSet()).toBe(false);
  field().set("o-1");
  expect([field().get(), field().isSet(), field().path]).toEqual(["o-1", true, "order_id"]);
  field().clear();
  expect(value()).toEqual({ other: "kept" });
});

test("items keep their keys and what was typed when others come and go", () => {
  const { slot } = form();
  const list = () => fieldSlot(slot(), offers);
  for (const text of ["a", "b", "c"]) addItem(list(), { brand: text });
  const brands = () => itemSlots(list()).map((item) => fieldSlot(item.slot, brand));
  const [first] = itemSlots(list());
  brands()[1]?.set("typed");
  removeItem(list(), first?.key ?? -1);
  expect(brands().map((one) => [one.path, one.get()])).toEqual([
    ["offers[0].brand", "typed"],
    ["offers[1].brand", "c"],
  ]);
  moveItem(list(), itemSlots(list())[1]?.key ?? -1, -1);
  expect(brands().map((one) => one.get())).toEqual(["c", "typed"]);
  moveItem(list(), itemSlots(list())[0]?.key ?? -1, -1);
  expect(asList(list().get()).items).toHaveLength(2);
});

test("two changes of one event both count", () => {
  const { slot, value } = form();
  const stale = slot();
  fieldSlot(stale, orderId).set("o-1");
  addItem(fieldSlot(stale, offers), {});
  expect(Object.keys(value() as object)).toEqual(["orderId", "offers"]);
});

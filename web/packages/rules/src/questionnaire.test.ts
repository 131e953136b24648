import { expect, test } from "vitest";
import {
  QuestionConditionKind,
  QuestionItemType,
  QuestionOperator,
} from "@pavise/schema/pavise/documents/v1/question_pb";
import { describeCase } from "./questionnaire.cases.ts";
import digests from "./questionnaire.digests.json";
import { evaluate, yearsBetween, type Item, type Value } from "./questionnaire.ts";

const today = { year: 2026, month: 3, day: 1 };

test("it shows the same of ten thousand random questionnaires as the server", () => {
  const found = Array.from({ length: 20 }, (_, at) => digest(at * 500, (at + 1) * 500));
  expect(found).toEqual(digests);
});

/** The digest of some cases: FNV-1a. */
function digest(from: number, until: number): string {
  let hash = 0x811c9dc5;
  for (let seed = from; seed < until; seed += 1) {
    for (const character of describeCase(seed)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

test("a person is a year older on the birthday and not before", () => {
  expect(yearsBetween({ year: 2008, month: 3, day: 1 }, today)).toBe(18);
  expect(yearsBetween({ year: 2008, month: 3, day: 2 }, today)).toBe(17);
});

/** A condition that an item has an answer. */
const answered = (id: string, itemId: string) => ({
  id,
  itemId,
  kind: QuestionConditionKind.ANSWERED,
  operator: QuestionOperator.UNSPECIFIED,
  conditionIds: [],
  text: "",
});

const textOf = (itemId: string): Value => ({
  itemId,
  row: 0,
  text: "x",
  sealedText: "",
  choices: [],
  fileIds: [],
});

test("a value of what is hidden counts for nothing", () => {
  const base = { required: false, requiredIf: "", stopIf: "", repeatId: "", sealed: false };
  const item = (id: string, visibleIf: string): Item => ({ ...base, id, type: QuestionItemType.TEXT, visibleIf });
  const content = {
    pages: [{ visibleIf: "", items: [item("a", ""), item("b", "onA"), item("c", "onB")] }],
    conditions: [answered("onA", "a"), answered("onB", "b")],
  };
  const shown = (...ids: string[]) => evaluate(content, ids.map(textOf), today).visible.map(({ item: at }) => at);
  expect(shown("a", "b")).toEqual([0, 1, 2]);
  expect(shown("b", "c")).toEqual([0]);
});

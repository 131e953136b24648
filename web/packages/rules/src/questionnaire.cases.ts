// Random questionnaires with values, the same as crates/documents/src/shared/logic/random.rs makes: from the same numbers,
// drawn in the same order.
import { QuestionItemType as Type } from "@pavise/schema/pavise/documents/v1/question_pb";
import { evaluate, type Condition, type Content, type Day, type Item, type Page, type Value } from "./questionnaire.ts";

const TYPES = [
  Type.TEXT,
  Type.NUMBER,
  Type.DATE,
  Type.BOOLEAN,
  Type.CHOICE,
  Type.CHOICES,
  Type.REPEAT,
  Type.INFO,
  Type.MONEY,
] as const;
const CHOICES = ["a", "b", "c"] as const;
const TEXTS = ["a", "b", "", "  ", " a"] as const;
const TODAY: Day = { year: 2026, month: 3, day: 1 };

/** Numbers that both languages make alike: mulberry32. */
class Numbers {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** Happens in one of so many cases. */
  happens(of: number): boolean {
    return this.below(of) === 0;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  day(): Day {
    const year = 1990 + this.below(30);
    const month = 1 + this.below(12);
    return { year, month, day: 1 + this.below(28) };
  }
}

/** The name of a condition in one of so many cases, or none. */
const randomName = (numbers: Numbers, of: number, conditions: number) =>
  numbers.happens(of) ? `c${numbers.below(conditions)}` : "";

function randomContent(numbers: Numbers): Content {
  const itemCount = 4 + numbers.below(12);
  const conditionCount = 3 + numbers.below(8);
  const newPage = (): Page & { items: Item[] } => ({ visibleIf: randomName(numbers, 5, conditionCount), items: [] });
  let page = newPage();
  const pages = [page];
  let repeat = "";
  for (let at = 0; at < itemCount; at += 1) {
    if (at > 0 && numbers.happens(4)) {
      page = newPage();
      pages.push(page);
      repeat = "";
    }
    const item = randomItem(numbers, at, conditionCount, repeat);
    if (item.type === Type.REPEAT) repeat = item.id;
    page.items.push(item);
  }
  const conditions = Array.from({ length: conditionCount }, (_, at) =>
    randomCondition(numbers, at, itemCount, conditionCount),
  );
  return { pages, conditions };
}

function randomItem(numbers: Numbers, at: number, conditions: number, repeat: string): Item {
  const type = numbers.pick(TYPES);
  const repeatId = type !== Type.REPEAT && repeat !== "" && numbers.happens(2) ? repeat : "";
  const required = numbers.happens(3);
  const visibleIf = randomName(numbers, 2, conditions);
  const requiredIf = randomName(numbers, 4, conditions);
  const stopIf = randomName(numbers, 8, conditions);
  const item = { id: `i${at}`, type, required, visibleIf, requiredIf, stopIf, repeatId, sealed: false };
  if (!numbers.happens(3)) return item;
  const least = numbers.below(4);
  const most = least + numbers.below(4);
  const earliest = numbers.day();
  return { ...item, bounds: { least, most, earliest, latest: numbers.day() } };
}

function randomCondition(numbers: Numbers, at: number, items: number, conditions: number): Condition {
  const kind = 1 + numbers.below(7);
  const parts = 1 + numbers.below(3);
  const conditionIds = Array.from({ length: parts }, () => `c${numbers.below(conditions)}`);
  const itemId = `i${numbers.below(items)}`;
  const operator = 1 + numbers.below(6);
  const number = numbers.below(kind === 7 ? 40 : 5);
  const text = numbers.pick(CHOICES);
  const boolean = numbers.happens(2);
  return { id: `c${at}`, kind, conditionIds, itemId, operator, number, text, boolean, date: numbers.day() };
}

function randomValues(numbers: Numbers, content: Content): Value[] {
  const values: Value[] = [];
  for (const item of content.pages.flatMap((page) => page.items)) {
    for (const row of item.repeatId === "" ? [0] : [1, 2, 3]) {
      if (!numbers.happens(4)) values.push(randomValue(numbers, item, row));
    }
  }
  return values;
}

function randomValue(numbers: Numbers, item: Item, row: number): Value {
  const value = { itemId: item.id, row, text: "", sealedText: "", choices: [], fileIds: [] };
  switch (item.type) {
    case Type.TEXT:
      return { ...value, text: numbers.pick(TEXTS) };
    case Type.NUMBER:
      return { ...value, number: numbers.below(6) };
    case Type.REPEAT:
      return { ...value, number: numbers.below(4) };
    case Type.MONEY:
      return { ...value, money: { amount: BigInt(numbers.below(6)) } };
    case Type.DATE:
      return { ...value, date: numbers.day() };
    case Type.BOOLEAN:
      return { ...value, boolean: numbers.happens(2) };
    case Type.CHOICE:
      return { ...value, choices: [numbers.pick(CHOICES)] };
    case Type.CHOICES: {
      const chosen = numbers.below(8);
      return { ...value, choices: CHOICES.filter((_, at) => (chosen & (1 << at)) !== 0) };
    }
    default:
      return value;
  }
}

/** The places that a case shows, as text. */
export function describeCase(seed: number): string {
  const numbers = new Numbers(seed);
  const content = randomContent(numbers);
  const values = randomValues(numbers, content);
  const found = evaluate(content, values, TODAY);
  const visible = found.visible.map(({ item, row }) => `${item}.${row}`).join(",");
  const problems = found.problems.map(({ item, row, kind }) => `${item}.${row}.${kind}`).join(",");
  return `${visible};${problems};${found.places};${found.answered};${found.items}\n`;
}

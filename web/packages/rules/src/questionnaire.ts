// The logic of questionnaires: which items are shown with which answers, and what is not right yet. The server has the same
// one, crates/documents/src/shared/logic; a test of each compares both on 10,000 random questionnaires.
import {
  QuestionConditionKind as Kind,
  QuestionOperator as Operator,
  QuestionItemType as Type,
} from "@pavise/schema/pavise/documents/v1/question_pb";
import { AnswerProblemKind as Problem } from "@pavise/schema/pavise/documents/v1/answer_pb";

/** A day of the calendar. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly earliest?: Day;
  readonly latest?: Day;
}

export interface Item {
  readonly id: string;
  readonly type: Type;
  readonly required: boolean;
  readonly requiredIf: string;
  readonly visibleIf: string;
  readonly stopIf: string;
  readonly repeatId: string;
  readonly sealed: boolean;
  readonly bounds?: Bounds;
}

export interface Page {
  readonly visibleIf: string;
  readonly items: readonly Item[];
}

export interface Condition {
  readonly id: string;
  readonly kind: Kind;
  readonly conditionIds: readonly string[];
  readonly itemId: string;
  readonly operator: Operator;
  readonly number?: number;
  readonly text: string;
  readonly boolean?: boolean;
  readonly date?: Day;
}

/** The parts of a questionnaire that its logic needs. */
export interface Content {
  readonly pages: readonly Page[];
  readonly conditions: readonly Condition[];
}

export interface Value {
  readonly itemId: string;
  readonly row: number;
  readonly text: string;
  readonly sealedText: string;
  readonly number?: number;
  readonly money?: { readonly amount: bigint };
  readonly date?: Day;
  readonly boolean?: boolean;
  readonly choices: readonly string[];
  readonly address?: unknown;
  readonly phone?: unknown;
  readonly person?: unknown;
  readonly fileIds: readonly string[];
}

/** A place for an answer: the position of an item, and the row within its group, or 0. */
export interface Place {
  readonly item: number;
  readonly row: number;
}

/** The places that a questionnaire shows with some values. */
export interface Evaluation {
  /** The places that are shown, in reading order: the rows of a group one after the other. */
  readonly visible: readonly Place[];
  /** The faults there, in reading order. */
  readonly problems: readonly (Place & { readonly kind: Problem })[];
  /** The places for answers that are shown. */
  readonly places: number;
  /** Those with an answer. */
  readonly answered: number;
  /** The items that are shown, whatever the number of their rows. */
  readonly items: number;
}

/** The most rows of a group. */
const MOST_ROWS = 50;

/** Evaluates a questionnaire with values on a day. */
export function evaluate(content: Content, values: readonly Value[], today: Day): Evaluation {
  return new Run(content, values, today).evaluate();
}

/** Whether a value answers its item. */
export function isAnswered(item: Item, value: Value): boolean {
  switch (item.type) {
    case Type.TEXT:
    case Type.LONG_TEXT:
      return (item.sealed ? value.sealedText : value.text).trim() !== "";
    case Type.EMAIL:
      return value.text.trim() !== "";
    case Type.NUMBER:
    case Type.REPEAT:
      return value.number !== undefined;
    case Type.MONEY:
      return value.money !== undefined;
    case Type.DATE:
      return value.date !== undefined;
    case Type.BOOLEAN:
      return value.boolean !== undefined;
    case Type.CHOICE:
    case Type.CHOICES:
      return value.choices.length > 0;
    case Type.ADDRESS:
      return value.address !== undefined;
    case Type.PHONE:
      return value.phone !== undefined;
    case Type.PERSON:
      return value.person !== undefined;
    case Type.FILE:
      return value.fileIds.length > 0;
    default:
      return false;
  }
}

/** The row in which a condition is asked: that of a group, or none. */
interface Row {
  readonly group: number | undefined;
  readonly row: number;
}

interface Indexed {
  readonly item: Item;
  readonly page: Page;
  readonly group: number | undefined;
}

class Run {
  readonly #items: readonly Indexed[];
  readonly #places = new Map<string, number>();
  readonly #conditions = new Map<string, Condition>();
  readonly #values = new Map<string, Value>();
  readonly #today: Day;
  /** Which places are shown, and which conditions hold in which row. What is being found counts as not so. */
  readonly #shown = new Map<string, boolean>();
  readonly #met = new Map<string, boolean>();

  constructor(content: Content, values: readonly Value[], today: Day) {
    this.#today = today;
    const items = content.pages.flatMap((page) => page.items.map((item) => ({ item, page })));
    items.forEach(({ item }, at) => {
      if (!this.#places.has(item.id)) this.#places.set(item.id, at);
    });
    this.#items = items.map(({ item, page }) => ({
      item,
      page,
      group: item.repeatId === "" ? undefined : this.#places.get(item.repeatId),
    }));
    for (const condition of content.conditions) {
      if (!this.#conditions.has(condition.id)) this.#conditions.set(condition.id, condition);
    }
    for (const value of values) {
      const item = this.#places.get(value.itemId);
      if (item === undefined) continue;
      const key = `${item}.${value.row}`;
      if (!this.#values.has(key)) this.#values.set(key, value);
    }
  }

  evaluate(): Evaluation {
    const visible: Place[] = [];
    const problems: (Place & { kind: Problem })[] = [];
    let [places, answered] = [0, 0];
    const add = (place: Place) => {
      const indexed = this.#items[place.item];
      if (indexed === undefined || !this.#isShown(place)) return;
      visible.push(place);
      const { item, group } = indexed;
      const row = { group, row: place.row };
      if (item.stopIf !== "" && this.#holds(item.stopIf, row)) problems.push({ ...place, kind: Problem.STOPPED });
      if (item.type === Type.INFO) return;
      places += 1;
      const value = this.#values.get(`${place.item}.${place.row}`);
      if (value !== undefined && isAnswered(item, value)) {
        answered += 1;
        const kind = boundsProblem(item, value);
        if (kind !== undefined) problems.push({ ...place, kind });
      } else if (item.required || (item.requiredIf !== "" && this.#holds(item.requiredIf, row))) {
        problems.push({ ...place, kind: Problem.MISSING });
      }
    };
    this.#items.forEach((indexed, item) => {
      if (indexed.group !== undefined) return;
      add({ item, row: 0 });
      const rows = this.#countRows(item);
      for (let row = 1; row <= rows; row += 1) {
        this.#items.forEach((inner, at) => {
          if (inner.group === item) add({ item: at, row });
        });
      }
    });
    return { visible, problems, places, answered, items: new Set(visible.map((place) => place.item)).size };
  }

  #isShown(place: Place): boolean {
    const key = `${place.item}.${place.row}`;
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    this.#shown.set(key, false);
    const shown = this.#findShown(place);
    this.#shown.set(key, shown);
    return shown;
  }

  #findShown(place: Place): boolean {
    const indexed = this.#items[place.item];
    if (indexed === undefined) return false;
    const { item, page, group } = indexed;
    if (page.visibleIf !== "" && !this.#holds(page.visibleIf, { group: undefined, row: 0 })) return false;
    if (group !== undefined && (place.row === 0 || place.row > this.#countRows(group))) return false;
    return item.visibleIf === "" || this.#holds(item.visibleIf, { group, row: place.row });
  }

  /** The rows of a group that are there; 0 for an item that is none. */
  #countRows(group: number): number {
    if (this.#items[group]?.item.type !== Type.REPEAT || !this.#isShown({ item: group, row: 0 })) return 0;
    const number = this.#values.get(`${group}.0`)?.number ?? 0;
    return Math.max(0, Math.min(MOST_ROWS, Math.floor(number)));
  }

  #holds(id: string, row: Row): boolean {
    const condition = this.#conditions.get(id);
    if (condition === undefined) return false;
    const key = `${id} ${row.group} ${row.row}`;
    const known = this.#met.get(key);
    if (known !== undefined) return known;
    this.#met.set(key, false);
    const holds = this.#findHolds(condition, row);
    this.#met.set(key, holds);
    return holds;
  }

  #findHolds(condition: Condition, row: Row): boolean {
    switch (condition.kind) {
      case Kind.ALL:
        return condition.conditionIds.every((id) => this.#holds(id, row));
      case Kind.ANY:
        return condition.conditionIds.some((id) => this.#holds(id, row));
      case Kind.NOT: {
        const [id] = condition.conditionIds;
        return id !== undefined && !this.#holds(id, row);
      }
      case Kind.COMPARE:
        return this.#answers(condition, row).some(([item, value]) => compares(condition, item, value));
      case Kind.ANSWERED:
        return this.#answers(condition, row).length > 0;
      case Kind.COUNT:
        return fits(condition.operator, this.#count(condition, row), condition.number);
      case Kind.AGE:
        return this.#answers(condition, row).some(
          ([, { date }]) =>
            date !== undefined && fits(condition.operator, yearsBetween(date, this.#today), condition.number),
        );
      default:
        return false;
    }
  }

  /** The answers of a condition's item that are shown: of one in a group those of the same row, elsewhere of every row. */
  #answers(condition: Condition, row: Row): (readonly [Item, Value])[] {
    const at = this.#places.get(condition.itemId);
    const indexed = at === undefined ? undefined : this.#items[at];
    if (at === undefined || indexed === undefined) return [];
    const { item, group } = indexed;
    let [first, last] = [0, 0];
    if (group !== undefined) [first, last] = row.group === group ? [row.row, row.row] : [1, this.#countRows(group)];
    const found: (readonly [Item, Value])[] = [];
    for (let one = first; one <= last; one += 1) {
      const value = this.#values.get(`${at}.${one}`);
      if (value !== undefined && isAnswered(item, value) && this.#isShown({ item: at, row: one })) {
        found.push([item, value]);
      }
    }
    return found;
  }

  #count(condition: Condition, row: Row): number {
    const at = this.#places.get(condition.itemId);
    if (at === undefined) return 0;
    const type = this.#items[at]?.item.type;
    if (type === Type.REPEAT) return this.#countRows(at);
    const answers = this.#answers(condition, row);
    return type === Type.CHOICES ? answers.reduce((sum, [, value]) => sum + value.choices.length, 0) : answers.length;
  }
}

/** The whole years between two days. */
export function yearsBetween(from: Day, until: Day): number {
  const beforeDay = until.month < from.month || (until.month === from.month && until.day < from.day);
  return until.year - from.year - (beforeDay ? 1 : 0);
}

/** A number that orders days. */
const orderOf = (day: Day) => day.year * 10_000 + day.month * 100 + day.day;

function compares(condition: Condition, item: Item, value: Value): boolean {
  const { operator, number, text } = condition;
  switch (item.type) {
    case Type.NUMBER:
    case Type.REPEAT:
      return value.number !== undefined && fits(operator, value.number, number);
    case Type.MONEY:
      return value.money !== undefined && fits(operator, Number(value.money.amount), number);
    case Type.BOOLEAN:
      if (value.boolean === undefined || condition.boolean === undefined) return false;
      return isEqual(operator, value.boolean === condition.boolean);
    case Type.DATE:
      if (value.date === undefined || condition.date === undefined) return false;
      return fits(operator, orderOf(value.date), orderOf(condition.date));
    case Type.CHOICE:
    case Type.CHOICES:
      return text !== "" && isEqual(operator, value.choices.includes(text));
    case Type.TEXT:
    case Type.LONG_TEXT:
    case Type.EMAIL:
      return !item.sealed && text !== "" && isEqual(operator, value.text.trim() === text);
    default:
      return false;
  }
}

/** EQUAL and NOT_EQUAL; no other operator holds for what has no order. */
function isEqual(operator: Operator, same: boolean): boolean {
  return (operator === Operator.EQUAL && same) || (operator === Operator.NOT_EQUAL && !same);
}

function fits(operator: Operator, number: number, wanted: number | undefined): boolean {
  if (wanted === undefined) return false;
  switch (operator) {
    case Operator.EQUAL:
      return number === wanted;
    case Operator.NOT_EQUAL:
      return number !== wanted;
    case Operator.LESS:
      return number < wanted;
    case Operator.AT_MOST:
      return number <= wanted;
    case Operator.MORE:
      return number > wanted;
    case Operator.AT_LEAST:
      return number >= wanted;
    default:
      return false;
  }
}

/** The number of an answer that its bounds limit, if it has one. */
function measure(item: Item, value: Value): number | undefined {
  switch (item.type) {
    case Type.TEXT:
    case Type.LONG_TEXT:
      return [...(item.sealed ? value.sealedText : value.text).trim()].length;
    case Type.EMAIL:
      return [...value.text.trim()].length;
    case Type.NUMBER:
    case Type.REPEAT:
      return value.number;
    case Type.MONEY:
      return value.money && Number(value.money.amount);
    case Type.CHOICES:
      return value.choices.length;
    case Type.FILE:
      return value.fileIds.length;
    default:
      return undefined;
  }
}

function boundsProblem(item: Item, value: Value): Problem | undefined {
  const { least, earliest, latest } = item.bounds ?? {};
  const measured = measure(item, value);
  if (measured !== undefined) {
    const most = item.bounds?.most ?? (item.type === Type.REPEAT ? MOST_ROWS : undefined);
    if (least !== undefined && measured < least) return Problem.TOO_LITTLE;
    return most !== undefined && measured > most ? Problem.TOO_MUCH : undefined;
  }
  if (item.type !== Type.DATE || value.date === undefined) return undefined;
  const day = orderOf(value.date);
  if (earliest !== undefined && day < orderOf(earliest)) return Problem.TOO_LITTLE;
  return latest !== undefined && day > orderOf(latest) ? Problem.TOO_MUCH : undefined;
}

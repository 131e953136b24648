// The list that the console is made from: each call, its audience, its statuses and its place.
import {
  getOption,
  hasOption,
  toJson,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type Registry,
} from "@bufbuild/protobuf";
import { enumSpelling, spellingWords, words } from "@pavise/descform/words.ts";
import {
  access as accessOption,
  aggregate as aggregateOption,
  call as callOption,
  facts as factsOption,
  method_ui as uiOption,
  scope_kind as kindOption,
  service as serviceOption,
  Answers,
  Impersonation,
  Realm,
  ScopeKind,
  ScopeKindSchema,
  type Access,
  type Aggregate,
  type Call,
  type Change,
  type Display,
  type Parent,
  type ScopeAccess,
  type Total,
  type Transition,
} from "@pavise/schema/pavise/contract/v1/options_pb";

/** The kind of an operation; each kind has its screen. */
export type Kind =
  | "create"
  | "get"
  | "list"
  | "batch"
  | "change"
  | "delete"
  | "journal"
  | "maxClock"
  | "watch"
  | "health"
  | "titles"
  | "custom";

/** A REST path of an operation. */
export interface RestPath {
  readonly method: string;
  readonly path: string;
}

/** A stored, journalled type. */
export interface Entity {
  readonly desc: DescMessage;
  readonly name: string;
  readonly title: string;
  readonly domain: string;
  /** The service, as the specification names it, whose journal holds the entity's changes. */
  readonly service: string;
  readonly statuses: readonly string[];
  readonly initial: string;
  readonly terminal: ReadonlySet<string>;
  readonly statusField: DescField | undefined;
  /** Lookup fields. */
  readonly lookups: readonly string[];
  /** How its records are shown; undefined for an entity that no call answers. */
  readonly display: Display | undefined;
  /** For a child: its parent by name, the field with the parent's id, and the order on the parent's page. */
  readonly parent: Pick<Parent, "aggregate" | "field" | "order"> | undefined;
}

/** A call of the contract. */
export interface Operation {
  /** `pavise.orders.v1.OrderService/PurchaseOrder`. */
  readonly id: string;
  readonly domain: string;
  /** The service as the specification names it: `payment_methods`. */
  readonly service: string;
  readonly method: DescMethod;
  readonly kind: Kind;
  /** For reads: whether the answer is one record or a list of them. */
  readonly answers: "one" | "many" | undefined;
  readonly title: string;
  readonly public: boolean;
  readonly realms: readonly Realm[];
  readonly permission: string;
  readonly ownerField: string;
  /** The owner needs no permission. */
  readonly ownerAdmitted: boolean;
  readonly groupField: string;
  /** The scopes that the request names, and the roles that are admitted. */
  readonly scopes: readonly Pick<ScopeAccess, "kind" | "field" | "roles">[];
  /** Whether each path of the call has that request field. */
  readonly inPath: (field: string) => boolean;
  readonly impersonation: Impersonation;
  readonly rest: readonly RestPath[];
  readonly reads: boolean;
  readonly action: string;
  /** The entity that the call is about, if any. */
  readonly entity: Entity | undefined;
  /** The request field that names the entity. */
  readonly idField: DescField | undefined;
  /** Statuses that the call is allowed from; an empty list means every status that is not terminal. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The statuses that the call leads to from a status. */
  readonly leads: (status: string) => readonly string[];
  /** The request field with the status afterwards; empty for other calls. */
  readonly toField: string;
  /** Request fields that do not start from the record's values: items to be added or removed, the status afterwards. */
  readonly fresh: ReadonlySet<string>;
  /** Whether the console asks for confirmation first. */
  readonly danger: boolean;
  /** Whether it proves something with its request. Then it has no dry run. */
  readonly proves: boolean;
  /** Consequences that the review lists besides the changed fields. */
  readonly consequences: readonly string[];
  /** Whether it answers a stream. */
  readonly streams: boolean;
  /** For a list that counts its records: the request's field that asks for the count, and the answer's fields. */
  readonly total: Count | undefined;
  /** For a search: the request field that holds the searched prefix; empty for other calls. */
  readonly searches: string;
  /** For a list: the request field that selects its order; empty for other calls. */
  readonly orderField: string;
}

/** The fields of a count, by name. */
export interface Count {
  readonly show: string;
  readonly size: string;
  /** There are more than the count. */
  readonly capped: string;
}

/** A service with its operations. */
export interface ServiceGroup {
  readonly domain: string;
  readonly name: string;
  readonly title: string;
  readonly operations: readonly Operation[];
}

/** The whole contract. */
export interface Contract {
  readonly registry: Registry;
  readonly operations: readonly Operation[];
  readonly services: readonly ServiceGroup[];
  readonly entities: readonly Entity[];
}

/** Reads the contract from its descriptors, which are in the expanded form, so that no name has to be guessed. */
export function readContract(registry: Registry): Contract {
  const described = [...registry].filter(
    (type) => type.kind === "service" && hasOption(type, serviceOption),
  ) as DescService[];
  const entities = (
    [...registry].filter((type) => type.kind === "message" && hasOption(type, aggregateOption)) as DescMessage[]
  ).map((desc) => entityOf(desc, getOption(desc, aggregateOption)));
  const byType = new Map(entities.map((entity) => [entity.desc.typeName, entity]));
  const operations = described.flatMap((service) =>
    service.methods
      .filter((method) => hasOption(method, callOption))
      .map((method) => operationOf(service, method, byType, registry)),
  );
  const names = [...new Set(operations.map(({ service }) => service))];
  const services = names.map((name) => {
    const own = operations.filter(({ service }) => service === name);
    return { domain: own[0]?.domain ?? "", name, title: words(name), operations: own };
  });
  return { registry, operations, services, entities };
}

/** The domain of a type: `pavise.orders.v1.Order` is of `orders`. */
export function domainOf(typeName: string): string {
  return typeName.split(".")[1] ?? "";
}

function entityOf(desc: DescMessage, aggregate: Aggregate): Entity {
  const statusField = desc.fields.find(({ name }) => name === "status");
  const values = statusField?.enum?.values.filter(({ number }) => number !== 0) ?? [];
  return {
    desc,
    name: desc.name,
    title: words(desc.name),
    domain: domainOf(desc.typeName),
    service: aggregate.journal,
    statuses: values.map(({ number }) =>
      statusField?.enum === undefined ? "" : enumSpelling(statusField.enum, number),
    ),
    initial: aggregate.initial,
    terminal: new Set(aggregate.terminal),
    statusField: statusField?.enum === undefined ? undefined : statusField,
    lookups: aggregate.lookups.map(({ field }) => field),
    display: aggregate.display,
    parent: aggregate.parent,
  };
}

/** A status of an entity in words, by its spelling. */
export function statusWords(entity: Entity | undefined, status: string): string {
  return spellingWords(entity?.statusField?.enum, status);
}

function operationOf(
  service: DescService,
  method: DescMethod,
  entities: ReadonlyMap<string, Entity>,
  registry: Registry,
): Operation {
  const { behavior, proves } = getOption(method, callOption);
  const facts = getOption(method, factsOption);
  const rule = getOption(method, accessOption);
  const ui = getOption(method, uiOption);
  const { action, from, to, danger } = effects(behavior);
  const pairs = behavior.case === "change" || behavior.case === "custom" ? pairsOf(behavior.value.steps) : [];
  const rest = restOf(method, registry);
  return {
    id: `${service.typeName}/${method.name}`,
    domain: domainOf(service.typeName),
    service: getOption(service, serviceOption).name,
    method,
    kind: behavior.case ?? "custom",
    answers: ANSWERS[facts.answers],
    title: ui.title === "" ? words(method.name) : ui.title,
    ...ruleOf(rule),
    rest,
    inPath: (field) => field !== "" && rest.length > 0 && rest.every(({ path }) => path.includes(`{${field}}`)),
    reads: facts.reads,
    action,
    entity: entities.get(facts.entity),
    idField: method.input.fields.find(({ name }) => name === facts.id),
    from,
    to,
    leads: (status) =>
      pairs.length === 0 ? to : pairs.filter(([before]) => before === status).map(([, after]) => after),
    toField: behavior.case === "change" ? behavior.value.toField : "",
    fresh: behavior.case === "change" ? freshOf(behavior.value) : new Set(),
    danger: danger || behavior.case === "delete",
    proves,
    consequences: ui.consequences,
    streams: method.methodKind === "server_streaming",
    total: behavior.case === "list" ? countOf(behavior.value.total) : undefined,
    searches: behavior.case === "list" ? (behavior.value.search?.text ?? "") : "",
    orderField: behavior.case === "list" ? (behavior.value.range?.order ?? "") : "",
  };
}

/** The roles that a call admits in scopes of a kind: those that it names, or the administrator's. */
export function rolesIn({ scopes }: Pick<Operation, "scopes">, kind: ScopeKind): readonly string[] {
  const said = scopes.find((scope) => scope.kind === kind)?.roles ?? [];
  const value = ScopeKindSchema.values.find(({ number }) => number === (kind as number));
  const rule = value === undefined ? undefined : getOption(value, kindOption);
  return said.length > 0 || rule?.within !== ScopeKind.UNSPECIFIED ? said : rule.roles.slice(0, 1);
}

function countOf(total: Total | undefined): Count | undefined {
  if (total === undefined) return undefined;
  const { show, size, capped } = total;
  return { show: show || "show_total", size: size || "total_size", capped: capped || "total_is_capped" };
}

const ANSWERS = { [Answers.UNSPECIFIED]: undefined, [Answers.ONE]: "one", [Answers.MANY]: "many" } as const;

function ruleOf(rule: Access) {
  return {
    public: rule.public,
    realms: rule.realms,
    permission: rule.permission,
    ownerField: rule.owner,
    ownerAdmitted: rule.ownerAdmitted,
    groupField: rule.scopes.find(({ kind }) => kind === ScopeKind.GROUP)?.field ?? "",
    scopes: rule.scopes,
    impersonation: rule.impersonation,
  };
}

function effects(behavior: Call["behavior"]): Pick<Operation, "action" | "from" | "to" | "danger"> {
  const none = { action: "", from: [], to: [], danger: false };
  switch (behavior.case) {
    case "change":
      return {
        ...behavior.value,
        to: behavior.value.to === "" ? ownTargets(behavior.value.steps) : [behavior.value.to],
      };
    case "custom":
      return behavior.value;
    case "create":
      return { ...none, action: behavior.value.action };
    case "delete":
      return { ...none, action: behavior.value.action, from: behavior.value.from };
    default:
      return none;
  }
}

/** The request fields of a change that do not start from the record's values. */
function freshOf({ toField, addItems, removeItems }: Change): ReadonlySet<string> {
  const fields = [...addItems, ...removeItems].map(({ list, from }) =>
    from === "" ? (list.split(".").at(-1) ?? "") : from,
  );
  return new Set([toField, ...fields].filter((field) => field !== ""));
}

/** The pairs of statuses, before and afterwards, that steps of the call's own entity name. */
function pairsOf(steps: readonly Transition[]): (readonly [string, string])[] {
  const own = steps.filter(({ aggregate }) => aggregate === "");
  const pairs = own.flatMap(({ from, to }) => from.flatMap((before) => to.map((after) => [before, after] as const)));
  return pairs.filter(([before, after]) => before !== after);
}

/** The statuses that steps of the call's own entity lead to. */
function ownTargets(steps: readonly Transition[]): string[] {
  return [...new Set(steps.filter(({ aggregate }) => aggregate === "").flatMap(({ to }) => to))];
}

const VERBS = ["get", "put", "post", "delete", "patch"] as const;

function restOf(method: DescMethod, registry: Registry): RestPath[] {
  const extension = registry.getExtension("google.api.http");
  if (extension?.message === undefined || !hasOption(method, extension)) return [];
  type Rule = Partial<Record<(typeof VERBS)[number], string>> & { additionalBindings?: Rule[] };
  const rule = toJson(
    extension.message,
    getOption(method, extension as DescExtension & { message: DescMessage }) as never,
    { registry },
  ) as unknown as Rule;
  return [rule, ...(rule.additionalBindings ?? [])].flatMap((one) =>
    VERBS.flatMap((verb) => (one[verb] === undefined ? [] : [{ method: verb.toUpperCase(), path: one[verb] }])),
  );
}

/** The name of a realm as documented. */
export function realmName(realm: Realm): string {
  return {
    [Realm.USER]: "User",
    [Realm.MACHINE]: "Machine",
    [Realm.INTERNAL]: "Internal",
    [Realm.PARTNER]: "Partner",
    [Realm.GROUP_ADMIN]: "GroupAdmin",
    [Realm.UNSPECIFIED]: "",
  }[realm];
}

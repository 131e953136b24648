// The list that the console is made from: each call, its audience, its statuses and its place.
import {
  createFileRegistry,
  getExtension,
  getOption,
  hasExtension,
  toJson,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  type Registry,
} from "@bufbuild/protobuf";
import {
  file_google_protobuf_descriptor,
  type DescriptorProto,
  type FileDescriptorProto,
  type FileDescriptorSet,
  type MethodDescriptorProto,
  type MethodOptions,
} from "@bufbuild/protobuf/wkt";
import { enumSpelling, spellingWords, words } from "@pavise/descform/words.ts";
import {
  access as accessOption,
  aggregate as aggregateOption,
  bytes as bytesOption,
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
  type Bytes,
  type Call,
  type Change,
  type Display,
  type Parent,
  type ScopeAccess,
  type Total,
  type Transition,
} from "@pavise/schema/pavise/contract/v1/options_pb";
import type { Types } from "./types.ts";

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
  | "exportPerson"
  | "orderWorker"
  | "readWorkers"
  | "redactPerson"
  | "custom";

/** A REST path of an operation. */
export interface RestPath {
  readonly method: string;
  readonly path: string;
}

/** A stored, journalled type. Its descriptor and what comes from it are there once its domain is loaded. */
export interface Entity {
  readonly desc: DescMessage;
  readonly typeName: string;
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

/** A call of the contract. Its descriptor and what comes from it are there once its domain is loaded. */
export interface Operation {
  /** `pavise.orders.v1.OrderService/PurchaseOrder`. */
  readonly id: string;
  /** `PurchaseOrder`. */
  readonly name: string;
  /** `OrderService`. */
  readonly group: string;
  readonly domain: string;
  /** The service as the specification names it: `payment_methods`. */
  readonly service: string;
  readonly method: DescMethod;
  readonly kind: Kind;
  /** For reads: whether the answer is one record or a list of them. */
  readonly answers: "one" | "many" | undefined;
  /** The request field with the reason, for a call that answers masked values in full; empty for others. */
  readonly reveals: string;
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
  /** Whether the request names the entity. */
  readonly named: boolean;
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
  /** Whether it adds to a list of the record, as its name says: its own lists hold what is new, and begin empty. */
  readonly adds: boolean;
  /** Whether the console asks for confirmation first. */
  readonly danger: boolean;
  /** Whether it proves something with its request. Then it has no dry run. */
  readonly proves: boolean;
  /** Consequences that the review lists besides the changed fields. */
  readonly consequences: readonly string[];
  /** Whether it answers a stream. */
  readonly streams: boolean;
  /** The file that it takes; undefined for a call that takes none. */
  readonly upload: UploadRule | undefined;
  /** Whether it answers a file. */
  readonly downloads: boolean;
  /** For a list that counts its records: the request's field that asks for the count, and the answer's fields. */
  readonly total: Count | undefined;
  /** For a search: the request field that holds the searched prefix; empty for other calls. */
  readonly searches: string;
  /** For a list: the request field that selects its order; empty for other calls. */
  readonly orderField: string;
  /** For a call that answers many records: the names of its request's fields. */
  readonly filters: ReadonlySet<string>;
}

/** The rule of a file that a call takes. */
export interface UploadRule {
  /** The most bytes. */
  readonly most: number;
  /** The content types: `text/csv`, `image/*`. Any if there are none. */
  readonly types: readonly string[];
  /** The request field with the file's name, as in JSON; empty if the call does not ask for it. */
  readonly fileName: string;
  /** The request fields that only the file itself sets, as in JSON. */
  readonly own: readonly string[];
  /** The request fields that no form shows. */
  readonly fields: readonly string[];
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
  /** The types of the loaded domains. */
  readonly registry: Registry;
  readonly operations: readonly Operation[];
  readonly services: readonly ServiceGroup[];
  readonly entities: readonly Entity[];
  /** Whether the types of all these domains are loaded. */
  readonly has: (domains: readonly string[]) => boolean;
  /** Loads the types of domains. Pages that show one do it first, and whoever makes a call of one. */
  readonly load: (...domains: readonly string[]) => Promise<void>;
  /** Forgets what has not arrived of these domains: the next `load` asks again. */
  readonly again: (...domains: readonly string[]) => void;
}

/**
 * Reads the contract from its index, or from whole descriptors. They are in the expanded form, so that no name has to be
 * guessed.
 */
export function readContract({ file: files }: FileDescriptorSet, types: Types): Contract {
  const entities = files.flatMap(({ package: domain, messageType }) =>
    messageType.flatMap((message) => entityOf(`${domain}.${message.name}`, message, types) ?? []),
  );
  const byType = new Map(entities.map((entity) => [entity.typeName, entity]));
  const reading: Reading = { types, byType, http: httpOf(files), requests: requestsOf(files) };
  const operations = files.flatMap(({ package: domain, service: described }) =>
    described.flatMap(({ name, method, options }) => {
      if (options === undefined || !hasExtension(options, serviceOption)) return [];
      const service = { typeName: `${domain}.${name}`, group: name, name: getExtension(options, serviceOption).name };
      return method.flatMap((one) => operationOf(service, one, reading) ?? []);
    }),
  );
  const names = [...new Set(operations.map(({ service }) => service))];
  const services = names.map((name) => {
    const own = operations.filter(({ service }) => service === name);
    return { domain: own[0]?.domain ?? "", name, title: words(name), operations: own };
  });
  return {
    registry: types.registry,
    operations,
    services,
    entities,
    has: (domains) => domains.every((domain) => types.has(domain)),
    load: (...domains) => types.load(...domains),
    again: (...domains) => types.again(...domains),
  };
}

/** The means by which operations are read. */
interface Reading {
  readonly types: Types;
  readonly byType: ReadonlyMap<string, Entity>;
  readonly http: Http | undefined;
  /** The names of the fields of messages that are there, by type. */
  readonly requests: ReadonlyMap<string, ReadonlySet<string>>;
}

function requestsOf(files: readonly FileDescriptorProto[]): Map<string, ReadonlySet<string>> {
  return new Map(
    files.flatMap(({ package: domain, messageType }) =>
      messageType.map(({ name, field }) => [`.${domain}.${name}`, new Set(field.map((one) => one.name))] as const),
    ),
  );
}

/** The domain of a type: `pavise.orders.v1.Order` is of `orders`. */
export function domainOf(typeName: string): string {
  return typeName.split(".")[1] ?? "";
}

function entityOf(typeName: string, message: DescriptorProto, types: Types): Entity | undefined {
  if (message.options === undefined || !hasExtension(message.options, aggregateOption)) return undefined;
  const aggregate = getExtension(message.options, aggregateOption);
  return {
    get desc() {
      const desc = types.registry.getMessage(typeName);
      if (desc === undefined) throw notLoaded(typeName);
      return desc;
    },
    get statusField() {
      const field = this.desc.fields.find(({ name }) => name === "status");
      return field?.enum === undefined ? undefined : field;
    },
    get statuses() {
      const status = this.statusField?.enum;
      const values = status?.values.filter(({ number }) => number !== 0) ?? [];
      return values.map(({ number }) => (status === undefined ? "" : enumSpelling(status, number)));
    },
    typeName,
    name: message.name,
    title: words(message.name),
    domain: domainOf(typeName),
    service: aggregate.journal,
    initial: aggregate.initial,
    terminal: new Set(aggregate.terminal),
    lookups: aggregate.lookups.map(({ field }) => field),
    display: aggregate.display,
    parent: aggregate.parent,
  };
}

/** A page that uses a type waits for its domain first: this is a fault of the page. */
function notLoaded(name: string): Error {
  return new Error(`the descriptors of ${name} are not loaded`);
}

/** A status of an entity in words, by its spelling. */
export function statusWords(entity: Entity | undefined, status: string): string {
  return spellingWords(entity?.statusField?.enum, status);
}

function operationOf(
  service: { readonly typeName: string; readonly group: string; readonly name: string },
  { name, options, inputType, serverStreaming }: MethodDescriptorProto,
  { types, byType, http, requests }: Reading,
): Operation | undefined {
  if (options === undefined || !hasExtension(options, callOption)) return undefined;
  const { behavior, proves } = getExtension(options, callOption);
  const facts = getExtension(options, factsOption);
  const ui = getExtension(options, uiOption);
  const bytes = hasExtension(options, bytesOption) ? getExtension(options, bytesOption) : undefined;
  const { action, from, to, danger } = effects(behavior);
  const pairs = behavior.case === "change" || behavior.case === "custom" ? pairsOf(behavior.value.steps) : [];
  const rest = restOf(options, http);
  const id = `${service.typeName}/${name}`;
  // A record shows masked values until the user gives a reason.
  const reveals = behavior.case === "get" ? behavior.value.reveal : "";
  const answers = reveals !== "" ? undefined : ANSWERS[facts.answers];
  return {
    get method() {
      const method = types.registry.getService(service.typeName)?.methods.find((one) => one.name === name);
      if (method === undefined) throw notLoaded(id);
      return method;
    },
    get idField() {
      return this.method.input.fields.find((field) => field.name === facts.id);
    },
    get upload() {
      return uploadOf(this.method, bytes);
    },
    id,
    name,
    group: service.group,
    domain: domainOf(service.typeName),
    service: service.name,
    kind: behavior.case ?? "custom",
    answers,
    reveals,
    title: ui.title === "" ? words(name) : ui.title,
    ...ruleOf(getExtension(options, accessOption)),
    rest,
    inPath: (field) => field !== "" && rest.length > 0 && rest.every(({ path }) => path.includes(`{${field}}`)),
    reads: facts.reads,
    action,
    entity: byType.get(facts.entity),
    named: facts.id !== "",
    from,
    to,
    leads: (status) =>
      pairs.length === 0 ? to : pairs.filter(([before]) => before === status).map(([, after]) => after),
    toField: behavior.case === "change" ? behavior.value.toField : "",
    fresh: behavior.case === "change" ? freshOf(behavior.value) : new Set(),
    adds: /^Add[A-Z]/.test(name),
    danger: danger || behavior.case === "delete",
    proves,
    consequences: ui.consequences,
    streams: serverStreaming,
    downloads: bytes?.download !== undefined,
    total: behavior.case === "list" ? countOf(behavior.value.total) : undefined,
    searches: behavior.case === "list" ? (behavior.value.search?.text ?? "") : "",
    orderField: behavior.case === "list" ? (behavior.value.range?.order ?? "") : "",
    filters: (answers === "many" ? requests.get(inputType) : undefined) ?? new Set(),
  };
}

/** The roles that a call admits in scopes of a kind: those that it names, or the administrator's. */
export function rolesIn({ scopes }: Pick<Operation, "scopes">, kind: ScopeKind): readonly string[] {
  const said = scopes.find((scope) => scope.kind === kind)?.roles ?? [];
  const value = ScopeKindSchema.values.find(({ number }) => number === (kind as number));
  const rule = value === undefined ? undefined : getOption(value, kindOption);
  return said.length > 0 || rule?.within !== ScopeKind.UNSPECIFIED ? said : rule.roles.slice(0, 1);
}

function uploadOf({ input }: DescMethod, bytes: Bytes | undefined): UploadRule | undefined {
  const upload = bytes?.upload;
  if (upload === undefined) return undefined;
  const json = (name: string) => input.fields.find((field) => field.name === name)?.jsonName ?? "";
  return {
    most: Number(upload.maxBytes),
    types: upload.types,
    fileName: json(upload.fileName),
    own: [upload.chunk, upload.contentType].map(json).filter((name) => name !== ""),
    fields: [upload.chunk, upload.contentType, upload.fileName].filter((name) => name !== ""),
  };
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

/** The option with the REST paths, and the types in it. */
interface Http {
  readonly option: DescExtension & { message: DescMessage };
  readonly registry: Registry;
}

const HTTP = "google/api/annotations.proto";

/** The option with the REST paths is no part of the stubs: the index brings it. */
function httpOf(files: readonly FileDescriptorProto[]): Http | undefined {
  const file = files.find(({ name }) => name === HTTP);
  if (file === undefined) return undefined;
  const registry = createFileRegistry(file, (name) =>
    name === file_google_protobuf_descriptor.proto.name
      ? file_google_protobuf_descriptor
      : files.find((one) => one.name === name),
  );
  const option = registry.getExtension("google.api.http");
  return option?.message === undefined ? undefined : { option: option as Http["option"], registry };
}

function restOf(options: MethodOptions, http: Http | undefined): RestPath[] {
  if (http === undefined || !hasExtension(options, http.option)) return [];
  type Rule = Partial<Record<(typeof VERBS)[number], string>> & { additionalBindings?: Rule[] };
  const { option, registry } = http;
  const rule = toJson(option.message, getExtension(options, option) as never, { registry }) as unknown as Rule;
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

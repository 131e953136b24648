// The contract's stubs as a page loads them: their descriptors without the calls that the app does not name, and without the
// options that it does not read.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromBinary, isFieldSet, toBinary, type Message } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import {
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  type DescriptorProto,
  type FieldDescriptorProto,
  type FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import type { Plugin } from "vite";

const FILES = /\/gen\/pavise\/.*_pb\.ts$/;

/** A file of stubs with another descriptor. */
function withDescriptor(code: string, edit: (text: string) => string) {
  return { code: code.replace(/fileDesc\("([^"]*)"/, (_all, text: string) => `fileDesc("${edit(text)}"`), map: null };
}

/** The option of a call that every app reads: its behaviour. */
const CALL = 50_002;

/** Options that an app reads besides: those of fields, of the values of enumerations, or of the contract's vocabulary. */
export type ReadOption = "field" | "value" | "vocabulary";

/**
 * Drops the options of the contract from the stubs, such as access rules and the words of the console: they would be a part of
 * every first load.
 */
export function withoutOptions(read: readonly ReadOption[]): Plugin {
  return {
    name: "without-options",
    transform: {
      filter: { id: FILES },
      handler: (code) => withDescriptor(code, (text) => lean(text, new Set(read))),
    },
  };
}

/**
 * Drops the calls whose names no source of the app has, with the messages that only they have: a page that makes one call of a
 * service would load all of them. Messages keep their places, because stubs refer to these.
 */
export function withoutCalls(app: string): Plugin {
  const named = new Set<string>();
  return {
    name: "without-calls",
    apply: "build",
    buildStart() {
      for (const folder of [`apps/${app}/src`, "packages"]) namesIn(folder, named);
    },
    transform: { filter: { id: FILES }, handler: (code) => withDescriptor(code, (text) => fewer(text, named)) },
  };
}

/** Adds every name in the sources of a folder. */
function namesIn(folder: string, names: Set<string>): void {
  const top = fileURLToPath(new URL(folder, import.meta.url));
  for (const file of readdirSync(top, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file) || /\.test\.|(^|\/)(gen|node_modules)\//.test(file)) continue;
    for (const [name] of readFileSync(join(top, file), "utf8").matchAll(/\w+/g)) names.add(name);
  }
}

function fewer(text: string, named: ReadonlySet<string>): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(text));
  if (file.service.length === 0) return text;
  for (const service of file.service)
    service.method = service.method.filter(
      ({ name }) => named.has(name) || named.has(name[0]?.toLowerCase() + name.slice(1)),
    );
  const prefix = `.${file.package}.`;
  const types = file.service.flatMap(({ method }) =>
    method.flatMap(({ inputType, outputType }) => [inputType, outputType]),
  );
  const others = file.messageType.filter(({ name }) => !/(Request|Response)$/.test(name) || named.has(`${name}Schema`));
  clearOthers(file.messageType, prefix, new Set([...types, ...others.map(({ name }) => prefix + name)]));
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}

/** The same file descriptor without options, but for the behaviour of calls and those that are read. */
function lean(text: string, read: ReadonlySet<ReadOption>): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(text));
  const kept = file.extension.find(({ number }) => number === CALL)?.typeName;
  // The vocabulary declares the options. Its own are read with it.
  if (kept !== undefined && read.has("vocabulary")) return vocabulary(file);
  if (kept !== undefined) behaviorOnly(file, kept);
  for (const message of file.messageType) dropIn(message, read);
  for (const { options, value } of file.enumType) {
    drop(options);
    if (!read.has("value")) for (const one of value) drop(one.options);
  }
  for (const { options, method } of file.service) {
    drop(options);
    for (const one of method) drop(one.options, CALL);
  }
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}

/** The fields of options that no client reads: limits, indexes and consequences that only the server applies. */
const SERVERS: Readonly<Record<string, readonly string[]>> = {
  Service: ["permissions", "access"],
  Call: ["rate_limit", "proves_nothing", "sends", "tells", "event"],
  Field: ["sealed", "erasure"],
  Aggregate: [
    "unreached",
    "visible",
    "on_merge",
    "sets",
    "reasons",
    "number",
    "scopes",
    "tree",
    "unowned",
    "unconfined",
  ],
  Lookup: ["unique", "fold", "prefix", "sortable", "indexed_with", "due", "within", "unique_across"],
  List: ["unindexed"],
};

/** The file that declares the options, without what only the server reads. */
function vocabulary(file: FileDescriptorProto): string {
  for (const message of file.messageType)
    message.field = message.field.filter(({ name }) => SERVERS[message.name]?.includes(name) !== true);
  const read = file.extension.filter(({ name }) => name !== "reason" && name !== "erasure");
  clearOthers(file.messageType, `.${file.package}.`, new Set(read.map(({ typeName }) => typeName)));
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}

/** Keeps of the options of a call the kind of its behaviour, and whether a custom one only reads. */
function behaviorOnly(file: FileDescriptorProto, call: string): void {
  for (const message of file.messageType) {
    const isCall = `.${file.package}.${message.name}` === call;
    message.field = message.field.filter((field) =>
      isCall
        ? isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex)
        : message.name === "Custom" && field.name === "reads",
    );
    if (isCall) continue;
    message.oneofDecl = [];
    message.nestedType = [];
  }
}

/** Empties the messages that the reached ones do not lead to. Their names stay: extensions and stubs refer to them. */
function clearOthers(messages: readonly DescriptorProto[], prefix: string, reached: Set<string>): void {
  // A set grows while it is walked.
  for (const name of reached) {
    const message = messages.find((one) => prefix + one.name === name);
    for (const { typeName } of message === undefined ? [] : fieldsOf(message)) reached.add(typeName);
  }
  for (const one of messages.filter(({ name }) => !reached.has(prefix + name))) {
    one.field = [];
    one.oneofDecl = [];
    one.nestedType = [];
  }
}

/** The fields of a message and of the messages in it. */
function fieldsOf({ field, nestedType }: DescriptorProto): FieldDescriptorProto[] {
  return [...field, ...nestedType.flatMap(fieldsOf)];
}

function dropIn({ options, field, nestedType, enumType }: DescriptorProto, read: ReadonlySet<ReadOption>): void {
  drop(options);
  if (!read.has("field")) for (const one of field) drop(one.options);
  if (!read.has("value")) for (const one of enumType.flatMap(({ value }) => value)) drop(one.options);
  for (const one of nestedType) dropIn(one, read);
}

/** Drops extensions: here they are unknown fields. */
function drop(options: Message | undefined, keep = 0): void {
  if (options?.$unknown !== undefined) options.$unknown = options.$unknown.filter(({ no }) => no === keep);
}

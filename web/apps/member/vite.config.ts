import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema, type DescriptorProto } from "@bufbuild/protobuf/wkt";
import { defineConfig, type Plugin } from "vite";
import { app } from "../../vite.shared.ts";

/** The only option of the contract that the app reads: the behaviour of a call. */
const CALL = 50_002;

/**
 * Drops the contract's other options from the stubs, such as the words of the console and the rules of fields: they would be
 * a part of every first load.
 */
function withoutOptions(): Plugin {
  return {
    name: "without-options",
    transform: {
      filter: { id: /\/gen\/pavise\/.*_pb\.ts$/ },
      handler: (code) => ({
        code: code.replace(/fileDesc\("([^"]*)"/, (_all, text: string) => `fileDesc("${lean(text)}"`),
        map: null,
      }),
    },
  };
}

/** The same file descriptor without options, but for the behaviour of calls. */
function lean(text: string): string {
  const file = fromBinary(FileDescriptorProtoSchema, base64Decode(text));
  const kept = file.extension.find(({ number }) => number === CALL)?.typeName;
  if (kept !== undefined) empty(file.messageType, `.${file.package}.`, kept);
  for (const message of file.messageType) dropIn(message);
  for (const { options, value } of file.enumType) {
    drop(options);
    for (const one of value) drop(one.options);
  }
  for (const { options, method } of file.service) {
    drop(options);
    for (const one of method) drop(one.options, CALL);
  }
  return base64Encode(toBinary(FileDescriptorProtoSchema, file), "std_raw");
}

/** Empties the messages of the options that nobody reads. Their names stay: extensions refer to them. */
function empty(messages: readonly DescriptorProto[], prefix: string, kept: string): void {
  const reached = new Set([kept]);
  // A set grows while it is walked.
  for (const name of reached)
    for (const { typeName } of messages.find((one) => prefix + one.name === name)?.field ?? []) reached.add(typeName);
  for (const one of messages.filter(({ name }) => !reached.has(prefix + name))) {
    one.field = [];
    one.oneofDecl = [];
  }
}

function dropIn({ options, field, nestedType }: DescriptorProto): void {
  drop(options);
  for (const one of field) drop(one.options);
  for (const one of nestedType) dropIn(one);
}

/** Drops extensions: here they are unknown fields. */
function drop(options: Message | undefined, keep = 0): void {
  if (options?.$unknown !== undefined) options.$unknown = options.$unknown.filter(({ no }) => no === keep);
}

/**
 * Drops the validation rules: the server checks them, and here they would be a tenth of the first load. The stubs need only
 * the file's name, so an empty buf/validate/validate.proto replaces it, and its options stay unread.
 */
function withoutValidation(): Plugin {
  return {
    name: "without-validation",
    load(id) {
      if (!id.endsWith("/gen/buf/validate/validate_pb.ts")) return null;
      return `import { fileDesc } from "@bufbuild/protobuf/codegenv2";
export const file_buf_validate_validate = /* @__PURE__ */ fileDesc("ChtidWYvdmFsaWRhdGUvdmFsaWRhdGUucHJvdG8SDGJ1Zi52YWxpZGF0ZQ");`;
    },
  };
}

/** Drops the JSON format of messages: the app's calls are binary and never use it. */
function withoutJson(): Plugin {
  return {
    name: "without-json",
    apply: "build",
    load(id) {
      const [, names] = JSON_MODULES.find(([file]) => id.endsWith(`/@bufbuild/protobuf/dist/esm/${file}`)) ?? [];
      return (
        names
          ?.map((name) => `export function ${name}() { throw new Error("${name} is not part of this app"); }`)
          .join("\n") ?? null
      );
    },
  };
}

const JSON_MODULES: readonly (readonly [string, readonly string[]])[] = [
  [
    "from-json.js",
    ["fromJson", "fromJsonString", "mergeFromJson", "mergeFromJsonString", "enumFromJson", "isEnumJson"],
  ],
  ["to-json.js", ["toJson", "toJsonString", "enumToJson"]],
];

export default defineConfig(app("app", [withoutOptions(), withoutValidation(), withoutJson()]));

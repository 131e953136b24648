import { defineConfig, type Plugin } from "vite";
import { app } from "../../vite.shared.ts";
import { withoutCalls, withoutOptions } from "../../vite.stubs.ts";

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

/** The stubs that the shop needs in any case, in one file: apart each of them weighs more. */
const TYPES = /[\\/]gen[\\/]pavise[\\/](contract[\\/]v1[\\/]options|common[\\/]v1[\\/](place|billing_period|plan))_pb/;

const config = app("app", [withoutCalls("member"), withoutOptions([]), withoutValidation(), withoutJson()]);

export default defineConfig({
  ...config,
  build: {
    ...config.build,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "types", test: TYPES }] } } },
  },
});

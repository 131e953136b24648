import { defineConfig, type Plugin } from "vite";
import { app } from "../../vite.shared.ts";

/**
 * The rules of validation are the server's; here they would be a tenth of the first load. The stubs only need the file's
 * name: an empty buf/validate/validate.proto takes its place, and the options in it stay unread.
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

export default defineConfig(app("app", [withoutValidation()]));

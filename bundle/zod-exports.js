// The exports of zod/v4/classic/external.js, except `locales` and what nothing here uses: compiled schemas, `fromJSONSchema` and
// `deepPartial`. test/tools/bundle.test.ts compares them with the package.

export * from "../node_modules/zod/v4/classic/checks.js";
export * as coerce from "../node_modules/zod/v4/classic/coerce.js";
export * from "../node_modules/zod/v4/classic/compat.js";
export * from "../node_modules/zod/v4/classic/errors.js";
export { input, output } from "../node_modules/zod/v4/classic/in-out.js";
export * as iso from "../node_modules/zod/v4/classic/iso.js";
export {
  ZodISODate,
  ZodISODateTime,
  ZodISODuration,
  ZodISOTime,
} from "../node_modules/zod/v4/classic/iso.js";
export * from "../node_modules/zod/v4/classic/parse.js";
export * from "../node_modules/zod/v4/classic/schemas.js";
export { toJSONSchema } from "../node_modules/zod/v4/core/json-schema-processors.js";
export * as core from "./zod-core.js";
export {
  $brand,
  $input,
  $output,
  clone,
  config,
  flattenError,
  formatError,
  getDiscriminatedOption,
  globalRegistry,
  memoizer,
  NEVER,
  prettifyError,
  regexes,
  registry,
  TimePrecision,
  toZod,
  treeifyError,
  util,
} from "./zod-core.js";

import type { Context } from "hono";
import { invalid } from "../../../base/errors.ts";
import type { AnyOperation, HonoEnv } from "../document/operation.ts";

export const previewPattern = '^"[0-9a-f]{64}"$';

/**
 * The hash of the preview that a request is to be done as, from its If-Preview; undefined where it has none. Throws VALIDATION_FAILED for
 * anything but one hash in quotes, and where the operation has no previews.
 */
export function expectedPreview(
  c: Context<HonoEnv>,
  { previews }: Pick<AnyOperation, "previews">,
): string | undefined {
  const header = c.req.header("if-preview");
  if (header === undefined) return undefined;
  if (!previews) throw invalid([{ path: "If-Preview", message: "is for operations that have previews" }]);
  if (!new RegExp(previewPattern).test(header.trim()))
    throw invalid([
      { path: "If-Preview", message: "must be one hash in quotes, as the header Preview has it" },
    ]);
  return header.trim().slice(1, -1);
}

import { invalid } from "../../../base/errors.ts";
import { sha256Hex } from "../../../base/lib/encoding.ts";

type Trailer = { rows: number; said: { rows?: unknown; sha256?: unknown } };

/** An export ends with the number of its rows and the digest of what stands before, so that a cut is seen. Throws VALIDATION_FAILED. */
export async function requireTrailer(
  before: Uint8Array<ArrayBuffer>,
  { rows, said }: Trailer,
): Promise<void> {
  if (Number(said.rows) === rows && said.sha256 === (await sha256Hex(before))) return;
  throw invalid([
    {
      path: "",
      message: "is not what was exported: its last line names another number of rows, or another digest",
    },
  ]);
}

/** The place at which the last line that begins so starts; the end of the file where there is none. */
export function lastLineStart(bytes: Uint8Array, start: string): number {
  const mark = new TextEncoder().encode(start);
  for (let at = bytes.byteLength - mark.byteLength; at >= 0; at--)
    if ((at === 0 || bytes[at - 1] === 0x0a) && mark.every((byte, nth) => bytes[at + nth] === byte))
      return at;
  return bytes.byteLength;
}

/** A file is split between its rows, each part with the header. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { splitFile } from "../../scripts/import/split-file.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const csv = `ref,note\r\n1,"a\r\nb"\r\n2,c\r\n`;
const jsonl = `{"id":"1"}\n{"id":"2"}\n`;

function partsOf(text: string, size?: number): string[] {
  return splitFile(bytesOf(text), size).parts.map((part) =>
    new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(part),
  );
}

describe("a file that is put in parts", () => {
  test("is split between rows, each part with the header", () => {
    expect(partsOf(csv, 20)).toEqual([`ref,note\r\n1,"a\r\nb"\r\n`, `ref,note\r\n2,c\r\n`]);
    expect(partsOf(jsonl, 15)).toEqual([`{"id":"1"}\n`, `{"id":"2"}\n`]);
    expect(splitFile(bytesOf(csv), 20).rowsBefore).toEqual([0, 1]);
  });

  test.each([
    ["csv", csv, `# end,2,${sha256(csv)}\r\n`],
    ["csv with a byte order mark", `\ufeff${csv}`, `# end,2,${sha256(`\ufeff${csv}`)}\r\n`],
    ["jsonl", jsonl, `${JSON.stringify({ end: true, rows: 2, sha256: sha256(jsonl) })}\n`],
  ])(
    "loses the last line of an export once it is split, as that is of the whole file: %s",
    (_, text, end) => {
      expect(partsOf(text + end)).toEqual([text + end]);
      expect(partsOf(text + end, 20)).toEqual(partsOf(text, 20));
      expect(() => partsOf(text.replace("2", "3") + end, 20)).toThrow("is not what was exported");
    },
  );
});

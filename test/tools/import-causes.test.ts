/** An import command says each cause in one sentence, with its rows. */
import { expect, test } from "vitest";
import { causeLines, causesOf, type Row } from "../../scripts/import/cause-lines.ts";

const row = (line: number, message: string, email?: string, part = 1): Row => ({
  ...{ status: "FAILED", errors: [{ path: "price", message }] },
  summary: { part, line, ...(email ? { email } : {}) },
});

test("an import says each cause in one sentence, with how many rows have it and where the first stand in the file", () => {
  const rows = [2, 3, 4, 5].map((line) => row(line, "is required", `c${line}@example.com`));
  const causes = causesOf(causesOf([], rows), [row(3, "must be a number", undefined, 2)]);
  const first =
    "4 rows: price is required (line 2 c2@example.com; line 3 c3@example.com; line 4 c4@example.com; …)";
  expect(causeLines(causes, [0, 40])).toEqual([first, "1 row: price must be a number (line 43)"]);
  expect(causeLines(causes, undefined)[1]).toBe("1 row: price must be a number (part 2, line 3)");
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCsv, profilesOfForm } from "./csv.ts";

const seeded = (numRuns: number) => ({ seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns });

const mustQuote = /[",\r\n]|^\ufeff|^$/;
const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const print = (rows: string[][], end: string, always: boolean): string =>
  rows
    .map((cells) => cells.map((cell) => (always || mustQuote.test(cell) ? quoted(cell) : cell)).join(","))
    .join(end);

const cell = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom('"', '""', ",", "\n", "\r", "\r\n", "\ufeff", " ", '", "', "=1+1", "\\", "'"),
);

test("what is printed comes back, cell by cell; an empty cell is an absent field", async () => {
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) =>
      fc
        .array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 })
        .map((rows) => ({ width, rows })),
    );
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async ({ width, rows }, end, bom) => {
        const names = Array.from({ length: width }, (_, nth) => `column ${nth}`);
        const text = `${bom ? "\ufeff" : ""}${print([names, ...rows], end, true)}`;
        const expected = rows.map((cells) =>
          Object.fromEntries(cells.map((one, nth) => [names[nth], one]).filter(([, one]) => one !== "")),
        );
        expect(await parseCsv(text)).toEqual(expected);
      },
    ),
    seeded(500),
  );
});

describe("RFC 4180", () => {
  const rows = [
    { a: "1", b: 'x "y", z' },
    { a: "line\r\nbreak", b: " kept " },
  ];
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("lines that end in %s, with or without one at the end, and blank ones", async (_, end) => {
    const text = [`a,b`, `1,"x ""y"", z"`, `"line\r\nbreak", kept `].join(end);
    expect(await parseCsv(text)).toEqual(rows);
    expect(await parseCsv(`${text}${end}`)).toEqual(rows);
    expect(await parseCsv(`${text}${end}${end}`)).toEqual(rows);
  });

  test("names are trimmed; __proto__ is a name like any other", async () => {
    const [row] = await parseCsv(" a , __proto__ \n1,2");
    expect(Object.entries(row!)).toEqual([
      ["a", "1"],
      ["__proto__", "2"],
    ]);
  });

  test.each(["", "\ufeff", "\n\n", "a,b", "a,b\n"])("%j holds no rows", async (text) => {
    expect(await parseCsv(text)).toEqual([]);
  });

  test.each(["a,b\n1", "a,b\n1,2,3", 'a\n"1', 'a\nx"1"', 'a\n"1"x', "a,a\n1,2"])(
    "%j is VALIDATION_FAILED",
    async (text) => {
      await expect(parseCsv(text)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    },
  );
});

test("a form's file is JSON where its type or name says so, else CSV", async () => {
  const bytesOf = async (file: File | string) => {
    const form = new FormData();
    form.append("file", file);
    const response = new Response(form);
    return [new Uint8Array(await response.arrayBuffer()), response.headers.get("content-type")!] as const;
  };
  const uploads = [
    [new File(['[{"a":1}]'], "x.json"), [{ a: 1 }]],
    [new File(['[{"a":1}]'], "x", { type: "application/json" }), [{ a: 1 }]],
    [new File(["a\n1"], "x.csv", { type: "text/csv" }), { profiles: [{ a: "1" }] }],
    ["a\n1", { profiles: [{ a: "1" }] }],
  ] as const;
  for (const [file, expected] of uploads)
    expect(await profilesOfForm(...(await bytesOf(file)))).toEqual(expected);
});

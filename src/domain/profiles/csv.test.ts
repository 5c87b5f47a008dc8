/** A CSV upload is read by RFC 4180, piece by piece, and no further than its first fault. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { parseCsv } from "./csv.ts";
import { profilesOfForm } from "./media.ts";

function seeded(numRuns: number) {
  return { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
const mostRows = 20;

function read(text: string, fields = ["a", "b"]) {
  return parseCsv(bytesOf(text), fields, mostRows);
}

function refused(path: string, message: unknown = expect.any(String)) {
  return {
    code: "VALIDATION_FAILED",
    details: [{ path, message }],
  };
}

const mustQuote = /[",\r\n]|^\ufeff|^$/;

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function print(rows: string[][], end: string, always: boolean): string {
  return rows
    .map((cells) => cells.map((cell) => (always || mustQuote.test(cell) ? quoted(cell) : cell)).join(","))
    .join(end);
}

const cell = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
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
        expect(await read(text, names)).toEqual(expected);
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
    expect(await read(text)).toEqual(rows);
    expect(await read(`${text}${end}`)).toEqual(rows);
    expect(await read(`${text}${end}${end}`)).toEqual(rows);
  });

  test("names are trimmed", async () => {
    expect(await read(" b , a \n1,2")).toEqual([{ b: "1", a: "2" }]);
  });

  test.each(["a,b", "a,b\n", "\ufeffb"])("%j holds no rows", async (text) => {
    expect(await read(text)).toEqual([]);
  });

  test.each([
    ["a,b\n1", "must have as many cells as the header"],
    ["a,b\n1,2,3", "must have as many cells as the header"],
    ['a\n"1', "has a quote that is not closed"],
    [
      'a\nx"1"',
      "has a quote inside a cell that does not begin with one; write such quotes twice, in a quoted cell",
    ],
    ['a\n"1"x', "has text behind a closing quote; write a quote inside a quoted cell twice"],
  ])("%j is VALIDATION_FAILED, by its row, and says what is wrong", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject(refused("profiles.0", message));
  });
});

describe("the header", () => {
  test.each([
    ["a,c\n1,2", "c"],
    ["a,c", "c"],
    ["null", "null"],
    ["[]", "[]"],
    ["a,__proto__\n1,2", "__proto__"],
    ["a,constructor\n1,2", "constructor"],
    [",a\n1,2", ""],
  ])("%j names what is no field, rows or none", async (text, path) => {
    await expect(read(text)).rejects.toMatchObject(refused(path, "is not a field of a profile"));
  });

  test("a field is named once", async () => {
    await expect(read("a,b,a\n1,2,3")).rejects.toMatchObject(refused("a", "is a column more than once"));
  });

  test.each(["", "\ufeff", "\n\n"])("%j has none", async (text) => {
    await expect(read(text)).rejects.toMatchObject(refused("", "has no header"));
  });
});

describe("bytes that are not UTF-8", () => {
  test.each([
    ["at once", [0xff]],
    ["in a cell", [...bytesOf("a\nK"), 0xf6, 0x6c]],
    ["cut off", [...bytesOf("a\nK"), 0xc3]],
    ["far behind", [...bytesOf(`a\n"${"x".repeat(200_000)}"`), 0xff]],
  ])("%s", async (_, bytes) => {
    await expect(parseCsv(Uint8Array.from(bytes), ["a"], mostRows)).rejects.toMatchObject(
      refused("", "is not UTF-8"),
    );
  });

  test("a character may lie across two pieces", async () => {
    for (const length of [65_530, 65_531, 65_532, 65_533, 65_534])
      expect(await read(`a\n${"x".repeat(length)}👩\n`)).toEqual([{ a: `${"x".repeat(length)}👩` }]);
  });
});

describe("it is read no further than the first fault", () => {
  const tail = [0xff];
  const withTail = (text: string) => parseCsv(Uint8Array.from([...bytesOf(text), ...tail]), ["a"], mostRows);
  const filling = "x".repeat(100_000);

  test("a row too many", async () => {
    await expect(withTail(`a\n${"1\n".repeat(mostRows + 1)}${filling}`)).rejects.toMatchObject(
      refused("profiles", `must have at most ${mostRows} rows`),
    );
  });

  test("as many rows as may be are read to the end", async () => {
    expect(await read(`a\n${"1\n".repeat(mostRows)}`)).toHaveLength(mostRows);
  });

  test("a header that is none", async () => {
    await expect(withTail(`b\n${filling}`)).rejects.toMatchObject(refused("b"));
  });

  test("cells without number, in the header or in a row", async () => {
    const commas = ",".repeat(10_000_000);
    await expect(read(commas)).rejects.toMatchObject(refused(""));
    await expect(read(`a\n${commas}`)).rejects.toMatchObject(refused("profiles.0"));
    const names = Array.from({ length: 80_000 }, (_, nth) => `column ${nth}`).join(",");
    await expect(read(`${names}\n${names}`)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("a cell without end", async () => {
    await expect(read(`a\n"${"x".repeat(5_000_000)}`)).rejects.toMatchObject(
      refused("profiles.0", "must have at most 1000000 bytes"),
    );
  });
});

test("others have their turn while a long file is read", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const line = `${"x".repeat(1_000)}\n`;
  await parseCsv(bytesOf(`a\n${line.repeat(4_000)}`), ["a"], 10_000);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});

test("a form's file is JSON where its type or name says so, else CSV", async () => {
  const formOf = async (file: File | string) => {
    const form = new FormData();
    form.append("file", file);
    const response = new Response(form);
    return [new Uint8Array(await response.arrayBuffer()), response.headers.get("content-type")!] as const;
  };
  const uploads = [
    [new File(['[{"a":1}]'], "x.json"), [{ a: 1 }]],
    [new File(['[{"a":1}]'], "x", { type: "application/json" }), [{ a: 1 }]],
    [new File(["city\n1"], "x.csv", { type: "text/csv" }), { profiles: [{ city: "1" }] }],
    ["city\n1", { profiles: [{ city: "1" }] }],
  ] as const;
  for (const [file, expected] of uploads)
    expect(await profilesOfForm(...(await formOf(file)))).toEqual(expected);
});

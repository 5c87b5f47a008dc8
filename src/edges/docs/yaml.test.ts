/** A document in YAML is read as the value it was written from. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { writeYaml } from "./yaml.ts";

test("any value of JSON is read back by a parser of YAML", () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.stringify(parse(writeYaml(JSON.parse(json))))).toEqual(json);
    }),
    { numRuns: 500 },
  );
});

test("a field without a value is left out, and a key that reads as another type has quotes", () => {
  const yaml = writeYaml({ on: [1, { a: "b", c: [] }], "x-id": {}, "4/2": { no: null }, left: undefined });
  expect(yaml).toBe('"on":\n  - 1\n  - a: "b"\n    c: []\nx-id: {}\n"4/2":\n  "no": null\n'.replace("", ""));
});

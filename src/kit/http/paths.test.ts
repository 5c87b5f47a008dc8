/** A path with a concrete segment is found before one with a parameter in its place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bySpecificity } from "./paths.ts";

const segment = fc.constantFrom("a", "b", "c", "{id}");
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join("/")}`);

test("a concrete segment stands before a templated one, whatever else is in the list", () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (others) => {
      const sorted = ["/a/{id}", ...others, "/a/b"].sort(bySpecificity);
      expect(sorted.indexOf("/a/b")).toBeLessThan(sorted.indexOf("/a/{id}"));
    }),
    { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 2000 },
  );
});

/** An id holds its instant, and a later id sorts behind an earlier one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instantOf, isId, newId } from "./ids.ts";

const instants = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

describe("an id", () => {
  test("holds the instant that it is made for", () => {
    fc.assert(
      fc.property(instants, (at) => {
        const id = newId(at);
        expect([isId(id), instantOf(id)]).toEqual([true, at]);
      }),
    );
  });

  test("holds the time at which it is made, if none is given", () => {
    const before = new Date().toISOString();
    const held = instantOf(newId());
    expect(held >= before && held <= new Date(Date.now() + 1000).toISOString()).toBe(true);
  });

  test("is no other's, and comes after those made before it", () => {
    const ids = Array.from({ length: 2000 }, () => newId());
    expect(ids).toEqual(ids.toSorted());
    const parts = ids.flatMap((id) => [id, id.slice(-8)]);
    expect(new Set(parts).size).toBe(parts.length);
  });

  test("of one instant comes after those made before it", () => {
    const at = "2026-11-20T12:00:00.000Z";
    const ids = Array.from({ length: 100 }, () => newId(at));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(100);
  });
});

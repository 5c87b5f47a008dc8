/** A cache forgets an entry when its time is over, and the oldest one when it is full. */
import { expect, test } from "vitest";
import { ttlCache } from "./ttl-cache.ts";

test("an entry is there until its time is over, and not at that instant", () => {
  const cache = ttlCache<string>(100, 10);
  cache.set("a", "A", 1000);
  expect(cache.get("a", 1000)).toBe("A");
  expect(cache.get("a", 1099)).toBe("A");
  expect(cache.get("a", 1100)).toBeUndefined();
  expect(cache.get("a", 1000)).toBeUndefined();
  expect(cache.get("b", 1000)).toBeUndefined();
});

test("when it is full, the oldest goes, and only then", () => {
  const cache = ttlCache<number>(100, 2);
  for (const [nth, key] of ["a", "b"].entries()) cache.set(key, nth, 0);
  expect([cache.get("a", 0), cache.get("b", 0)]).toEqual([0, 1]);
  cache.set("c", 2, 0);
  expect([cache.get("a", 0), cache.get("b", 0), cache.get("c", 0)]).toEqual([undefined, 1, 2]);
});

test("a cache that holds nothing yet takes an entry, whatever its capacity", () => {
  const cache = ttlCache<number>(100, 0);
  cache.set("a", 1, 0);
  expect(cache.get("a", 0)).toBe(1);
});

test("an entry is deleted by its key, several by what they are", () => {
  const cache = ttlCache<number>(100, 10);
  for (const [nth, key] of ["a", "b", "c", "d"].entries()) cache.set(key, nth, 0);
  cache.delete("a");
  cache.forget((value) => value > 1);
  expect(["a", "b", "c", "d"].map((key) => cache.get(key, 0))).toEqual([undefined, 1, undefined, undefined]);
});

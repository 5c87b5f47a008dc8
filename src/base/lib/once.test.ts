/** A value is made once when it is first asked for, and is made again only if that failed. */
import { expect, test } from "vitest";
import { once } from "./once.ts";

test("a value is made when it is first asked for, and then kept", async () => {
  let made = 0;
  const one = once(async () => ++made);
  expect(made).toBe(0);
  expect([await one(), await one()]).toEqual([1, 1]);
});

test("what has failed is made again; those that waited for it see the failure", async () => {
  let tries = 0;
  const one = once(async () => {
    tries++;
    if (tries === 1) throw new Error("not loaded");
    return "loaded";
  });
  const both = await Promise.allSettled([one(), one()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect([await one(), await one(), tries]).toEqual(["loaded", "loaded", 2]);
});

test("what throws at once is made again too", () => {
  let tries = 0;
  const one = once(() => {
    if (++tries === 1) throw new Error("no");
    return tries;
  });
  expect(one).toThrow("no");
  expect([one(), one()]).toEqual([2, 2]);
});

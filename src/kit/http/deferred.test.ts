/** A deferred module is loaded when one of its exports is first used, and not when it is named. */
import { expect, test } from "vitest";
import { deferred, loaded } from "./deferred.ts";

test("a module is loaded when one of its exports is first asked for, and not by naming them", async () => {
  let loads = 0;
  const load = async () => {
    loads++;
    return { name: "Ada", number: 1 };
  };
  const { name, number } = deferred(load);
  expect(loads).toBe(0);
  expect(await loaded(name)).toBe("Ada");
  expect(loads).toBe(1);
  expect(await loaded(number)).toBe(1);
});

test("a value that is not deferred is itself", async () => {
  expect(await loaded("Ada")).toBe("Ada");
  expect(await loaded(undefined)).toBeUndefined();
});

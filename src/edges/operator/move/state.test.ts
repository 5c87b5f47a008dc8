/** Each state of a moving account has one next step, until its time is over. */
import { expect, test } from "vitest";
import type { Moving } from "../../../base/accounts/moving.ts";
import type { Engine } from "../../../base/env.ts";
import { planMove, waitMs } from "./state.ts";

const since = "2026-11-20T12:00:00.000Z";
function on(step: Moving["step"], to: Engine): string {
  return JSON.stringify({ step, to, since });
}

test.each<[Engine, string | null, Engine, ReturnType<typeof planMove>]>([
  ["d1", null, "d1", "nothing"],
  ["object", null, "object", "nothing"],
  ["d1", null, "object", "announce"],
  ["object", null, "d1", "announce"],
  ["d1", on("draining", "object"), "object", "drain"],
  ["d1", on("draining", "object"), "d1", "give_up"],
  ["d1", on("copying", "object"), "object", "copy"],
  ["object", on("copying", "d1"), "object", "give_up"],
  ["object", on("leaving", "object"), "object", "leave"],
  ["object", on("leaving", "object"), "d1", "leave"],
  ["d1", on("leaving", "d1"), "d1", "leave"],
])("an account at %s with %s that is to come to %s: %s is next", (engine, moving, to, plan) => {
  expect(planMove({ engine, moving }, to)).toBe(plan);
});

test.each([
  ["2026-11-20T12:00:00.000Z", 35_000],
  ["2026-11-20T12:00:34.999Z", 1],
  ["2026-11-20T12:00:35.000Z", 0],
  ["2026-11-21T12:00:00.000Z", 0],
])("at %s %i ms of 35 seconds are left", (now, left) => {
  expect(waitMs(since, now, 35_000)).toBe(left);
});

/** An object looks within a minute of a write, and rests for an hour at most. */
import { expect, test } from "vitest";
import { memoryDatabase } from "../../../scripts/simulate/sqlite.ts";
import { hourMs, minuteMs } from "../../base/lib/time/durations.ts";
import { wakeup } from "./wakeup.ts";

/** An object at noon, of whose account nothing is due. */
function object() {
  let [nowMs, alarm] = [Date.parse("2026-11-20T12:00:00.000Z"), Number.NaN];
  const alarms = {
    getAlarm: async () => null,
    setAlarm: async (ms: number | Date) => {
      alarm = Number(ms);
    },
    deleteAlarm: async () => {},
  };
  const { soon, rings, looked } = wakeup({ alarms, nowMs: () => nowMs, log: () => {} });
  return {
    soon,
    rings,
    look: (sent: number) => looked({ db: memoryDatabase(), now: new Date(nowMs), sent }),
    pass: (ms: number) => {
      nowMs += ms;
    },
    ringsIn: () => alarm - nowMs,
  };
}

test("a write has the object look within a minute, whatever is written after it", () => {
  const { soon, pass, ringsIn } = object();
  soon();
  expect(ringsIn()).toBe(minuteMs);
  pass(40_000);
  soon();
  expect(ringsIn()).toBe(20_000);
});

test("a look that finds nothing lets it rest for an hour at most", async () => {
  const { rings, look, ringsIn } = object();
  rings();
  await look(0);
  expect(ringsIn()).toBe(hourMs);
});

test("after a look that has sent jobs it looks again in a minute", async () => {
  const { rings, look, ringsIn } = object();
  rings();
  await look(3);
  expect(ringsIn()).toBe(minuteMs);
});

test("what is written while it looks has it look again in a minute, as the look may have passed it by", async () => {
  const { soon, rings, look, ringsIn } = object();
  rings();
  soon();
  await look(0);
  expect(ringsIn()).toBe(minuteMs);
});

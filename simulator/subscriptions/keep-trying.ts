import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { drain, runToEnd } from "../kernel/invocations.ts";
import { passTime } from "../kernel/pass-time.ts";
import type { World } from "../kernel/world.ts";
import { sendNamed } from "./workload.ts";

/** Somebody tries again and again within an hour, each time once the last try has ended: as whoever tests stolen cards would. */
export async function keepTrying(world: World): Promise<void> {
  const { choices } = world;
  world.count("people who try again and again");
  for (let nth = 0; nth < triesMax && world.violations.length === 0; nth++) {
    await sendNamed(world, choices.pick(ways));
    await runToEnd(world);
    await drain(world);
    await passTime(world, choices.pick(pauses));
  }
}

const triesMax = 9;

const ways = ["pay with another method", "pay what is owed, or ship", "ship again"];

const pauses = [minuteMs, minuteMs, 6 * minuteMs];

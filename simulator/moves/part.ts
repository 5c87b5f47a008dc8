import type { Part, World } from "../kernel/world.ts";
import { checkMoves } from "./check-moves.ts";
import { enterAsMessage, enterAsRequest } from "./enter.ts";
import { type Homes, homesOf } from "./homes.ts";
import { canMove, endMove, moveInOneGo, moveOn } from "./operator.ts";
import { tickBoth } from "./tick.ts";
import { watchMoves } from "./watch.ts";

/** Has the account move between two engines, if there are two. */
export function beginMoves(world: World, homes: Homes): void {
  const { report } = world;
  homesOf.set(world, homes);
  watchMoves(world);
  world.whereabouts = {
    isElsewhere: (database) => database !== homes.current && database !== homes[homes.engine()],
    enter: (task, as) => (as === "request" ? enterAsRequest(world, task) : enterAsMessage(world, task)),
    /** Requests and messages write where the account is: elsewhere it would be lost with the copy. */
    checkWriter({ name, home }) {
      if (home) report("a write reaches the account where it is", `${name} writes to what was left behind`);
    },
    /** Whoever asks after the account has moved is shown what it has now. */
    checkReader({ name, home, bornAt }) {
      if (home && bornAt > homes.switchedAt)
        report("nobody is shown what was left behind", `${name} reads a copy that is not the account's`);
    },
    tick: (task, ports) => tickBoth(world, task, ports),
  };
}

/** An operator moves the account to the other engine, or back. */
export const moving: Part = {
  acts: [
    { name: "move on", weight: (world) => (canMove(world) ? 12 : 0), act: moveOn },
    {
      name: "move in one go",
      weight: (world, isBusy) => (canMove(world) && !isBusy ? 8 : 0),
      act: moveInOneGo,
    },
  ],
};

/** A move comes to its end before anything else does, and leaves nothing behind. */
export const moved: Part = { end: endMove, check: checkMoves };

import { removeThrough } from "../../src/edges/operator/delete-through.ts";
import { guardFence, raiseFence } from "../../src/edges/operator/move/fence.ts";
import { planMove, waitMs } from "../../src/edges/operator/move/state.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** Bugs of moves between the engines, beside writers and isolates that know nothing of them. */
export const moveBugs: SeededBug[] = [
  bug({
    name: "copied while it is open",
    what: "what is written while the account is copied stays behind",
    rule: "an account moves whole",
    replaces: withoutFence(),
  }),
  bug({
    name: "written where it was",
    what: "an isolate that knows nothing of the move goes on writing the old rows",
    rule: "a write reaches the account where it is",
    replaces: [replace(waitMs, () => () => 0), ...withoutFence()],
  }),
  bug({
    name: "moved without notice",
    what: "an isolate that knows nothing of the move goes on reading the old rows",
    rule: "nobody is shown what was left behind",
    replaces: [replace(waitMs, () => () => 0)],
  }),
  bug({
    name: "never left",
    what: "a move is over once the account is served from its new engine",
    rule: "a move comes to its end",
    replaces: [
      replace(planMove, (original) => (account, to) => {
        const step = original(account, to);
        return step === "leave" ? "nothing" : step;
      }),
    ],
  }),
  bug({
    name: "rows are left behind",
    what: "the rows of an account stay where it was",
    rule: "a move leaves nothing behind",
    replaces: [replace(removeThrough, () => async () => 0)],
  }),
];

function withoutFence() {
  return [
    replace(raiseFence, (original) => (db, fence, also) => original(db, { ...fence, tables: [] }, also)),
    replace(guardFence, (original) => (fence) => original({ ...fence, tables: [] })),
  ];
}

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "moves" };
}

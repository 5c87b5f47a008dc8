import type fc from "fast-check";
import { type Outcome, type Real, type Request, sendAndCompare } from "./compare.ts";
import type { Model } from "./subscription.ts";

export type Step = fc.AsyncCommand<Model, Real>;
type Check = (m: Model) => boolean;

/** A request: `decide` applies it to the model and says what the API must answer. `check` leaves out what no rule decides. */
export function requestStep(
  name: string,
  request: (m: Model, real: Real) => Request,
  decide: (m: Model) => Outcome,
  check?: Check,
): Step {
  return step(
    name,
    async (m, real) => {
      const before = request(m, real);
      await sendAndCompare(m, real, { request: before, outcome: decide(m) });
    },
    check,
  );
}

/** Something that happens without a request. The database is changed here directly, so there is no entry in the history. */
export function eventStep(name: string, act: (m: Model, real: Real) => Promise<unknown>, check: Check): Step {
  return step(
    name,
    async (m, real) => {
      m.log.push(name);
      await act(m, real);
    },
    check,
  );
}

function step(name: string, run: (m: Model, real: Real) => Promise<void>, check: Check = () => true): Step {
  return { check, run, toString: () => name };
}

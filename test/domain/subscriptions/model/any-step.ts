import fc from "fast-check";
import { addDiscount, addLine, changeLine, removeDiscount, removeLine } from "./contents-steps.ts";
import { cycleIsBilled, daysPass, dunningIsExhausted, expires, paymentFails } from "./events.ts";
import { cancel, pause, reactivate, resume } from "./lifecycle-steps.ts";
import {
  changeFrequency,
  changeInstructions,
  reschedule,
  skip,
  skipDeliveries,
  unskip,
} from "./schedule-steps.ts";
import type { Step } from "./steps.ts";
import type { Unit } from "./subscription.ts";

const { constant, constantFrom, integer, nat, option, tuple } = fc;

const maybeDays = option(integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 });

function twice<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T>[] {
  return [arbitrary, arbitrary];
}

export const steps: fc.Arbitrary<Step>[] = [
  ...twice(option(constantFrom("Away", "Ill"), { nil: undefined }).map(pause)),
  ...twice(maybeDays.map(resume)),
  constant(cancel),
  ...twice(maybeDays.map(reactivate)),
  ...twice(integer({ min: 1, max: 6 }).map(skip)),
  ...twice(integer({ min: 1, max: 3 }).map(skipDeliveries)),
  ...twice(constant(unskip)),
  tuple(constantFrom<Unit>("DAY", "WEEK", "MONTH", "YEAR"), integer({ min: 1, max: 3 })).map((a) =>
    changeFrequency(...a),
  ),
  integer({ min: 0, max: 60 }).map(reschedule),
  constantFrom("Ring", "Knock").map(changeInstructions),
  tuple(integer({ min: 0, max: 99_999 }), integer({ min: 1, max: 9 })).map((a) => addLine(...a)),
  tuple(nat(9), integer({ min: 1, max: 9 })).map((a) => changeLine(...a)),
  nat(9).map(removeLine),
  integer({ min: 0, max: 100 }).map((value) => addDiscount("PERCENTAGE", value)),
  integer({ min: 0, max: 9_999 }).map((value) => addDiscount("FIXED_AMOUNT", value)),
  nat(9).map(removeDiscount),
  constant(cycleIsBilled),
  constant(expires),
  constant(paymentFails),
  constant(dunningIsExhausted),
  integer({ min: 1, max: 40 }).map(daysPass),
];

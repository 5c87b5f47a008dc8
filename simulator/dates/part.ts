import { finalStateOf } from "../accounts/final-state.ts";
import type { Part } from "../kernel/world.ts";
import { checkIntervals } from "./check-intervals.ts";
import { watchDates } from "./watch-dates.ts";

/** Dates move as agreed, commit by commit, and billings lie one interval apart. */
export const dates: Part = {
  watch: watchDates,
  async checkAccount(world) {
    checkIntervals(world, await finalStateOf(world));
  },
};

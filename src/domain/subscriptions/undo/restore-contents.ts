import type { Instant } from "../../../base/lib/time/dates.ts";
import { type Discount, type Line, lineAfterCycle } from "../lines/amounts.ts";
import { isSame, type RestoreElement, restoreElement } from "./elements.ts";

/** Restores a line once so many cycles were billed since: prices that were promised count them, and a line keeps what others have changed of it. */
export function restoreLineAfter(cycles: number): RestoreElement<Line> {
  return (now, change) => {
    const from = change.from && afterCycles(change.from, cycles);
    const to = change.to && afterCycles(change.to, cycles);
    const whole = restoreElement(now, { ...change, from, to });
    return now && from && to ? (whole ?? restoreFields(now, from, to)) : whole;
  };
}

/**
 * Restores a discount. One that was applied and has been given since stays to be seen, and counts no more; one that has been given for
 * all of its cycles has nothing left to take back.
 */
export function restoreDiscountAt(now_at: Instant): RestoreElement<Discount> {
  return (now, change) => {
    const { from, to } = change;
    const isGiven = now && to && !from && now.cycles_used > to.cycles_used;
    if (!isGiven) return restoreElement(now, change);
    return now.status === "ACTIVE"
      ? { ...now, status: "REMOVED", removed_at: now_at, updated_at: now_at }
      : undefined;
  };
}

/** The line with the fields that the change wrote as they were; undefined where one of them has changed since. A price comes with those that are promised. */
function restoreFields(now: Line, from: Line, to: Line): Line | undefined {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])] as (keyof Line)[];
  const written = names.filter((name) => !isSame(from[name], to[name]));
  const isPriced = written.some((name) => priceFields.includes(name));
  const checked = isPriced ? [...new Set([...written, ...priceFields])] : written;
  if (!checked.every((name) => isSame(now[name], to[name]))) return undefined;
  const kept = Object.entries(now).filter(([name]) => !checked.includes(name as keyof Line));
  const restored = checked.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]);
  return Object.fromEntries([...kept, ...restored]);
}

const priceFields: (keyof Line)[] = ["price", "price_changes"];

/** The line once so many cycles were billed; none are in a life that has begun since. */
function afterCycles(line: Line, cycles: number): Line {
  return Array.from({ length: Math.max(0, cycles) }).reduce<Line>((before) => lineAfterCycle(before), line);
}

import type { Change } from "../../base/lib/diff.ts";
import { type Line, lineAfterCycle } from "../subscriptions/amounts.ts";
import { linesOf } from "../subscriptions/row-codec.ts";
import type { Subscription } from "../subscriptions/tables.ts";

/** The columns that a job has written, each from what to what, and the cycle of the subscription then. */
export type Undoing = {
  columns: Record<string, Change>;
  activation: number;
  current_billing_cycle: number;
};

/**
 * The lines with what a job wrote to them taken back, each line where it still has all of that: other fields of it stay as they are now, and
 * so do other lines. Prices that were promised count the cycles billed since. Undefined where no line can be restored.
 */
export function restoreLines(row: Subscription, { columns, ...then }: Undoing): Line[] | undefined {
  const [before, after] = (["from", "to"] as const).map((side) =>
    linesOf({ lines: String(columns.lines?.[side] ?? "[]") }),
  ) as [Line[], Line[]];
  const cycles =
    row.activation === then.activation ? row.current_billing_cycle - then.current_billing_cycle : 0;
  let restored = 0;
  const lines = linesOf(row).map((now) => {
    const [was, wrote] = [before, after].map((those) => those.find(({ id }) => id === now.id));
    if (!was || !wrote || JSON.stringify(was) === JSON.stringify(wrote)) return now;
    const line = restoreLine(now, { was, wrote, cycles });
    if (line) restored++;
    return line ?? now;
  });
  return restored > 0 ? lines : undefined;
}

/** The line with the fields that the job wrote as they were; undefined where one of them has changed since. */
function restoreLine(
  now: Line,
  { was, wrote, cycles }: { was: Line; wrote: Line; cycles: number },
): Line | undefined {
  const names = [...new Set([...Object.keys(was), ...Object.keys(wrote)])] as (keyof Line)[];
  const written = names.filter((name) => !isSame(was[name], wrote[name]));
  const isPriced = written.includes("price") || written.includes("price_changes");
  const checked = isPriced ? [...new Set<keyof Line>([...written, "price", "price_changes"])] : written;
  const [expected, former] = [afterCycles(wrote, cycles), afterCycles(was, cycles)];
  if (!checked.every((name) => isSame(now[name], expected[name]))) return undefined;
  const { price_changes: _price, ...rest } = now;
  const fields = Object.fromEntries(
    checked.flatMap((name) => (former[name] === undefined ? [] : [[name, former[name]]])),
  );
  return isPriced ? { ...rest, ...fields } : { ...now, ...fields };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The line once so many cycles were billed; none are in a life that has begun since. */
function afterCycles(line: Line, cycles: number): Line {
  return Array.from({ length: Math.max(0, cycles) }).reduce<Line>((before) => lineAfterCycle(before), line);
}

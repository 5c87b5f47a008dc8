/** No change of dates brings a charge before the subscription's no_charge_before. */
import { describe, expect, test } from "vitest";
import type { ActorType } from "../../../kit/context.ts";
import {
  chargeableFrom,
  chargedFrom,
  dayToWaitFor,
  requireChargeable,
  requireChargeableOn,
} from "./no-charge-before.ts";

const today = "2030-01-10";
const row = (no_charge_before: string | null) => ({ no_charge_before });

test.each([
  ["none", null, undefined, "2030-01-11"],
  ["a day that has passed", "2030-01-09", undefined, "2030-01-11"],
  ["today", today, undefined, "2030-01-11"],
  ["tomorrow", "2030-01-11", "2030-01-11", "2030-01-11"],
  ["a later day", "2030-01-20", "2030-01-20", "2030-01-20"],
])("%s: what is waited for, and the first day from tomorrow on", (_, day, awaited, first) => {
  expect(dayToWaitFor(row(day), today)).toBe(awaited);
  expect(chargeableFrom(row(day), today)).toBe(first);
  const start = () => requireChargeable(row(day), today);
  if (awaited === undefined) expect(start).not.toThrow();
  else expect(start).toThrow(`Cannot charge before ${awaited}`);
});

describe("a change of dates before 2030-01-20", () => {
  test.each([
    ["to a day before", "2030-01-19", "2030-01-20"],
    ["to the day", "2030-01-20", "2030-01-20"],
    ["to a later day", "2030-01-21", "2030-01-21"],
    ["to no charge", null, null],
  ])("%s is charged no earlier", (_, next_billing_date, expected) => {
    const charged = chargedFrom(row("2030-01-20"), { next_billing_date }, today);
    expect(charged).toEqual({ next_billing_date: expected });
    expect(chargedFrom(row(today), { next_billing_date }, today)).toEqual({ next_billing_date });
  });

  test.each<[ActorType, boolean]>([
    ["customer", true],
    ["admin", true],
    ["api", true],
    ["system", false],
  ])("is refused to %s at the field: %s", (type, isRefused) => {
    const view = { row: row("2030-01-20"), today, viewer: type };
    const move = (next_billing_date: string) => () =>
      requireChargeableOn(view, { columns: { next_billing_date } }, "next_delivery_date");
    expect(move("2030-01-20")).not.toThrow();
    if (!isRefused) return expect(move("2030-01-19")).not.toThrow();
    const details = [{ path: "next_delivery_date", message: "must not lead to a charge before 2030-01-20" }];
    expect(move("2030-01-19")).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED", details }));
  });

  test("that sets no date sets none", () => {
    expect(chargedFrom(row("2030-01-20"), { note: "x" } as object, today)).toEqual({ note: "x" });
  });
});

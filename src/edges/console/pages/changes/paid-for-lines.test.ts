/** The console says what was paid for each line of an order, with its share of the discounts, to the cent in sum. */
import { expect, test } from "vitest";
import { paidForLines } from "./paid-for-lines.ts";

const line = (line_total: number, discount_amount = 0) => ({ line_total, discount_amount });

test.each([
  ["each line's price where nothing is off", { discount_amount: 0, lines: [line(10), line(5.5)] }, [10, 5.5]],
  ["less a line's own discounts", { discount_amount: 1, lines: [line(10, 1), line(5)] }, [9, 5]],
  ["less its share of the order's", { discount_amount: 3, lines: [line(10), line(20)] }, [9, 18]],
  ["of both kinds", { discount_amount: 4, lines: [line(10, 1), line(21)] }, [8.1, 18.9]],
  ["to the cent in sum", { discount_amount: 1, lines: [line(1), line(1), line(1)] }, [0.67, 0.66, 0.67]],
  ["nothing of a line that is free", { discount_amount: 1, lines: [line(0), line(5)] }, [0, 4]],
  ["nothing where all is off", { discount_amount: 9, lines: [line(5), line(2)] }, [0, 0]],
  ["of an order whose lines its store keeps", { discount_amount: 0, lines: null }, []],
])("a refund by line pays back %s", (_, order, expected) => {
  expect(paidForLines({ currency_code: "EUR", ...order })).toEqual(expected);
});

test("a currency without decimals is divided in whole units", () => {
  const lines = [line(100), line(100), line(100)];
  expect(paidForLines({ currency_code: "JPY", discount_amount: 100, lines })).toEqual([67, 66, 67]);
});

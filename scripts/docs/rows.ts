import {
  importCosts,
  kilobytes,
  renewalRows,
  requestCosts,
  tickStatements,
  toldCosts,
  writeCosts,
} from "./figures.ts";
import { table, withPart } from "./part.ts";

/** docs/change/costs.md with the figures that the tests of test/scale hold. */
export function withRows(text: string): string {
  return Object.entries(parts).reduce((page, [name, make]) => withPart(page, name, make()), text);
}

const parts: Record<string, () => string> = {
  Requests: () =>
    table(
      ["Invocation", "Statements", "Trips"],
      [
        ["a request that reads, at most", requestCosts.reads.statements, requestCosts.reads.trips],
        ["a request that writes, at most", requestCosts.writes.statements, requestCosts.writes.trips],
        [
          "a forecast of goods that was not taken, of 2,000 subscriptions",
          requestCosts.forecast.statements,
          requestCosts.forecast.trips,
        ],
        ["a cron tick with one record of each kind due", tickStatements, "5 or 6"],
        ["a page of 25 rows of an import, checked", importCosts.statementsOfPage, ""],
        ["a row of an import with a new customer, written", importCosts.statementsOfRow, 1],
      ],
    ),
  Writes: () =>
    table(
      ["Request", "Trips", "Rows", "With a key"],
      Object.entries(writeCosts).map(([title, { trips, rows, keyed }]) => [title, trips, rows, keyed ?? ""]),
    ),
  Told: () =>
    [
      `A mail writes ${toldCosts.mail} rows and a delivery to an endpoint ${toldCosts.delivery}. A creation with its contract and mail writes ${toldCosts.creation}.`,
      `A renewal with its reminder, receipt and events writes ${toldCosts.renewal}:`,
      "",
      table(["Of a renewal", "Rows"], Object.entries(renewalRows)),
    ].join("\n"),
  Kilobytes: () =>
    `A subscription with one order takes ${kilobytes.subscription} KB, and a renewal leaves ${kilobytes.renewal} KB for good. Deliveries go after 30 days and mails after 400.`,
};

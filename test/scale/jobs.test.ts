/** The rows that each job reads do not grow with the account. */
import { describe } from "vitest";
import { doesNotGrow } from "../support/growth.ts";
import { clockOf } from "../support/worker.ts";
import {
  createDueToday,
  jobCases,
  openAccount,
  reading,
  sentJobs,
  shop,
  tick,
  worker,
} from "./jobs.setup.ts";

/** A page of a forecast is of a thousand subscriptions: in an account that has fewer, it reads more as they grow. */
const casesOfRecords = jobCases
  .filter(({ title }) => title !== "work_job: a forecast")
  .map((one) => (one.title === "follow_closed_days: five dates" ? { ...one, most: 115 } : one));

describe("what a job reads does not grow with the account", () => {
  doesNotGrow([...casesOfRecords, { title: "cron", read: tick, most: 372 }], openAccount, () =>
    worker.drain(),
  );
});

/** A separate account, because everything falls due by its test clock. */
describe("what moving the test clock reads does not grow with the account", () => {
  const aDay = reading(async () => {
    await createDueToday();
    const advance_to = new Date(Date.parse(await clockOf(shop)) + 86_400_000).toISOString();
    await worker.call(shop.api, "POST", "/api/account/test-clock", { body: { advance_to } });
    return sentJobs("advance_clock");
  });
  doesNotGrow([{ title: "advance_clock: by a day with a billing", read: aDay, most: 200 }], openAccount, () =>
    worker.drain(),
  );
});

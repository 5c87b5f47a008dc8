/** The feed's start_date and end_date are days of the account's zone, both included. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { logOf, type Merchant, openMerchant, put, seeded } from "../../support/records.ts";

/** The date of an instant in a zone, by Intl: nothing of ours. */
const calendars = new Map<string, Intl.DateTimeFormat>();

function dateIn(instant: string, timeZone: string): string {
  const known =
    calendars.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  calendars.set(timeZone, known);
  return known.format(new Date(instant));
}

function at(shop: Merchant, instants: string[]) {
  return put(
    "activity_logs",
    instants.map((created_at) => logOf(shop.of, { created_at, description: created_at })),
  );
}

type Feed = { data: { description: string }[]; metadata: { total: number } };

async function found(shop: Merchant, start_date: string, end_date: string, more = {}): Promise<string[]> {
  const query = { start_date, end_date, limit: 100, ...more };
  const { status, text, body } = await api<Feed>(shop.admin, "GET", "/api/activity-logs", { query });
  expect(status, `${JSON.stringify(query)} ${text}`).toBe(200);
  expect(body.metadata.total, `total of ${JSON.stringify(query)}`).toBe(body.data.length);
  return body.data.map(({ description }) => description);
}

describe("start_date and end_date: inclusive, read in the account timezone", () => {
  test.each([
    ["UTC", "2026-11-20", "2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
    ["America/New_York, winter", "2026-01-15", "2026-01-15T05:00:00.000Z", "2026-01-16T05:00:00.000Z"],
    [
      "America/New_York, clocks go forward: 23 hours",
      "2026-03-08",
      "2026-03-08T05:00:00.000Z",
      "2026-03-09T04:00:00.000Z",
    ],
    [
      "America/New_York, clocks go back: 25 hours",
      "2026-11-01",
      "2026-11-01T04:00:00.000Z",
      "2026-11-02T05:00:00.000Z",
    ],
    ["Europe/Berlin, forward", "2026-03-29", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["Europe/Berlin, back", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    [
      "Asia/Kathmandu, a quarter of an hour off",
      "2026-06-01",
      "2026-05-31T18:15:00.000Z",
      "2026-06-01T18:15:00.000Z",
    ],
    [
      "Australia/Lord_Howe, half an hour of daylight saving, forward",
      "2026-10-04",
      "2026-10-03T13:30:00.000Z",
      "2026-10-04T13:00:00.000Z",
    ],
    ["Australia/Lord_Howe, back", "2026-04-05", "2026-04-04T13:00:00.000Z", "2026-04-05T13:30:00.000Z"],
    [
      "America/Sao_Paulo, midnight skipped",
      "2018-11-04",
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T02:00:00.000Z",
    ],
    [
      "America/Sao_Paulo, midnight twice",
      "2018-02-17",
      "2018-02-17T02:00:00.000Z",
      "2018-02-18T03:00:00.000Z",
    ],
    [
      "Pacific/Apia, fourteen hours ahead",
      "2026-06-01",
      "2026-05-31T11:00:00.000Z",
      "2026-06-01T11:00:00.000Z",
    ],
    ["Pacific/Chatham", "2026-09-27", "2026-09-26T11:15:00.000Z", "2026-09-27T10:15:00.000Z"],
    ["America/St_Johns", "2026-03-08", "2026-03-08T03:30:00.000Z", "2026-03-09T02:30:00.000Z"],
    ["Africa/Cairo, midnight skipped", "2026-04-24", "2026-04-23T22:00:00.000Z", "2026-04-24T21:00:00.000Z"],
  ])("%s: %s from %s to before %s", async (label, day, start, end) => {
    const shop = await openMerchant({ timezone: label.split(",")[0]! });
    const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
    await at(shop, [justBefore(start), start, justBefore(end), end]);
    expect(await found(shop, day, day)).toEqual([justBefore(end), start]);
    expect(await found(shop, day, day, { actor_type: "system" })).toEqual([justBefore(end), start]);
  });

  test("a date-time means its date in the account's time zone", async () => {
    const shop = await openMerchant({ timezone: "America/New_York" });
    await at(shop, ["2026-01-14T12:00:00.000Z", "2026-01-15T12:00:00.000Z"]);
    expect(await found(shop, "2026-01-15T04:59:59Z", "2026-01-15T04:59:59Z")).toEqual([
      "2026-01-14T12:00:00.000Z",
    ]);
    expect(await found(shop, "2026-01-15T05:00:00Z", "2026-01-15T23:00:00")).toEqual([
      "2026-01-15T12:00:00.000Z",
    ]);
  });

  test("a day that a zone skipped is empty and no error", async () => {
    const shop = await openMerchant({ timezone: "Pacific/Apia" });
    await at(shop, ["2011-12-30T09:59:59.999Z", "2011-12-30T10:00:00.000Z"]);
    expect(await found(shop, "2011-12-30", "2011-12-30")).toEqual([]);
    expect(await found(shop, "2011-12-29", "2011-12-29")).toEqual(["2011-12-30T09:59:59.999Z"]);
    expect(await found(shop, "2011-12-31", "2011-12-31")).toEqual(["2011-12-30T10:00:00.000Z"]);
  });

  test.each(["UTC", "Europe/Berlin", "Pacific/Pago_Pago"])(
    "the ends of the calendar are 200 or 400, and the whole of it holds everything: %s",
    async (timezone) => {
      const shop = await openMerchant({ timezone });
      await at(shop, ["2026-01-14T12:00:00.000Z"]);
      const ends = [
        "0000-01-01",
        "1800-01-01",
        "9999-12-31",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-12:00",
        "0000-01-01T00:00:00+12:00",
      ];
      for (const start_date of ends)
        for (const end_date of [...ends, "2026-12-31"]) {
          const { status, text } = await api(shop.admin, "GET", "/api/activity-logs", {
            query: { start_date, end_date },
          });
          expect([200, 400], `${start_date} to ${end_date}: ${text}`).toContain(status);
        }
      expect(await found(shop, "0001-01-01", "9999-12-31")).toHaveLength(1);
      expect(await found(shop, "1800-01-01", "2026-12-31")).toHaveLength(1);
      const earliest = { start_date: "0000-01-01", end_date: "2026-12-31" };
      const { status, body } = await api<Feed>(shop.admin, "GET", "/api/activity-logs", { query: earliest });
      if (status === 200) expect([body.data.length, body.metadata.total]).toEqual([1, 1]);
    },
  );
});

test("for random zones, instants and ranges: exactly the entries whose date by Intl is in the range, and their count", async () => {
  const zones = [
    "UTC",
    "America/New_York",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "Africa/Cairo",
    "America/St_Johns",
    "Asia/Tehran",
    "Pacific/Chatham",
    "Africa/Casablanca",
  ];
  const quarter = 900_000;
  const quarters = fc.integer({ min: Date.UTC(2017, 0, 1) / quarter, max: Date.UTC(2027, 0, 1) / quarter });
  const instants = fc
    .sample(fc.tuple(quarters, fc.constantFrom(-1, 0, 0, 1, 1000)), { ...seeded(1), numRuns: 95 })
    .map(([nth, off]) => new Date(nth * quarter + off).toISOString());
  const shops = new Map<string, Merchant>();
  for (const timezone of zones) {
    const shop = await openMerchant({ timezone });
    await at(shop, instants);
    shops.set(timezone, shop);
  }
  const days = fc.oneof(fc.constant(0), fc.constant(1), fc.nat(3000));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...instants),
      fc.constantFrom(...zones),
      days,
      async (instant, zone, more) => {
        const first = dateIn(instant, zone);
        const last = new Date(Date.parse(first) + more * 86_400_000).toISOString().slice(0, 10);
        const expected = instants.filter((one) => dateIn(one, zone) >= first && dateIn(one, zone) <= last);
        expect((await found(shops.get(zone)!, first, last)).sort(), `${zone} ${first} ${last}`).toEqual(
          expected.sort(),
        );
      },
    ),
    seeded(60),
  );
});

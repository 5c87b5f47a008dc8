/** A pause ends by itself on its day, once, and charges nothing at once. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { findDue, logged, pausedUntil, processDue, sentBy, tickAt } from "../../support/jobs.ts";
import { put, subscriptionOf } from "../../support/records.ts";
import {
  aContract,
  actionsOf,
  customerOf,
  deliver,
  done,
  entriesOf,
  force,
  inState,
  type Json,
  on,
  openShop,
  rowOf,
  type Shop,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { useAccountPerTest } from "../../support/use-account.ts";
import { setClock } from "../../support/worker.ts";

const shop = useAccountPerTest();
afterEach(() => {
  vi.useRealTimers();
});

/** Calls cron in a minute of the past, and delivers its jobs and those that they send, until there are no more. */
async function minute(at: string) {
  setClock(at);
  for (let sent = await tickAt(at); sent.length > 0; ) sent = await sentBy(sent);
}

function jobsOf(one: Shop, jobs: Json[]) {
  return jobs.filter(({ account_id }) => account_id === one.of.account.id);
}

describe("resume at pause_until", () => {
  test.each<[string, string, string, string]>([
    ["Europe/Berlin, where summer time begins", "Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
    ["Europe/Berlin, the day after", "Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
    ["Europe/Berlin, where it has ended", "Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
    ["New York, where it begins", "America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z"],
    ["New York, the day after", "America/New_York", "2026-03-09", "2026-03-09T04:00:00.000Z"],
    ["New York, where it ends", "America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
    ["Santiago, whose day begins at 01:00", "America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["Kiritimati, first of all", "Pacific/Kiritimati", "2026-06-01", "2026-05-31T10:00:00.000Z"],
    ["Pago Pago, last of all", "Pacific/Pago_Pago", "2026-06-01", "2026-06-01T11:00:00.000Z"],
  ])("%s", async (_, timezone, date, begins) => {
    const id = await pausedUntil(await openShop({ timezone }), date);
    const instant = Date.parse(begins);
    for (const early of [instant - 86_400_000, instant - 3_600_000, instant - 1]) {
      await minute(new Date(early).toISOString());
      expect((await rowOf(id)).status).toBe("PAUSED");
    }
    await minute(begins);
    expect(await rowOf(id)).toMatchObject({ status: "ACTIVE", pause_until: null, paused_at: null });
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "subscription_resumed",
      actor_type: "system",
    });
    await minute(new Date(instant + 60_000).toISOString());
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_resumed"]);
    vi.useRealTimers();
  });

  test("missed ticks are made up for, and nothing is charged at once: dates from tomorrow on", async () => {
    const id = await pausedUntil(shop, "2026-05-01");
    await force(id, {
      anchor_date: "2026-04-20",
      next_delivery_date: "2026-04-20",
      next_billing_date: "2026-04-20",
    });
    await minute("2026-05-04T13:00:00.000Z");
    expect(await rowOf(id)).toMatchObject({ status: "ACTIVE", next_billing_date: "2026-05-11" });
    await minute("2026-05-10T23:59:00.000Z");
    expect(await actionsOf(id)).toEqual([
      "subscription_created",
      "subscription_resumed",
      "payment_reminder_due",
    ]);
  });

  test("doubled ticks and messages resume once", async () => {
    const id = await pausedUntil(shop, "2026-05-01");
    setClock("2026-05-01T00:00:00.000Z");
    const ticks = jobsOf(shop, [...(await tickAt(Date.now())), ...(await tickAt(Date.now()))]);
    expect(ticks).toEqual([findDue(shop), findDue(shop)]);
    const found = await sentBy(ticks);
    expect(found).toEqual([processDue(shop, id), processDue(shop, id)]);
    const acked = ["message-0", "message-1"];
    for (const result of [...(await Promise.all([deliver(found), deliver(found)])), await deliver(found)])
      expect(result).toEqual({ acked, retried: [] });
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_resumed"]);
    expect(await sentBy(ticks)).toEqual([]);
    expect(jobsOf(shop, await tickAt(Date.now()))).toEqual([]);
  });

  test.each<[string, (id: string) => Promise<unknown>, string]>([
    ["cancelled", (id) => done(shop.api, "POST", id, "cancel"), "CANCELLED"],
    [
      "resumed and paused anew",
      async (id) => {
        await done(shop.api, "POST", id, "resume");
        await done(shop.api, "POST", id, "pause");
      },
      "PAUSED",
    ],
    ["put off", (id) => force(id, { pause_until: "2026-06-01" }), "PAUSED"],
  ])("a late message for one that was %s meanwhile changes nothing", async (_, meanwhile, status) => {
    const id = await pausedUntil(shop, "2026-05-01");
    await meanwhile(id);
    setClock("2026-05-02T00:00:00.000Z");
    const row = await rowOf(id);
    expect(await deliver([processDue(shop, id)])).toEqual({ acked: ["message-0"], retried: [] });
    expect(await rowOf(id)).toEqual(row);
    expect(row.status).toBe(status);
  });

  test("one paused anew between the job's look and its write stays paused", async () => {
    const id = await pausedUntil(shop, "2026-05-01");
    setClock("2026-05-01T12:00:00.000Z");
    let reads = 0;
    const DB = interrupted(/JOIN "profiles"/i, {
      after: async () => {
        if (++reads > 1) return;
        await done(shop.api, "POST", id, "resume");
        await done(shop.api, "POST", id, "pause", { pause_until: "2026-08-01" });
      },
    });
    const result = await deliver([processDue(shop, id)], { bindings: { ...env, DB } });
    expect(result).toEqual({ acked: ["message-0"], retried: [] });
    expect(reads).toBeGreaterThan(1);
    expect(await rowOf(id)).toMatchObject({ status: "PAUSED", pause_until: "2026-08-01" });
  });

  test("those whose day has come are found behind any number of those whose day has not", async () => {
    const [west, east] = [
      await openShop({ timezone: "America/Los_Angeles" }),
      await openShop({ timezone: "Asia/Tokyo" }),
    ];
    const waiting = (one: Shop, pause_until: string) =>
      Array.from({ length: 220 }, () =>
        subscriptionOf(one.of, one.profileId, {
          status: "PAUSED",
          pause_until,
          store_contract_id: aContract(),
        }),
      );
    await put("subscriptions", [...waiting(west, "2026-02-02"), ...waiting(east, "2026-02-03")]);
    const id = await pausedUntil(east, "2026-02-02");
    const at = "2026-02-01T16:00:00.000Z";
    setClock(at);
    const ticked = await tickAt(at);
    expect([jobsOf(west, ticked), jobsOf(east, ticked)]).toEqual([[], [findDue(east)]]);
    const [job] = (await logged(() => deliver([findDue(east)]))).filter(({ event }) => event === "job");
    expect(job.rows_read).toBeLessThan(10);
    await minute(at);
    expect((await rowOf(id)).status).toBe("ACTIVE");
    const changed = await select(
      "SELECT id FROM subscriptions WHERE account_seq IN (SELECT seq FROM accounts WHERE id IN (?, ?)) AND status <> 'PAUSED'",
      west.of.account.id,
      east.of.account.id,
    );
    expect(changed).toEqual([{ id }]);
    for (const one of [west, east])
      await execute(
        "UPDATE subscriptions SET pause_until = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        one.of.account.id,
      );
  });

  test("however many are due: a page is cut into messages of twenty, the next follows, none is missed or found twice", async () => {
    const due = Array.from({ length: 1030 }, (_, n) =>
      subscriptionOf(shop.of, shop.profileId, {
        status: "PAUSED",
        pause_until: `2026-01-0${1 + (n % 3)}`,
        store_contract_id: aContract(),
      }),
    );
    await put("subscriptions", due);
    setClock("2026-02-01T00:00:00.000Z");
    const found: string[] = [];
    let pages = 0;
    for (let jobs: Json[] = [findDue(shop)]; jobs.length > 0; pages++) {
      const sent = await sentBy(jobs);
      const pieces = sent.filter(({ type }) => type === "process_due");
      for (const { subscription_ids } of pieces) expect(subscription_ids.length).toBeLessThanOrEqual(20);
      found.push(...pieces.flatMap(({ subscription_ids }) => subscription_ids));
      jobs = sent.filter(({ type }) => type === "find_due");
    }
    expect(pages).toBe(3);
    expect(found.toSorted()).toEqual(due.map(({ id }) => id).toSorted());
    await execute(
      "UPDATE subscriptions SET pause_until = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
  });

  test("one that fails keeps none of the others of its message from its turn, and is tried again", async () => {
    const until = "2026-05-01";
    const [first, bad, last] = [
      await pausedUntil(shop, until),
      await pausedUntil(shop, until),
      await pausedUntil(shop, until),
    ];
    setClock("2026-05-01T00:00:00.000Z");
    const job = processDue(shop, first, bad, last);
    await execute(
      `CREATE TRIGGER no_resume BEFORE UPDATE OF status ON subscriptions WHEN NEW.id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    try {
      const alone = await sentBy([job]);
      expect(alone).toEqual([first, bad, last].map((id) => processDue(shop, id)));
      expect(await deliver(alone)).toEqual({ acked: ["message-0", "message-2"], retried: ["message-1"] });
    } finally {
      await execute("DROP TRIGGER no_resume");
    }
    const statuses = async () =>
      (await Promise.all([first, bad, last].map(rowOf))).map(({ status }) => status);
    expect(await statuses()).toEqual(["ACTIVE", "PAUSED", "ACTIVE"]);
    expect(await deliver([job], { attempts: 2 })).toEqual({ acked: ["message-0"], retried: [] });
    expect(await statuses()).toEqual(["ACTIVE", "ACTIVE", "ACTIVE"]);
    for (const id of [first, bad, last])
      expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_resumed"]);
  });

  test("a pause without end is nobody's to resume", async () => {
    const id = await inState(shop, "PAUSED");
    expect(await deliver([processDue(shop, id)])).toEqual({ acked: ["message-0"], retried: [] });
    await minute("2026-11-01T00:00:00.000Z");
    expect((await rowOf(id)).status).toBe("PAUSED");
  });

  test("a customer's deleted profile does not stop a tick for others", async () => {
    const gone = await customerOf(shop.of);
    await pausedUntil(shop, "2026-05-01", { profile_id: gone.profileId });
    const id = await pausedUntil(shop, "2026-05-01");
    await execute("UPDATE profiles SET deleted_at = updated_at WHERE id = ?", gone.profileId);
    await minute("2026-05-01T00:00:00.000Z");
    expect((await rowOf(id)).status).toBe("ACTIVE");
    expect((await api(shop.api, "GET", on(id))).status).toBe(200);
  });
});

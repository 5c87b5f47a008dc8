import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import worker from "../../src/worker.ts";
import { api, deployment } from "../support/client.ts";
import { execute, select } from "../support/database.ts";
import {
  aContract,
  actionsOf,
  customerOf,
  deliver,
  done,
  entriesOf,
  force,
  inDays,
  inState,
  itemOf,
  type Json,
  type Life,
  life,
  on,
  outbox,
  read,
  rowOf,
  subscribe,
} from "../support/lives.ts";
import { put, seeded, subscriptionOf } from "../support/records.ts";
import { interrupted } from "../support/slow-database.ts";
import { rowsOf } from "../support/snapshot.ts";

let own: Life;
beforeAll(async () => {
  own = await life();
});
afterEach(() => {
  vi.useRealTimers();
});

const link = (id: string, account_id = own.of.account.id) => ({
  type: "sync_contract",
  account_id,
  subscription_id: id,
});
const findDue = (of: Life) => ({ type: "find_due", account_id: of.of.account.id, kind: "schedule" });
const processDue = (of: Life, ...subscription_ids: string[]) => ({
  type: "process_due",
  account_id: of.of.account.id,
  subscription_ids,
});
const broken = (message = "Network connection lost"): Bindings => ({
  ...env,
  DB: interrupted(/./, { before: () => Promise.reject(new Error(message)) }),
});
/** A tick at an instant; what it sends is kept, not delivered. */
const tickAt = async (at: string | number | Date, bindings?: Bindings): Promise<Json[]> => {
  const box = outbox();
  const controller = createScheduledController({ scheduledTime: new Date(at).getTime() });
  await worker.scheduled(controller, bindings ?? box.bindings);
  return box.sent;
};
/** What the consumer sends when it has these; it is kept, not delivered. */
const sentBy = async (jobs: Json[]): Promise<Json[]> => {
  const { sent, bindings } = outbox();
  await deliver(jobs, { bindings });
  return sent;
};
const pausedUntil = async (of: Life, pause_until: string, more: object = {}) => {
  const id = await subscribe(of, { next_delivery_date: "2035-01-01", ...more });
  await force(id, {
    status: "PAUSED",
    paused_at: "2026-01-01T00:00:00.000Z",
    pause_until,
    store_contract_id: aContract(),
  });
  return id;
};
const logged = async (act: () => Promise<unknown>): Promise<Json[]> => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  await act().finally(() => spy.mockRestore());
  return lines.map((line) => JSON.parse(line));
};

describe("sync_contract", () => {
  test("is sent by a creation, once for each subscription", async () => {
    const { sent, bindings } = outbox();
    const body = {
      profile_id: own.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(7),
      lines: [itemOf(own.plan)],
    };
    const { ids } = (await deployment(bindings)(own.api, "POST", "/api/subscriptions", { body })).body;
    expect(sent).toEqual(ids.map((id: string) => link(id)));
  });

  test("links, and logs it as the system's", async () => {
    const id = await subscribe(own);
    expect((await read(own, id)).store_contract_id).toBeNull();
    expect(await deliver([link(id)])).toEqual({ acked: ["message-0"], retried: [] });
    const { store_contract_id, number } = await read(own, id);
    expect(store_contract_id).toEqual(expect.any(Number));
    expect((await entriesOf(id)).at(-1)).toMatchObject({
      action: "store_contract_linked",
      actor_type: "system",
      actor_name: null,
      changes: { store_contract_id: { from: null, to: store_contract_id } },
    });
    const found = await api<Json>(own.api, "GET", "/api/subscriptions", { query: { store_contract_id } });
    expect(found.body.data.map((one: Json) => one.number)).toEqual([number]);
  });

  test("delivered twice, late, out of order, in parallel: linked once", async () => {
    const ids = [await subscribe(own), await subscribe(own), await subscribe(own)];
    const jobs = ids.map((id) => link(id));
    await Promise.all([deliver([...jobs, ...jobs.toReversed()]), deliver(jobs.toReversed()), deliver(jobs)]);
    const again = await deliver(jobs);
    expect(again.retried).toEqual([]);
    for (const id of ids) {
      expect(await actionsOf(id)).toEqual(["subscription_created", "store_contract_linked"]);
      expect((await rowOf(id)).revision).toBe(2);
    }
    const contracts = new Set((await Promise.all(ids.map(rowOf))).map((row) => row.store_contract_id));
    expect(contracts.size).toBe(3);
  });

  test("made at the store, but not recorded: the next delivery records the same contract", async () => {
    const id = await subscribe(own);
    const failing = {
      ...env,
      DB: interrupted(/insert into "activity_logs"/i, {
        before: () => Promise.reject(new Error("Network connection lost")),
      }),
    };
    expect(await deliver([link(id)], { bindings: failing })).toEqual({ acked: [], retried: ["message-0"] });
    const made = await select<{ contract_id: number }>(
      "SELECT contract_id FROM sandbox_contracts WHERE subscription_id = ?",
      id,
    );
    expect(made).toHaveLength(1);
    await deliver([link(id)]);
    expect((await rowOf(id)).store_contract_id).toBe(made[0]!.contract_id);
  });

  test.each(["PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"] as const)(
    "links %s ones too",
    async (state) => {
      const id = await inState(own, state);
      await deliver([link(id)]);
      expect((await rowOf(id)).store_contract_id).not.toBeNull();
    },
  );

  test("does not hold up a change made meanwhile, nor undo it", async () => {
    const id = await subscribe(own);
    await Promise.all([
      deliver([link(id)]),
      done(own.api, "PUT", id, "delivery-instructions", { delivery_instructions: "Ring" }),
    ]);
    expect(await rowOf(id)).toMatchObject({
      delivery_instructions: "Ring",
      store_contract_id: expect.any(Number),
    });
  });
});

describe("the consumer", () => {
  test("acknowledges what it cannot understand, and never throws", async () => {
    const before = await rowsOf(own.of.account.id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.anything({ withDate: true, withMap: true }), { maxLength: 10 }),
        async (bodies) => {
          const { acked, retried } = await deliver(bodies);
          expect([acked.length, retried]).toEqual([bodies.length, []]);
        },
      ),
      seeded(60),
    );
    expect(await rowsOf(own.of.account.id)).toBe(before);
  });

  test.each<[string, () => unknown]>([
    ["an unknown account", () => link(newId(), newId())],
    ["another type", () => ({ ...link(newId()), type: "resume" })],
    ["another type's fields", () => ({ ...link(newId()), type: "charge" })],
    ["no subscription", () => ({ type: "sync_contract", account_id: own.of.account.id })],
    ["nothing to find", () => ({ ...findDue(own), kind: "birthday" })],
  ])("%s is not understood, and acknowledged", async (_, body) => {
    const lines = await logged(async () => {
      expect(await deliver([body()])).toEqual({ acked: ["message-0"], retried: [] });
    });
    expect(lines.map(({ event }) => event)).toEqual(["message_not_understood"]);
  });

  test("a subscription of another account is not touched", async () => {
    const other = await life();
    const [unlinked, paused] = [await subscribe(other), await pausedUntil(other, "2026-05-01")];
    await deliver([link(unlinked), processDue(own, paused)]);
    expect((await rowOf(unlinked)).store_contract_id).toBeNull();
    expect((await rowOf(paused)).status).toBe("PAUSED");
  });

  test("a subscription that does not exist will not come to be: acknowledged, not retried", async () => {
    expect(await deliver([link(newId()), processDue(own, newId())])).toEqual({
      acked: ["message-0", "message-1"],
      retried: [],
    });
  });

  test("one message that fails is retried by itself", async () => {
    const [bad, good] = [await subscribe(own), await subscribe(own)];
    await execute(
      `CREATE TRIGGER no_link BEFORE UPDATE OF store_contract_id ON subscriptions WHEN NEW.id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    try {
      expect(await deliver([link(bad), link(good), "poison"])).toEqual({
        acked: ["message-1", "message-2"],
        retried: ["message-0"],
      });
    } finally {
      await execute("DROP TRIGGER no_link");
    }
    expect(await actionsOf(bad)).toEqual(["subscription_created"]);
    await deliver([link(bad)], { attempts: 2 });
    expect((await rowOf(bad)).store_contract_id).not.toBeNull();
  });

  test("a database that is gone: everything is retried, nothing thrown", async () => {
    for (const attempts of [1, 5, 100]) {
      const jobs = [link(newId()), findDue(own), processDue(own, newId())];
      const result = await deliver(jobs, { bindings: broken(), attempts });
      expect(result).toEqual({ acked: [], retried: ["message-0", "message-1", "message-2"] });
    }
  });

  test("a wrong setting: everything is retried, nothing thrown", async () => {
    const bindings = { ...env, JWT_ISSUER: "alone" } as Bindings;
    expect((await deliver([link(newId())], { bindings })).retried).toEqual(["message-0"]);
  });

  test("dead letters are told and acknowledged, whatever they are", async () => {
    const id = await subscribe(own);
    const lines = await logged(async () => {
      const result = await deliver([link(id), { any: "thing", email: "ada@customers.test" }, null], {
        queue: "perennial-jobs-dlq",
      });
      expect(result).toEqual({ acked: ["message-0", "message-1", "message-2"], retried: [] });
    });
    const dead = lines.filter(({ event }) => event === "dead_letter");
    expect(dead.map(({ alert, body }) => [alert, body])).toEqual([
      [true, link(id)],
      [true, null],
      [true, null],
    ]);
    expect(JSON.stringify(lines)).not.toContain("ada@");
    expect((await rowOf(id)).store_contract_id).toBeNull();
  });
});

describe("the sweep", () => {
  const sentFor = (sent: Json[], id: string) => sent.filter(({ subscription_id }) => subscription_id === id);

  test("finds a lost message after a minute, not before; once linked, never again", async () => {
    const id = await subscribe(own);
    const at = Date.parse((await rowOf(id)).created_at);
    expect(sentFor(await tickAt(at + 59_000), id)).toEqual([]);
    const sent = sentFor(await tickAt(at + 61_000), id);
    expect(sent).toEqual([link(id)]);
    expect(sentFor(await tickAt(at + 121_000), id)).toEqual([link(id)]);
    await deliver(sent);
    expect(sentFor(await tickAt(at + 181_000), id)).toEqual([]);
  });

  test("a creation whose queue is down succeeds all the same, and is swept", async () => {
    const JOBS = { sendBatch: () => Promise.reject(new Error("queue down")) } as unknown as Queue<unknown>;
    const body = {
      profile_id: own.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: inDays(7),
      lines: [itemOf(own.plan)],
    };
    const created = await deployment({ JOBS })(own.api, "POST", "/api/subscriptions", { body });
    expect(created.status).toBe(201);
    const [id] = created.body.ids;
    await deliver(sentFor(await tickAt(Date.now() + 61_000), id));
    expect((await rowOf(id)).store_contract_id).not.toBeNull();
  });

  test("a tick whose queue is down does not throw; the next one sends", async () => {
    const id = await subscribe(own);
    const JOBS = { sendBatch: () => Promise.reject(new Error("queue down")) } as unknown as Queue<unknown>;
    await tickAt(Date.now() + 61_000, { ...env, JOBS });
    expect(sentFor(await tickAt(Date.now() + 121_000), id)).toHaveLength(1);
  });

  test("more than one tick's worth comes in turn", async () => {
    const shop = await life();
    const rows = Array.from({ length: 250 }, () =>
      subscriptionOf(shop.of, shop.profileId, {
        created_at: "2020-01-01T00:00:00.000Z",
        store_contract_id: null,
      }),
    );
    await put("subscriptions", rows);
    const ours = (sent: Json[]) => sent.filter(({ account_id }) => account_id === shop.of.account.id);
    const first = ours(await tickAt(Date.now()));
    expect(first.length).toBeLessThan(250);
    expect(new Set(first.map(({ subscription_id }) => subscription_id)).size).toBe(first.length);
    await execute(
      "UPDATE subscriptions SET store_contract_id = seq WHERE account_id = ? AND id IN (SELECT value FROM json_each(?))",
      shop.of.account.id,
      JSON.stringify(first.map((job) => job.subscription_id)),
    );
    expect(ours(await tickAt(Date.now()))).toHaveLength(250 - first.length);
  });
});

describe("resume at pause_until", () => {
  let shop: Life;
  beforeEach(async () => {
    shop = await life();
  });

  /** The clock of the whole Worker; timers run on. Days gone by only: ids are made of the time, and never go back. */
  const setClock = (at: string) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(new Date(at));
  };
  /** A minute of the cron: what the tick sends is delivered, and what that sends, until nothing more is. */
  const minute = async (at: string) => {
    setClock(at);
    for (let sent = await tickAt(at); sent.length > 0; ) sent = await sentBy(sent);
  };
  const jobsOf = (one: Life, jobs: Json[]) =>
    jobs.filter(({ account_id }) => account_id === one.of.account.id);

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
    const id = await pausedUntil(await life({ timezone }), date);
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
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_resumed"]);
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
      await life({ timezone: "America/Los_Angeles" }),
      await life({ timezone: "Asia/Tokyo" }),
    ];
    const waiting = (one: Life, pause_until: string) =>
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
      "SELECT id FROM subscriptions WHERE account_id IN (?, ?) AND status <> 'PAUSED'",
      west.of.account.id,
      east.of.account.id,
    );
    expect(changed).toEqual([{ id }]);
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
    expect(pages).toBe(2);
    expect(found.toSorted()).toEqual(due.map(({ id }) => id).toSorted());
    await execute("UPDATE subscriptions SET pause_until = NULL WHERE account_id = ?", shop.of.account.id);
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
      expect(await deliver([job])).toEqual({ acked: [], retried: ["message-0"] });
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

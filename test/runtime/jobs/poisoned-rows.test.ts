/** A row that breaks the code fails by itself, and holds up no other. */
import { describe, expect, test, vi } from "vitest";
import type { Job } from "../../../src/base/job.ts";
import { exported, fetchPart } from "../../domain/exports/exporting.ts";
import { cellsIn, forecast, takeForecast } from "../../domain/goods/forecasts.ts";
import {
  rowOf as importRow,
  path as importsPath,
  moveIn,
  outcomesOf,
  stage,
} from "../../domain/imports/imports.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { findDue, logged, sentBy } from "../../support/jobs.ts";
import {
  deliver,
  done,
  inDays,
  type Json,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  later,
  linked,
  openWorker,
  startClock,
  useWorker,
} from "../../support/worker.ts";

/**
 * Every kind of message, and what a stored row that breaks the code does to the others: `walks` go over many rows, and are tested here or in
 * the file that is named; `one` is about one record, whose message alone comes again; `sql` never reads a row into the code.
 */
const kinds: Record<Job["type"], "walks" | "one" | "sql" | `test/${string}`> = {
  sync_contract: "one",
  refresh_contract: "one",
  refresh_payment_method: "one",
  sync_plan: "one",
  notify_customer: "one",
  set_up_store: "test/edges/webhooks/selling-plans.test.ts",
  find_due: "walks",
  process_due: "walks",
  charge: "one",
  reconcile: "test/domain/billing/reconcile.test.ts",
  reconcile_disputes: "test/stores/stripe/disputes-reconciled.test.ts",
  reconcile_refunds: "test/stores/stripe/refunds-reconciled.test.ts",
  refund_order: "one",
  carry_out: "one",
  erase_profile: "walks",
  webhook: "one",
  deliver_event: "test/domain/webhook-endpoints/shares.test.ts",
  recover_events: "sql",
  apply_reminders: "sql",
  follow_closed_days: "walks",
  request_login: "one",
  mail_staff_link: "one",
  work_job: "walks",
  work_rows: "walks",
  take_forecast: "sql",
  advance_clock: "walks",
};

const worker = useWorker();

/** Breaks a stored subscription: whatever works out what it costs throws. */
function poison(id: string): Promise<unknown> {
  return execute("UPDATE subscriptions SET discounts = '[' WHERE id = ?", id);
}

function alertsAbout(lines: Json[], names: object): Json[] {
  const wanted = Object.entries(names);
  return lines.filter((line) => line.alert && wanted.every(([name, value]) => line[name] === value));
}

async function jobOf(shop: Shop, id: string): Promise<Json> {
  return (await api(shop.api, "GET", `/api/jobs/${id}`)).body.data;
}

async function rowsOf(shop: Shop, id: string): Promise<Json[]> {
  return (await api(shop.api, "GET", `/api/jobs/${id}/rows`, { query: { limit: 100 } })).body.data;
}

/** Whether another job of the account may change subscriptions. */
async function isTurnFree(shop: Shop): Promise<boolean> {
  const body = { action: "resume", input: {}, filter: { search: "nobody at all" } };
  return (await api(shop.api, "POST", "/api/bulk", { body })).status === 202;
}

const sentence = "Something went wrong on our side";

describe("a row that breaks the code is its own failure", () => {
  test("in a bulk job and in its undoing; a dry run shows it", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++)
      ids.push(await linked(shop, worker, { next_delivery_date: inDays(30) }));
    await poison(ids[1]!);
    const body = {
      action: "change_price",
      input: { store_variant_id: "variant-1", price: 9, from_cycle: 1 },
      ids,
    };
    for (const dry_run of [true, false]) {
      let id = "";
      const lines = await logged(async () => {
        id = (await worker.call(shop.api, "POST", "/api/bulk", { body, query: { dry_run } })).body.data.id;
        await worker.drain();
      });
      expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 2, failed: 1, skipped: 0 });
      expect((await rowsOf(shop, id)).map(({ status, errors }) => [status, errors])).toEqual([
        ["OK", []],
        ["FAILED", [{ path: "", message: sentence }]],
        ["OK", []],
      ]);
      expect(alertsAbout(lines, { job_id: id, n: 2 })).toMatchObject([
        { event: "job_row_failed", cause: expect.stringContaining("SyntaxError") },
      ]);
      expect(await isTurnFree(shop)).toBe(true);
      if (dry_run) continue;
      await poison(ids[2]!);
      await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`);
      await worker.drain();
      expect(await jobOf(shop, id)).toMatchObject({ status: "UNDONE", done: 1, undone: 1 });
      expect((await rowsOf(shop, id)).at(-1)).toMatchObject({
        status: "OK",
        errors: [{ path: "", message: sentence }],
      });
      expect(await isTurnFree(shop)).toBe(true);
    }
  });

  test.each(["csv", "orders"])("in the check and the writing of an import of %s", async (format) => {
    const shop = await openShop();
    const refs = ["a", "b", "c"];
    const { ids } = await moveIn(shop, worker, [importRow(shop, "s")]);
    const rows =
      format === "csv"
        ? refs.map((ref) => importRow(shop, ref))
        : refs.map((ref) => ({
            ...{ order_ref: ref, subscription_ref: "s", ordered_at: "2026-01-01", total: 5 },
          }));
    expect(ids.s).toBeDefined();
    for (const when of ["checked", "written"]) {
      const id = await stage(shop, rows.slice(), { format, source: "old-shop" });
      const breakOne = () =>
        execute(`UPDATE import_lines SET line = '{"faults":[]}' WHERE job_id = ? AND ref = 'b'`, id);
      if (when === "checked") await breakOne();
      await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit: false } });
      await worker.drain();
      if (when === "written") await breakOne();
      const lines = await logged(async () => {
        await worker.call(shop.api, "POST", `/api/jobs/${id}/start`, { body: { commit: true } });
        await worker.drain();
      });
      expect(await jobOf(shop, id), when).toMatchObject({ status: "DONE", failed: 1 });
      expect((await outcomesOf(shop, id)).b, when).toEqual(["FAILED", ` ${sentence}`]);
      if (when === "written") expect(alertsAbout(lines, { job_id: id, n: 2 })).toHaveLength(1);
      expect(await isTurnFree(shop)).toBe(true);
    }
    const kind = format === "csv" ? "subscription" : "order";
    const written = await select(
      "SELECT ref FROM import_refs WHERE kind = ? AND account_seq = (SELECT seq FROM accounts WHERE id = ?) ORDER BY ref",
      ...[kind, shop.of.account.id],
    );
    expect(written.map(({ ref }) => ref)).toEqual(format === "csv" ? ["a", "c", "s"] : ["a", "c"]);
  });

  test("in the release of an import, and in its undoing", async () => {
    const shop = await openShop();
    const { id, ids } = await moveIn(
      shop,
      worker,
      ["a", "b", "c"].map((ref) => importRow(shop, ref)),
    );
    await execute(
      "CREATE TRIGGER unreleased BEFORE UPDATE ON import_refs WHEN NEW.ref = 'b' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    try {
      const lines = await logged(async () => {
        await worker.call(shop.api, "POST", `${importsPath}/${id}/release`);
        await worker.drain();
      });
      expect(alertsAbout(lines, { job_id: id, n: 2 })).toHaveLength(1);
    } finally {
      await execute("DROP TRIGGER unreleased");
    }
    const held = async (ref: string) => (await read(shop, ids[ref]!)).billing_blocked_reason;
    expect([await held("a"), await held("b"), await held("c")]).toEqual([null, "import_held", null]);
    expect((await rowsOf(shop, id))[1]).toMatchObject({ status: "OK", errors: [{ message: sentence }] });
    await execute(
      "CREATE TRIGGER undeleted BEFORE DELETE ON import_refs WHEN OLD.ref = 'a' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    try {
      await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`);
      await worker.drain();
    } finally {
      await execute("DROP TRIGGER undeleted");
    }
    expect(await jobOf(shop, id)).toMatchObject({ status: "UNDONE", done: 1, undone: 2 });
    expect(await isTurnFree(shop)).toBe(true);
  });

  test("in a forecast, of a run, of a night and of the next deliveries: the others are counted", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await linked(shop, worker, { next_delivery_date: inDays(5) }));
    await poison(ids[1]!);
    const { number } = (
      await select<{ number: number }>("SELECT number FROM subscriptions WHERE id = ?", ids[1]!)
    )[0]!;
    const days = { from: inDays(0), to: inDays(6) };
    const lines = await logged(async () => {
      const { id } = (await takeForecast(shop, worker, days)).body.data;
      expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", summary: { left_out: 1 } });
      expect(await rowsOf(shop, id)).toMatchObject([
        {
          status: "OK",
          summary: { subscriptions: 2 },
          errors: [{ path: `subscriptions.${number}`, message: sentence }],
        },
      ]);
    });
    expect(alertsAbout(lines, { event: "record_failed", subscription_id: ids[1]! })).toHaveLength(1);
    expect(cellsIn(await forecast(shop, { ...days, horizon: "projected" }))).toEqual([
      `${inDays(5)} variant-1 0/2/0`,
    ]);
    await worker.call(shop.api, "POST", `/api/subscriptions/${ids[0]}/pause`, {
      body: { pause_until: inDays(2) },
    });
    await execute(
      "UPDATE subscriptions SET status = 'PAUSED', pause_until = ?, paused_at = created_at WHERE id = ?",
      inDays(2),
      ids[1]!,
    );
    expect((await api(shop.api, "GET", "/api/forecast/goods", { query: days })).status).toBe(200);
    expect(await isTurnFree(shop)).toBe(true);
  });
});

describe("a record that breaks the code holds up no other", () => {
  test("of those that are due: it alone is tried again, and named", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await linked(shop, worker, { next_delivery_date: inDays(0) }));
    await poison(ids[1]!);
    const lines = await logged(async () => {
      for (let jobs: Json[] = [findDue(shop)]; jobs.length > 0; ) jobs = await sentBy(jobs);
    });
    for (const id of [ids[0]!, ids[2]!])
      expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(alertsAbout(lines, { task: "process_due", subscription_id: ids[1]! })).toHaveLength(1);
    await execute("UPDATE subscriptions SET status = 'CANCELLED', discounts = '[]' WHERE id = ?", ids[1]!);
  });

  test("of those that a test clock passes: it moves on to its target", async () => {
    const shop = await openShop();
    await startClock(shop, new Date().toISOString());
    const ids = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await linked(shop, worker, { next_delivery_date: inDays(2) }));
    await poison(ids[1]!);
    const lines = await logged(() => advance(shop, worker, 4));
    for (const id of [ids[0]!, ids[2]!])
      expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(alertsAbout(lines, { task: "process_due", subscription_id: ids[1]! }).length).toBeGreaterThan(0);
  });

  test.each([
    ["reminder", "payment_reminder", "subscription_id"],
    ["expiring payment method", "expiring_method", "payment_method_id"],
  ])("a %s that cannot be recorded", async (_, task, name) => {
    const shop = await openShop();
    await startClock(shop, "2034-12-10T12:00:00.000Z");
    const ids = [];
    for (let nth = 0; nth < 5; nth++) {
      const payment = { store_payment_method_id: `pm_${nth}` };
      ids.push(await linked(shop, worker, { next_delivery_date: "2034-12-13", ...payment }));
    }
    const methods = await select<{ id: string }>(
      `SELECT payment_method_id AS id FROM subscriptions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY number`,
      JSON.stringify(ids),
    );
    const bad = name === "subscription_id" ? ids[2]! : methods[2]!.id;
    const [table, column] =
      name === "subscription_id"
        ? ["subscriptions", "last_payment_reminder_billing_date"]
        : ["payment_methods", "expiry_seen_of"];
    await execute(
      `CREATE TRIGGER unnoted BEFORE UPDATE OF ${column} ON ${table} WHEN NEW.id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    try {
      const message = { type: "find_due", account_id: shop.of.account.id, kind: "reminder" };
      const lines = await logged(async () => {
        for (let jobs: Json[] = [message]; jobs.length > 0; ) jobs = await sentBy(jobs);
      });
      expect(alertsAbout(lines, { task, [name]: bad }).length).toBeGreaterThan(0);
    } finally {
      await execute("DROP TRIGGER unnoted");
    }
    const types =
      name === "subscription_id" ? "subscription.payment_reminder_due" : "payment_method.expiring";
    const { data } = (await api(shop.api, "GET", "/api/events", { query: { types, limit: 100 } })).body;
    expect(data).toHaveLength(4);
  });

  test("of those whose dates follow closed days", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await subscribe(shop, { next_delivery_date: inDays(40) }));
    await execute("UPDATE subscriptions SET anchor_date = 'soon' WHERE id = ?", ids[1]!);
    const closed = { from: inDays(40), to: inDays(40), rule: "later", label: "Holiday" };
    const own = openWorker({}, shop.of.account.id);
    const lines = await logged(async () => {
      await own.call(shop.api, "POST", "/api/subscriptions/closed-days", { body: closed });
      await own.drain();
      for (let minute = 1; minute <= 3; minute++) await later(own, 61);
    });
    vi.useRealTimers();
    for (const id of [ids[0]!, ids[2]!])
      expect(await read(shop, id)).toMatchObject({ next_delivery_date: inDays(41) });
    expect(
      alertsAbout(lines, { task: "follow_closed_days", subscription_id: ids[1]! }).length,
    ).toBeGreaterThan(0);
    const walks = "SELECT walk FROM closed_days WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)";
    expect(await select(walks, shop.of.account.id)).toEqual([{ walk: null }]);
  });

  test("of a customer who is erased: everything else of them is", async () => {
    const shop = await openShop();
    const [good, bad] = [await subscribe(shop, { note: "personal" }), await subscribe(shop)];
    for (const id of [good, bad]) await done(shop.api, "POST", id, "cancel");
    await execute(
      `CREATE TRIGGER unerased BEFORE UPDATE OF delivery_address, note ON subscriptions WHEN NEW.id = '${bad}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    const body = { profile_id: shop.profileId };
    await worker.call(shop.api, "POST", "/api/portal/sessions", { body });
    const linksOf = () => select("SELECT id FROM portal_links WHERE profile_id = ?", shop.profileId);
    const erase = { type: "erase_profile", account_id: shop.of.account.id, profile_id: shop.profileId };
    try {
      await api(shop.admin, "DELETE", `/api/profiles/${shop.profileId}`, { query: { erase: "true" } });
      const lines = await logged(() => deliver([erase]));
      expect(alertsAbout(lines, { task: "erase_customer", profile_id: shop.profileId })).toHaveLength(1);
      expect(await linksOf()).toEqual([]);
    } finally {
      await execute("DROP TRIGGER unerased");
    }
    const open = "SELECT profile_id FROM profile_erasures WHERE profile_id = ?";
    expect(await select(open, shop.profileId)).toHaveLength(1);
    await later(openWorker({}, shop.of.account.id), 16 * 60);
    vi.useRealTimers();
    expect(await select(open, shop.profileId)).toEqual([]);
  });

  test("of an export's part is left out, and counted in its last line", async () => {
    const shop = await openShop();
    const ids = [];
    for (let nth = 0; nth < 3; nth++) ids.push(await subscribe(shop));
    await poison(ids[1]!);
    for (const format of ["jsonl", "csv"]) {
      let text = "";
      const lines = await logged(async () => {
        const { parts } = await exported(shop.api, { resource: "subscriptions", format });
        text = (await fetchPart(parts[0].url)).text;
      });
      for (const [nth, id] of ids.entries()) expect(text.includes(id), `${format} ${nth}`).toBe(nth !== 1);
      expect(text.trimEnd().split("\n").at(-1)).toMatch(
        format === "csv"
          ? /^# end,2,[0-9a-f]{64},1$/
          : /^\{"end":true,"rows":2,"sha256":"[0-9a-f]{64}","left_out":1\}$/,
      );
      expect(alertsAbout(lines, { task: "export" })).toHaveLength(1);
    }
  });
});

test("each kind of message that walks over rows is among these, or named with its file", () => {
  const walks = Object.entries(kinds).flatMap(([type, how]) => (how === "walks" ? [type] : []));
  expect(walks).toEqual([
    ...["find_due", "process_due", "erase_profile", "follow_closed_days"],
    ...["work_job", "work_rows", "advance_clock"],
  ]);
});

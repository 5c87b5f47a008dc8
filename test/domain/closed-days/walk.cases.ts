import { expect, test, vi } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { entriesOf, inDays, type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { later, useWorker } from "../../support/worker.ts";

/** The walk's tests, on the engine of the file that has them. */
export function walkMovesOnce(): void {
  const path = "/api/subscriptions/closed-days";
  const worker = useWorker();

  async function close(of: Shop, body: object = {}): Promise<string> {
    const closed = { from: inDays(40), to: inDays(40), rule: "later", label: "Holiday", ...body };
    return (await worker.call(of.api, "POST", path, { body: closed })).body.data.id;
  }

  /** More subscriptions than a page has, all with one date. */
  async function manyOn(of: Shop, day: string): Promise<string[]> {
    const first = await subscribe(of, { next_delivery_date: day });
    const ids = [first];
    while (ids.length < 30) ids.push(await subscribe(of, { next_delivery_date: day }));
    return ids;
  }

  async function deliveryDates(of: Shop, ids: string[]): Promise<Set<string>> {
    return new Set((await Promise.all(ids.map((id) => read(of, id)))).map((one) => one.next_delivery_date));
  }

  async function walkOf(id: string): Promise<Json> {
    const [row] = await select<{ walk: string | null }>("SELECT walk FROM closed_days WHERE id = ?", id);
    return JSON.parse(row?.walk ?? "null");
  }

  test("a page that is done twice, as its message came again, moves each date once", async () => {
    const of = await openShop();
    const ids = await manyOn(of, inDays(40));
    const id = await close(of);
    const before = await walkOf(id);
    const [message] = worker.sent().filter(({ type }) => type === "follow_closed_days");
    await worker.drain();
    expect(await walkOf(id)).toMatchObject({ isSecond: true });
    await execute(
      "UPDATE closed_days SET walk = ?, next_action_at = '2026-01-01T00:00:00.000Z' WHERE id = ?",
      JSON.stringify(before),
      id,
    );
    expect(message).toMatchObject({ closed_day_id: id });
    await later(worker, 61);
    vi.useRealTimers();
    expect(await walkOf(id)).toMatchObject({ isSecond: true });
    await later(worker, 122);
    vi.useRealTimers();
    expect(await walkOf(id)).toBeNull();
    expect(await deliveryDates(of, ids)).toEqual(new Set([inDays(41)]));
    for (const each of ids)
      expect((await entriesOf(each)).filter(({ action }) => action === "delivery_rescheduled")).toMatchObject(
        [{ actor_type: "system", metadata: { closed_day_id: id, label: "Holiday" } }],
      );
  });

  test("the sweep goes on where a message was lost", async () => {
    const of = await openShop();
    const ids = await manyOn(of, inDays(40));
    const id = await close(of);
    worker.forget();
    expect(await deliveryDates(of, ids)).toEqual(new Set([inDays(40)]));
    await later(worker, 61);
    vi.useRealTimers();
    expect(await deliveryDates(of, ids)).toEqual(new Set([inDays(41)]));
    await api(of.api, "DELETE", `${path}/${id}`);
    await later(worker, 61);
    vi.useRealTimers();
    expect(await deliveryDates(of, ids)).toEqual(new Set([inDays(40)]));
  });

  test("a change while dates are being moved has them worked out by its own days", async () => {
    const of = await openShop();
    const ids = await manyOn(of, inDays(40));
    const id = await close(of);
    await worker.call(of.api, "PUT", `${path}/${id}`, { body: { rule: "earlier" } });
    await worker.drain();
    expect(await deliveryDates(of, ids)).toEqual(new Set([inDays(39)]));
  });

  test("a charge is not moved to before a date that its reminder has told", async () => {
    const of = await openShop();
    const id = await subscribe(of, { next_delivery_date: inDays(3) });
    await execute(
      "UPDATE subscriptions SET last_payment_reminder_billing_date = next_billing_date WHERE id = ?",
      id,
    );
    await close(of, { from: inDays(3), to: inDays(3), rule: "earlier" });
    await worker.drain();
    expect((await read(of, id)).next_billing_date).toBe(inDays(4));
  });

  test("an undone skip leads to a date that is open", async () => {
    const of = await openShop();
    const id = await subscribe(of, { next_delivery_date: inDays(40) });
    await worker.call(of.api, "POST", `/api/subscriptions/${id}/skip-deliveries`, { body: {} });
    await close(of);
    await worker.drain();
    const undone = await worker.call(of.api, "POST", `/api/subscriptions/${id}/unskip`);
    expect([undone.status, undone.body.data.next_delivery_date]).toEqual([200, inDays(41)]);
  });

  test("a page of the walk reads few rows", async () => {
    const of = await openShop();
    const lines: Json[] = [];
    const log = vi
      .spyOn(console, "log")
      .mockImplementation((line: string) => void lines.push(JSON.parse(line)));
    await manyOn(of, inDays(40));
    await close(of);
    await worker.drain();
    log.mockRestore();
    const walks = lines.filter(({ event, type }) => event === "job" && type === "follow_closed_days");
    expect(walks.length).toBeGreaterThan(1);
    for (const { rows_read } of walks) expect(rows_read).toBeLessThan(1500);
  });
}

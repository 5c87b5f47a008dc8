import { expect, vi } from "vitest";
import { markContractChanged } from "../../../src/domain/contracts/outbox.ts";
import { ctxOn } from "../../support/ctx.ts";
import { testDb } from "../../support/database.ts";
import { deliver, entriesOf, type Json, read } from "../../support/shops.ts";
import { gate } from "../../support/slow-database.ts";
import { setClock } from "../../support/worker.ts";
import { contractOf } from "./mirrored.ts";
import type { ConnectedShop } from "./shop.ts";

/** Requests about a subscription, and what follows from them at its store. */
export function syncSteps(shop: ConnectedShop, idOf: () => string) {
  const asked = async (method: string, path: string, body?: Json): Promise<Json> => {
    const {
      status,
      text,
      body: answer,
    } = await shop.worker.call(
      shop.merchant.api,
      method,
      `/api/subscriptions/${idOf()}/${path}`,
      body === undefined ? {} : { body },
    );
    if (status >= 300) throw new Error(`${status} ${text}`);
    return answer;
  };
  const firstLine = async (): Promise<string> => (await read(shop.merchant, idOf())).lines[0].id;
  const refusals = async (): Promise<Json[]> =>
    (await entriesOf(idOf())).filter(({ action }) => action === "store_sync_refused");

  /** A quarter of an hour later a webhook of Shopify has the contract checked. */
  const noticed = async (): Promise<void> => {
    vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
    const { store_contract_id } = await read(shop.merchant, idOf());
    const realNow = new Date().toISOString();
    if (store_contract_id !== null)
      await markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
    await shop.worker.tick(Date.now() + 1000);
  };

  const moved = (address1: string) =>
    asked("PUT", "delivery-address", {
      address1,
      city: "Hamburg",
      zip: "20095",
      country: "Germany",
      country_code: "DE",
    });
  const goesTo = async (): Promise<string> => JSON.stringify((await contractOf(shop, idOf())).deliveryMethod);

  /** A sync that is held up at a request of its own, or at the answer, for longer than its lease lasts; what it returns lets it go on. */
  const overtakenAt = async (
    point: "request" | "answer",
    operation: string,
  ): Promise<() => Promise<void>> => {
    const { pass, reached, open } = gate();
    const store = fetch;
    vi.stubGlobal("fetch", async (...[input, init]: Parameters<typeof fetch>) => {
      const isHeld = String(init?.body).includes(operation);
      if (isHeld && point === "request") await pass();
      const answer = await store(input, init);
      if (isHeld && point === "answer") await pass();
      return answer;
    });
    const jobs = shop.worker.sent();
    shop.worker.forget();
    const late = deliver(jobs, { bindings: shop.worker.bindings });
    await reached;
    vi.stubGlobal("fetch", store);
    setClock(Date.now() + 121_000);
    return async () => {
      open();
      await late;
    };
  };

  /** A sync that was held up where it begins sends an older address after the newest, and its answer is lost: that address does not stay. */
  const expectNewestAddress = async (begin: string, commit: string): Promise<void> => {
    await moved("Neue Str. 3");
    const late = await overtakenAt("request", begin);
    await moved("Neue Str. 2");
    await shop.worker.drain();
    shop.store.fail({ kind: "network", effect: "done", on: commit });
    await late();
    expect(await goesTo()).toContain("Neue Str. 3");
    await noticed();
    expect(await goesTo()).toContain("Neue Str. 2");
  };

  const line = (variant: string, more: Json = {}): Json => ({
    store_product_id: "31002",
    store_variant_id: variant,
    product_title: "Treats",
    selling_plan_id: shop.plan,
    price: 5,
    quantity: 1,
    ...more,
  });
  return { asked, firstLine, refusals, noticed, moved, goesTo, overtakenAt, expectNewestAddress, line };
}

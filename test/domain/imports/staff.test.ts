/** An import by an admin's token is that person's, and so is whatever is done to its job. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { entriesOf, type Json, openShop, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { jobOf, moveIn, must, release, rowOf } from "./imports.ts";

const worker = useWorker();

test("an import with an admin's token beside the key is that person's, and so is whatever is done to its job", async () => {
  const shop = await openShop();
  const byStaff: Shop = { ...shop, api: shop.admin };
  const { id, ids } = await moveIn(byStaff, worker, [rowOf(shop, "a"), rowOf(shop, "b")]);
  await release(byStaff, worker, id, { subscription_refs: ["a"] });
  await release(byStaff, worker, id);
  must(await worker.call(shop.admin, "POST", `/api/jobs/${id}/undo`));
  must(await worker.call(shop.admin, "POST", `/api/jobs/${id}/pause`));
  expect(await jobOf(shop, id)).toMatchObject({ created_by: "Ada Admin", status: "PAUSED" });
  const { data } = must(await api(shop.api, "GET", "/api/events", { query: { types: "job.*" } }));
  const asked = ["job.created", "job.check_started", "job.undo_started", "job.paused"];
  const events: Json[] = data.filter(({ type }: Json) => asked.includes(type));
  expect(events.map(({ type }) => type)).toEqual(asked);
  const entries = [...(await entriesOf(ids.a!)), ...(await entriesOf(ids.b!))].filter(
    ({ action }) => action !== "store_contract_linked",
  );
  expect(entries).toHaveLength(4);
  for (const each of [...events, ...entries])
    expect(each, JSON.stringify(each)).toMatchObject({ actor_type: "admin", actor_name: "Ada Admin" });
});

/** Both forms of an internationalized e-mail address are one customer's. */
import { expect, test } from "vitest";
import { openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { type Json, openShop, refusal } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { csv, moveIn, rowOf } from "../imports/imports.ts";
import { endpointsOf, network } from "../webhook-endpoints/receiver.ts";

const worker = useWorker();
network();
const [letters, ascii] = ["Ada@Müller.example", "ada@xn--mller-kva.example"];

/** A shop with a customer whose address has such a domain, and the customer's id. */
async function opened(email: string) {
  const shop = await openShop();
  const { body } = await api(shop.admin, "POST", "/api/profiles", { body: { email } });
  return { shop, id: body.data.id as string };
}

test.each([
  [letters, ascii],
  [ascii, letters],
])(
  "the customer %s is that of %s: found, not made a second time, and sent to the address that is kept",
  async (email, other) => {
    const { shop, id } = await opened(email);
    const found = await api<Json>(shop.admin, "GET", "/api/profiles", { query: { email: other } });
    expect(found.body.data.map((one: Json) => [one.id, one.email])).toEqual([[id, email]]);
    const again = await api(shop.admin, "POST", "/api/profiles", { body: { email: other } });
    expect(refusal(again)[0]).toBe(409);
    await switchOn(worker, shop);
    await endpointsOf(shop, worker).create({ event_types: ["portal.*"] });
    await openVisitor(worker, shop).post("/login", { email: other });
    await worker.drain();
    const { body } = await api(shop.api, "GET", "/api/events", {
      query: { types: "portal.login_requested" },
    });
    expect(body.data.map(({ subject }: Json) => subject.id)).toEqual([id]);
  },
);

test("an upload may not have both forms, and changes who is there by either", async () => {
  const { shop, id } = await opened(letters);
  const upload = (text: string) =>
    api(shop.admin, "POST", "/api/profiles/bulk-upload", { raw: text, headers: { "Content-Type": csv } });
  expect(refusal(await upload(`email\n${letters}\n${ascii}\n`))).toEqual([400, "VALIDATION_FAILED"]);
  expect((await upload(`email,city\n${ascii},Köln\n`)).status).toBe(200);
  const { body } = await api(shop.admin, "GET", `/api/profiles/${id}`);
  expect(body.data.city).toBe("Köln");
});

test("rows that are moved in with either form are one customer's", async () => {
  const { shop, id } = await opened(letters);
  const rows = [letters, ascii].map((email, nth) => rowOf(shop, `ref-${nth}`, { email }));
  const { ids } = await moveIn(shop, worker, rows);
  const owners = await select<{ profile_id: string }>(
    "SELECT profile_id FROM subscriptions WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(Object.values(ids)),
  );
  expect(owners.map(({ profile_id }) => profile_id)).toEqual([id, id]);
});

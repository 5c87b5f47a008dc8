/** A session of staff opens the console of its own shop alone, and nobody is signed in by a cookie that was planted before. */
import { beforeEach, describe, expect, test } from "vitest";
import { ownOrders } from "../../domain/orders/own-orders.ts";
import { select } from "../../support/database.ts";
import { openShop, read, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { addMember, inviteLink, openConsole, signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

type Visitor = ReturnType<typeof openConsole>;

function planted(visitor: Visitor, value: string): Visitor {
  visitor.cookies.set("__Host-perennial-console", value);
  return visitor;
}

describe("a cookie that somebody else has planted", () => {
  test("with a session of its own choice is never signed in: the link makes another, and the planted one opens nothing", async () => {
    const { id: member } = await addMember(worker, shop);
    const value = `${shop.of.account.id}.${"A".repeat(43)}`;
    const visitor = planted(openConsole(worker, shop), value);
    await visitor.enter(await inviteLink(worker, shop, member));
    expect([...visitor.cookies.values()]).toEqual([expect.not.stringContaining(value)]);
    expect((await visitor.get()).status).toBe(200);
    expect((await planted(openConsole(worker, shop), value).get()).status).toBe(303);
  });

  test("with the session of another member ends that session, and is not taken over", async () => {
    const attacker = await signedIn(worker, shop, "VIEWER");
    const [value = ""] = attacker.visitor.cookies.values();
    const { id: member } = await addMember(worker, shop);
    const victim = planted(openConsole(worker, shop), value);
    await victim.enter(await inviteLink(worker, shop, member));
    expect((await victim.get()).text).toContain("· owner");
    expect((await attacker.visitor.get()).status).toBe(303);
    const sessions = await select(
      "SELECT staff_id FROM staff_sessions WHERE staff_id IN (?, ?)",
      member,
      attacker.member.id,
    );
    expect(sessions).toEqual([{ staff_id: member }]);
  });

  test("with a session of another shop is none here", async () => {
    const other = await openShop();
    const { visitor } = await signedIn(worker, other);
    const [secret = ""] = [...visitor.cookies.values()].map((value) => value.slice(value.indexOf(".")));
    const forged = planted(openConsole(worker, shop), `${shop.of.account.id}${secret}`);
    expect((await forged.get()).headers.get("Location")).toBe(`${forged.base}/login`);
  });
});

/** The pages that hold lists, and those that do work. */
const lists = ["to-do", "search?q=a", "customers", "orders", "goods.csv", "figures", "settings"];
const shared = ["", ...[...lists, "jobs", "jobs/bulk", "jobs/import"].map((path) => `/${path}`)];

test("with another shop's session no page of the console opens, and no record of this shop is found in its own", async () => {
  const { id: order, subscriptionId: id } = await ownOrders(shop, worker).placed();
  const ofRecords = [`/subscriptions/${id}`, `/customers/${shop.profileId}`, `/orders/${order}`];
  const changes = [`/subscriptions/${id}/pause`, `/subscriptions/${id}/cancel`];
  const { visitor: stranger } = await signedIn(worker, await openShop());
  const here = openConsole(worker, shop).base;
  for (const path of [...shared, ...ofRecords, ...changes]) {
    const { status, headers } = await stranger.get(here + path);
    expect([path, status, headers.get("Location")]).toEqual([path, 303, `${here}/login`]);
  }
  for (const path of changes) {
    const { status } = await stranger.post(here + path, { confirm: "1", key: "k" });
    expect([path, status]).toEqual([path, 303]);
  }
  for (const path of [...ofRecords, ...changes])
    expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
  expect((await stranger.post(changes[0]!, { confirm: "1", key: "k" })).status).toBe(404);
  expect(await read(shop, id)).toMatchObject({ status: "ACTIVE" });

  const { visitor: own } = await signedIn(worker, shop);
  for (const path of [...shared, ...ofRecords, ...changes])
    expect([path, (await own.get(path)).status]).toEqual([path, 200]);
});

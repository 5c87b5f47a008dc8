/** The history's lists of actors and actions name what the account has, and a profile has a timeline. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { actorTypes } from "../../../src/kit/context.ts";
import { api, type Caller } from "../../support/client.ts";
import { faults, logOf, openMerchant, orderOf, put } from "../../support/records.ts";
import { lettersOf, path, range, readFeed, useHistory } from "./feed.setup.ts";

const { shop, ids } = useHistory();

describe("distinct lists: {data: [string]}, sorted, of the account", () => {
  const names = async (as: Caller, list: string): Promise<string[]> =>
    (await api(as, "GET", `${path}/${list}`)).body.data;

  test("integration-actions: the distinct integration_ actions, custom ones only", async () => {
    const other = await openMerchant();
    const actions = [
      "integration_b",
      "integration_a",
      "integration_b",
      "order_placed",
      "integration_",
      "integrationxb",
      "integration_é",
      "integration_A",
      "xintegration_a",
    ];
    await put(
      "activity_logs",
      actions.map((action) => logOf(other.of, { action, actor_type: "api" })),
    );
    expect(await names(other.admin, "integration-actions")).toEqual([
      "integration_",
      "integration_A",
      "integration_a",
      "integration_b",
      "integration_é",
    ]);
  });

  test("actors: the distinct names of admins", async () => {
    const other = await openMerchant();
    const actors = [
      ["admin", "Zoe"],
      ["admin", "Ada"],
      ["admin", "Ada"],
      ["admin", null],
      ["api", "key"],
      ["customer", "Eve"],
      ["system", "cron"],
      [null, "ghost"],
      ["admin", ""],
      ["admin", "Ünal"],
    ] as const;
    await put(
      "activity_logs",
      actors.map(([actor_type, actor_name]) => logOf(other.of, { actor_type, actor_name })),
    );
    const found = await names(other.admin, "actors");
    expect(found.filter((name) => name !== "")).toEqual(["Ada", "Zoe", "Ünal"]);
  });

  test("an account without history has none, and never sees those of another account", async () => {
    const other = await openMerchant();
    for (const list of ["integration-actions", "actors"]) {
      expect((await api(other.admin, "GET", `${path}/${list}`)).body).toEqual({ data: [] });
      expect((await names(shop.admin, list)).length).toBeGreaterThan(0);
      expect(faults(await api(other.admin, "GET", `${path}/${list}`, { query: { page: 1 } }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "page",
      ]);
    }
  });

  test.each(actorTypes)("a name that POST writes as %s is in the list at once", async (actor_type) => {
    if (actor_type === "customer" || actor_type === "system") return;
    const other = await openMerchant();
    const order = orderOf(other.of);
    await put("orders", [order]);
    await api(other.admin, "POST", path, {
      body: { loggable_type: "order", loggable_id: order.id, action: "integration_new" },
    });
    expect(await names(other.admin, "integration-actions")).toEqual(["integration_new"]);
    expect(await names(other.admin, "actors")).toEqual([]);
  });
});

describe("the timeline of a profile: GET /api/profiles/{id}/activity", () => {
  test("the feed's shape, rows with that profile_id, newest first, of all time", async () => {
    const at = `/api/profiles/${ids.profileId}/activity`;
    expect(await lettersOf(shop.admin, {}, at)).toBe("hgfedcba");
    const page = await readFeed(shop.admin, { page: 2, limit: 3 }, at);
    expect(page.metadata).toEqual({ total: 8, per_page: 3, current_page: 2, last_page: 3 });
    expect(page.data.map(({ description }) => description).join("")).toBe("edc");
    const [inFeed] = (await readFeed(shop.admin, { ...range, action: "order_placed" })).data;
    expect(page.data[0]).toEqual(inFeed);
  });

  test("an unknown profile is 404, unknown parameters 400", async () => {
    for (const id of [newId(), "nope"])
      expect((await api(shop.admin, "GET", `/api/profiles/${id}/activity`)).status).toBe(404);
    const answer = await api(shop.admin, "GET", `/api/profiles/${ids.profileId}/activity`, { query: range });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "start_date", "end_date"]);
  });
});

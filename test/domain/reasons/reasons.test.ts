/** Reasons for skips, pauses and cancellations are created, changed, ordered, translated and deleted as documented. */
import { describe, expect, test } from "vitest";
import { reasonKinds } from "../../../src/domain/reasons/tables.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { bearer, customer, openTenant, token } from "../../support/tenant.ts";
import { useTenantPerTest } from "../../support/use-account.ts";

type Reason = {
  id: string;
  label: string;
  labels?: { de?: string; fr?: string; es?: string };
  description: string | null;
  position: number;
  is_active: boolean;
  account_id: string;
  created_at: string;
  updated_at: string;
};

const tenant = useTenantPerTest();

describe.each(reasonKinds)("%s reasons", (kind) => {
  const path = `/api/subscriptions/${kind}-reasons`;
  const create = async (body: object): Promise<Reason> => {
    const answer = await api<{ data: Reason }>(tenant, "POST", path, { body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data;
  };
  const list = async (as: { credentials: Record<string, string> } = tenant): Promise<Reason[]> =>
    (await api<{ data: Reason }[]>(as, "GET", path)).body.map(({ data }) => data);
  const labels = async () => (await list()).map(({ label }) => label);
  const change = (id: string, body: object) =>
    api<{ data: Reason }>(tenant, "PUT", `${path}/${id}`, { body });
  const reorder = (ordered_ids: unknown) => api(tenant, "POST", `${path}/reorder`, { body: { ordered_ids } });

  describe("create", () => {
    test("answers 200 {data: Skip reason} with its fields and no others", async () => {
      const { status, body } = await api(tenant, "POST", path, { body: { label: "Holiday" } });
      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          is_active: true,
          account_id: tenant.account.id,
          position: 0,
          label: "Holiday",
          description: null,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      });
      expect((await api(tenant, "GET", `${path}/${body.data.id}`)).body).toEqual(body);
    });

    test("takes all of its fields", async () => {
      const given = { label: "Weg", description: "für länger", is_active: false, position: 7 };
      expect(await create(given)).toMatchObject(given);
    });

    test("without position it goes last, deleted ones not counted", async () => {
      await create({ label: "a", position: 10 });
      const last = await create({ label: "b" });
      expect(last.position).toBe(11);
      await api(tenant, "DELETE", `${path}/${last.id}`);
      expect((await create({ label: "c" })).position).toBe(11);
      expect(await labels()).toEqual(["a", "c"]);
    });

    test("many at once, without position, all get places of their own", async () => {
      const made = await Promise.all(Array.from({ length: 8 }, (_, nth) => create({ label: `r${nth}` })));
      expect(made.map(({ position }) => position).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });
  });

  describe("bounds: label 1 to 255 characters, description at most 1000, position from 0", () => {
    const emoji = "🐶";
    test.each([
      ["a label of one character", { label: "x" }],
      ["a label of 255 characters", { label: "x".repeat(255) }],
      ["a label of 255 characters beyond the BMP, counted as characters", { label: emoji.repeat(255) }],
      ["a description of 1000 characters beyond the BMP", { label: "x", description: emoji.repeat(1000) }],
      ["an empty description", { label: "x", description: "" }],
      ["a null description", { label: "x", description: null }],
      ["position 0", { label: "x", position: 0 }],
      ["any script, quotes and control characters but NUL", { label: "日本語 'x' \"y\" <b> \u0001\n\t" }],
    ])("taken, and returned as it came: %s", async (_, body) => {
      expect(await create(body)).toMatchObject(body);
      expect((await list())[0]).toMatchObject(body);
    });

    test.each([
      ["label", {}],
      ["label", { label: "" }],
      ["label", { label: null }],
      ["label", { label: 1 }],
      ["label", { label: "x".repeat(256) }],
      ["label", { label: emoji.repeat(256) }],
      ["description", { label: "x", description: "x".repeat(1001) }],
      ["description", { label: "x", description: 1 }],
      ["position", { label: "x", position: -1 }],
      ["position", { label: "x", position: 1.5 }],
      ["position", { label: "x", position: "1" }],
      ["position", { label: "x", position: null }],
      ["is_active", { label: "x", is_active: "true" }],
      ["is_active", { label: "x", is_active: 1 }],
      ["id", { label: "x", id: "mine" }],
      ["created_at", { label: "x", created_at: "2020-01-01T00:00:00.000Z" }],
      ["kind", { label: "x", kind: "pause" }],
    ])("400 that names %s: %j", async (path, body) => {
      const answer = await api(tenant, "POST", `/api/subscriptions/${kind}-reasons`, { body });
      expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
      expect(await list()).toEqual([]);
    });

    test("every fault is named at once", async () => {
      const body = { label: "", description: 1, position: -1, surprise: 1 };
      const { body: answer } = await api(tenant, "POST", path, { body });
      const named = answer.details.map((detail: { path: string }) => detail.path).sort();
      expect(named).toEqual(["description", "label", "position", "surprise"]);
    });

    test("the greatest position leaves room for one that goes last", async () => {
      const { status } = await api(tenant, "POST", path, {
        body: { label: "far", position: Number.MAX_SAFE_INTEGER },
      });
      expect([200, 400]).toContain(status);
      const after = [await create({ label: "b" }), await create({ label: "c" })];
      for (const { position } of after) expect(Number.isSafeInteger(position)).toBe(true);
      expect((await labels()).slice(-2)).toEqual(["b", "c"]);
    });
  });

  describe("labels in other languages", () => {
    const inAll = { de: "Im Urlaub", fr: "En vacances", es: "De vacaciones" };

    test("stand beside the label wherever the reason is answered, and without any there are none", async () => {
      const { id } = await create({ label: "Holiday", labels: inAll });
      await create({ label: "Plain", labels: null });
      await create({ label: "Also plain", labels: {} });
      expect((await api(tenant, "GET", `${path}/${id}`)).body.data).toMatchObject({
        label: "Holiday",
        labels: inAll,
      });
      expect(await list()).toMatchObject([{ labels: inAll }, {}, {}]);
      for (const plain of (await list()).slice(1)) expect(plain).not.toHaveProperty("labels");
    });

    test("a change names languages one by one; null clears one, or all of them", async () => {
      const { id } = await create({ label: "Holiday", labels: { de: "Weg" } });
      const labelsAfter = async (body: object) => (await change(id, body)).body.data.labels;
      expect(await labelsAfter({ labels: { fr: "Parti" } })).toEqual({ de: "Weg", fr: "Parti" });
      expect(await labelsAfter({ label: "Away" })).toEqual({ de: "Weg", fr: "Parti" });
      expect(await labelsAfter({ labels: { de: null, es: "Fuera" } })).toEqual({ fr: "Parti", es: "Fuera" });
      expect(await labelsAfter({ labels: null })).toBeUndefined();
    });

    test.each([
      ["labels.de", { de: "" }],
      ["labels.fr", { fr: "x".repeat(256) }],
      ["labels.es", { es: 1 }],
      ["labels.en", { en: "Holiday" }],
      ["labels.it", { it: "Via" }],
      ["labels", "Weg"],
    ])("have the bounds of a label: 400 that names %s", async (named, labels) => {
      const answer = await api(tenant, "POST", path, { body: { label: "x", labels } });
      expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(named);
      expect(await list()).toEqual([]);
    });
  });

  describe("list", () => {
    test("is an array of {data: …} by position then created_at, inactive ones included, deleted ones not", async () => {
      const b = await create({ label: "b", position: 1 });
      await create({ label: "c", position: 1 });
      await create({ label: "a", position: 0, is_active: false });
      const gone = await create({ label: "gone" });
      await api(tenant, "DELETE", `${path}/${gone.id}`);
      const { body } = await api(tenant, "GET", path);
      expect(body.map((item: object) => Object.keys(item))).toEqual([["data"], ["data"], ["data"]]);
      expect(await labels()).toEqual(["a", "b", "c"]);
      expect((await list())[1]).toEqual(b);
    });

    test("an account without any answers []", async () => {
      expect((await api(tenant, "GET", path)).text).toBe("[]");
    });

    test("a customer sees the active ones only", async () => {
      await create({ label: "on" });
      await create({ label: "off", is_active: false });
      expect((await list(await customer(tenant))).map(({ label }) => label)).toEqual(["on"]);
      expect(await labels()).toEqual(["on", "off"]);
      expect(await list(bearer(await token(tenant)))).toHaveLength(2);
    });

    test("each kind is a list of its own", async () => {
      const { id } = await create({ label: "mine" });
      for (const other of reasonKinds.filter((name) => name !== kind)) {
        const otherPath = `/api/subscriptions/${other}-reasons`;
        expect((await api(tenant, "GET", otherPath)).body).toEqual([]);
        expect((await api(tenant, "GET", `${otherPath}/${id}`)).status).toBe(404);
        expect((await api(tenant, "PUT", `${otherPath}/${id}`, { body: {} })).status).toBe(404);
        expect((await api(tenant, "DELETE", `${otherPath}/${id}`)).status).toBe(404);
        expect(
          (await api(tenant, "POST", `${otherPath}/reorder`, { body: { ordered_ids: [id] } })).status,
        ).toBe(400);
      }
    });
  });

  describe("change", () => {
    test("PUT changes only the fields it names", async () => {
      const before = await create({ label: "a", description: "d", position: 3 });
      const { body } = await change(before.id, { label: "b" });
      expect(body.data).toEqual({ ...before, label: "b", updated_at: body.data.updated_at });
      expect(body.data.updated_at >= before.updated_at).toBe(true);
    });

    test("an explicit null clears description", async () => {
      const { id } = await create({ label: "a", description: "d" });
      expect((await change(id, { description: null })).body.data.description).toBeNull();
    });

    test.each([{ label: null }, { is_active: null }, { position: null }, { label: "" }, { position: -1 }])(
      "what cannot be cleared is 400: %j",
      async (body) => {
        const { id } = await create({ label: "a" });
        expect((await change(id, body)).status).toBe(400);
      },
    );

    test("takes {} and no body at all", async () => {
      const before = await create({ label: "a" });
      expect((await change(before.id, {})).status).toBe(200);
      const { status, body } = await api<{ data: Reason }>(tenant, "PUT", `${path}/${before.id}`);
      expect([status, body.data.label]).toEqual([200, "a"]);
    });

    test("to inactive and back", async () => {
      const { id } = await create({ label: "a" });
      expect((await change(id, { is_active: false })).body.data.is_active).toBe(false);
      expect((await change(id, { is_active: true })).body.data.is_active).toBe(true);
    });

    test.each(["nope", "00000000-0000-7000-8000-000000000000", "%00", "..", "a%2Fb", "%F0%9F%90%B6"])(
      "an unknown id is 404: %s",
      async (id) => {
        for (const method of ["GET", "PUT", "DELETE"]) {
          const { status, body } = await api(tenant, method, `${path}/${id}`);
          if (id === "..") continue;
          expect([status, body.errorCode], method).toEqual([404, "NOT_FOUND"]);
        }
      },
    );
  });

  describe("delete", () => {
    test("answers 204 without a body, and is soft: the row stays with its label", async () => {
      const { id } = await create({ label: "kept for history" });
      const { status, text } = await api(tenant, "DELETE", `${path}/${id}`);
      expect([status, text]).toEqual([204, ""]);
      const [row] = await select("SELECT label, deleted_at FROM reasons WHERE id = ?", id);
      expect(row).toEqual({ label: "kept for history", deleted_at: expect.stringMatching(/Z$/) });
    });

    test("a deleted reason is unknown: get, change, delete and reorder", async () => {
      const { id } = await create({ label: "gone" });
      await api(tenant, "DELETE", `${path}/${id}`);
      expect((await api(tenant, "GET", `${path}/${id}`)).status).toBe(404);
      expect((await change(id, { label: "x" })).status).toBe(404);
      expect((await api(tenant, "DELETE", `${path}/${id}`)).status).toBe(404);
      expect((await reorder([id])).status).toBe(400);
    });
  });

  describe("reorder", () => {
    test("answers {success: true} and the list has the new order", async () => {
      const ids = [];
      for (const label of ["a", "b", "c"]) ids.push((await create({ label, is_active: label !== "b" })).id);
      const { status, body } = await reorder(ids.toReversed());
      expect([status, body]).toEqual([200, { success: true }]);
      expect((await list()).map(({ id }) => id)).toEqual(ids.toReversed());
      expect((await list()).map(({ position }) => position)).toEqual([0, 1, 2]);
    });

    test("without any reason the empty order is theirs", async () => {
      expect((await reorder([])).status).toBe(200);
    });

    test("names every living reason exactly once, else 400 and nothing changes", async () => {
      const [a, b, c] = [
        await create({ label: "a" }),
        await create({ label: "b" }),
        await create({ label: "c" }),
      ];
      const gone = await create({ label: "gone" });
      await api(tenant, "DELETE", `${path}/${gone.id}`);
      const foreign = (await api(await openTenant(), "POST", path, { body: { label: "x" } })).body.data;
      const before = await list();
      const wrong = [
        [],
        [c.id, b.id],
        [c.id, b.id, a.id, a.id],
        [c.id, c.id, c.id],
        [c.id, b.id, a.id, gone.id],
        [c.id, b.id, gone.id],
        [c.id, b.id, a.id, foreign.id],
        [c.id, b.id, foreign.id],
        [c.id, b.id, "nope"],
        [c.id, b.id, a.id.toUpperCase()],
        [c.id, b.id, ` ${a.id}`],
        [c.id, b.id, "\u{10FFFF}"],
      ];
      for (const ids of wrong) {
        const { status, body } = await reorder(ids);
        expect([status, body.errorCode], JSON.stringify(ids)).toEqual([400, "VALIDATION_FAILED"]);
        expect(body.details[0].path).toMatch(/^ordered_ids/);
      }
      expect(await list()).toEqual(before);
    });

    test.each([[null], ["x"], [{}], [[1]], [[null]], [[["a"]]]])(
      "what is no list of ids is 400: %j",
      async (ids) => {
        const { status, body } = await reorder(ids);
        expect([status, body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      },
    );

    test("two at once end in one order or the other, never a mixture", async () => {
      const ids: string[] = [];
      for (let nth = 0; nth < 10; nth++) ids.push((await create({ label: `r${nth}` })).id);
      const orders = [ids.toReversed(), [...ids.slice(5), ...ids.slice(0, 5)]];
      await Promise.all(orders.map(reorder));
      expect(orders).toContainEqual((await list()).map(({ id }) => id));
    });
  });
});

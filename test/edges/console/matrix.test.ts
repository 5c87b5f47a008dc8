/** Every role at every page and every form: 200 where the document's scopes allow the operation, else 403, and no third. */
import { beforeAll, expect, test } from "vitest";
import { scopesOfRole, staffRoles } from "../../../src/base/accounts/roles.ts";
import type { StaffForm } from "../../../src/edges/console/pages/forms/form.ts";
import { jobForms } from "../../../src/edges/console/pages/jobs/forms.ts";
import { settingsForms } from "../../../src/edges/console/pages/settings/forms.ts";
import { toDoForms } from "../../../src/edges/console/pages/to-do/forms.ts";
import { apiDocument } from "../../../src/runtime/operations.ts";
import { usageOf } from "../../support/records.ts";
import { inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { addMember, signedIn } from "./member.ts";

const worker = useWorker();
const forms: [string, StaffForm][] = Object.entries({
  ...toDoForms,
  ...jobForms,
  ...settingsForms,
});
let shop: Shop;
let scopes: Map<string, string[]>;
/** The records that forms change, by the operation that reads them; other forms take any id. */
let records: Record<string, string>;

beforeAll(async () => {
  shop = await openShop();
  const document = (await apiDocument(new Date())) as Json;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as Json)) as Json[];
  scopes = new Map(operations.map(({ operationId, security }) => [operationId, scopesIn(security)]));
  records = await makeRecords(shop);
});

/** The scopes of each credential that an operation takes are the same. */
function scopesIn(security: Json[] | undefined): string[] {
  return [...new Set(Object.values(security?.[0] ?? {}).flat() as string[])];
}

async function makeRecords(of: Shop): Promise<Record<string, string>> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await worker.call<Json>(of.api, "POST", path, { body });
    if (answer.status >= 300) throw new Error(`${path} ${answer.text}`);
    return answer.body.data.id;
  };
  const reason = (kind: string) => make(`/api/subscriptions/${kind}-reasons`, { label: "A reason" });
  const delivery_day_id = await make("/api/subscriptions/delivery-days", { day_of_week: 1 });
  const slot = { delivery_day_id, label: "Morning", start_time: "08:00", end_time: "12:00" };
  const plan = {
    id: crypto.randomUUID(),
    name: "Monthly",
    billing_interval: "MONTH",
    billing_interval_count: 1,
  };
  const item = { store_product_id: "1", store_variant_id: "matrix", product_title: "Tea", price: 1 };
  await worker.call(of.api, "PUT", "/api/account/portal/catalogue", { body: { items: [item] } });
  const offers = [{ kind: "PAUSE", label: { en: "A break" }, terms: { max_days: 30 } }];
  const flow = await worker.call<Json>(of.api, "PUT", "/api/account/cancellation-flow", { body: { offers } });
  const closed = { label: "Holidays", from: inDays(30), to: inDays(31), rule: "later" };
  return {
    getCatalogue: item.store_variant_id,
    getCancellationFlow: flow.body.data.offers[0].id,
    getSellingPlan: await make("/api/subscriptions/selling-plans", plan),
    getSkipReason: await reason("skip"),
    getPauseReason: await reason("pause"),
    getCancellationReason: await reason("cancellation"),
    getDeliveryDay: delivery_day_id,
    getDeliverySlot: await make("/api/subscriptions/delivery-slots", slot),
    getClosedDay: await make("/api/subscriptions/closed-days", closed),
    getWebhookEndpoint: await make("/api/webhook-endpoints", { url: "https://example.com/hook" }),
    listStaff: (await addMember(worker, of)).id,
  };
}

const ofOwners = ["listApiKeys", "createApiKey", "deleteApiKey"];

function isAllowed(role: (typeof staffRoles)[number], operation: string): boolean {
  const needed = scopes.get(operation);
  if (!needed) throw new Error(`The document has no operation ${operation}`);
  const has = scopesOfRole(role) as string[];
  return needed.every((scope) => has.includes(scope)) && (role === "OWNER" || !ofOwners.includes(operation));
}

/** The pages, and the operations of which a role needs one. */
const pages: Record<string, string[]> = {
  "": ["getHealth"],
  "/to-do": ["listAllDunningEpisodes", "listSubscriptions", "listWebhookEndpoints"],
  "/search?q=a": ["listSubscriptions", "listProfiles", "listOrders"],
  "/customers": ["listProfiles"],
  "/orders": ["listOrders"],
  "/goods.csv": ["forecastGoods"],
  "/jobs": ["listJobs"],
  "/jobs/bulk": ["changeManySubscriptions"],
  "/jobs/import": ["createImport"],
  "/figures": ["getRetention", "forecastGoods"],
  "/settings": ["getAccount", "listDeliveryDays", "listSkipReasons"],
  "/settings/days": ["listDeliveryDays", "listDeliverySlots", "listClosedDays"],
  "/settings/reasons": ["listSkipReasons"],
  "/settings/staff": ["listStaff"],
};

test.each(staffRoles)(
  "%s gets 200 or 403 from each page and each form, as the document says",
  async (role) => {
    const { visitor } = await signedIn(worker, shop, role);
    for (const [path, needed] of Object.entries(pages)) {
      const { status, text } = await visitor.get(path);
      expect([path, status]).toEqual([path, needed.some((id) => isAllowed(role, id)) ? 200 : 403]);
      if (role === "VIEWER")
        expect([path, posts(text)]).toEqual([
          path,
          path === "/goods.csv" ? [] : [`${visitor.base}/sign-out`],
        ]);
      for (const [, name = ""] of text.matchAll(/\/do\/([\w-]+)/g))
        expect([role, name, isAllowed(role, idOf(name))]).toEqual([role, name, true]);
    }
    for (const [name, { operation, fields, current }] of forms) {
      const id = records[current?.id ?? ""] ?? crypto.randomUUID();
      const { answer, db_round_trips } = await usageOf(() => visitor.get(`/do/${name}?id=${id}`));
      const isShown = fields || answer.status !== 404;
      // Without fields a form shows at once what it would do to the record, which is none here.
      expect([name, answer.status]).toEqual([name, !isAllowed(role, operation) ? 403 : isShown ? 200 : 404]);
      expect([name, db_round_trips <= 2, answer.text.length < 40 * 1024]).toEqual([name, true, true]);
      if (isAllowed(role, operation)) continue;
      const sent = await visitor.post(`/do/${name}`, { id, confirm: "1" });
      expect([name, sent.status]).toEqual([name, 403]);
    }
  },
);

function idOf(name: string): string {
  return forms.find(([one]) => one === name)?.[1].operation ?? "";
}

function posts(text: string): (string | undefined)[] {
  return [...text.matchAll(/<form[^>]*method="post"[^>]*action="([^"]*)"/g)].map(([, action]) => action);
}

test("a form of another site does nothing, nor one of whoever is not signed in", async () => {
  const { visitor } = await signedIn(worker, shop);
  const [path, form] = ["/do/add-skip-reason", { label: "Forged", confirm: "1" }];
  for (const headers of [{ Origin: "https://evil.example" }, {}, { Origin: "null" }] as Record<
    string,
    string
  >[])
    expect((await visitor.post(path, form, headers)).status).toBe(403);
  visitor.cookies.clear();
  const { status, headers } = await visitor.post(path, form);
  expect([status, headers.get("Location")]).toEqual([303, `${visitor.base}/login`]);
  const { text } = await worker.call(shop.api, "GET", "/api/subscriptions/skip-reasons");
  expect(text).not.toContain("Forged");
});

test("the forms of another shop's records are not found, whatever they would change", async () => {
  const { visitor } = await signedIn(worker, await openShop());
  for (const [name, { current, params }] of forms) {
    const id = records[current?.id ?? ""];
    if (id === undefined || !params) continue;
    const { status } = await visitor.get(`/do/${name}?id=${id}`);
    expect([name, status]).toEqual([name, 404]);
  }
});

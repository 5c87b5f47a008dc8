/** Each rule of the law that the pages of leaving follow is kept, and has its source and date in the documentation. */
import { beforeAll, expect, test } from "vitest";
import { rules } from "../../../src/domain/declarations/rules.ts";
import { fieldsIn, openVisitor } from "../../edges/portal/visitor.ts";
import { select } from "../../support/database.ts";
import { type Json, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { postboxOf } from "../mail/postbox.ts";
import { declarationsOf, declare, openWithCustomer } from "./declaring.ts";

type Paragraph = (typeof rules)[number]["paragraph"];
type Case = Awaited<ReturnType<typeof openWithCustomer>>;

const worker = useWorker();
let known: Case;
beforeAll(async () => {
  known = await openWithCustomer(worker);
});

function page(shop: Shop, name: string, language = "de"): Promise<{ status: number; text: string }> {
  return openVisitor(worker, shop).get(`/${name}`, { "Accept-Language": language });
}

/** The names of the fields that a person fills in. */
function fieldsOf(html: string): string[] {
  const form = html.slice(html.indexOf("<form"), html.indexOf("</form>"));
  const named = [...form.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)].map(([tag]) => tag);
  const shown = named.filter((tag) => !tag.includes('type="hidden"'));
  return [...new Set(shown.map((tag) => /name="(\w+)"/.exec(tag)?.[1] ?? ""))].toSorted();
}

async function mailOf({ shop }: Case): Promise<string> {
  await worker.drain();
  const [mail] = await postboxOf(shop, worker).list({ kind: "declaration" });
  return (await postboxOf(shop, worker).content(mail)).text;
}

const proofs: Record<Paragraph, () => Promise<void>> = {
  "§ 312k (2) BGB": async () => {
    const leave = await page(known.shop, "leave");
    expect(leave.status).toBe(200);
    expect(leave.text).toContain("Verträge hier kündigen");
    const form = { email: known.email, name: "Ada", number: "", grounds: "ordinary" };
    const visitor = openVisitor(worker, known.shop);
    const readBack = await visitor.post("/leave", form, {
      Origin: "https://perennial.test",
      "Accept-Language": "de",
    });
    expect(readBack.text).toContain("Jetzt kündigen");
  },
  "§ 312k (2) BGB, sentence 3 no. 1": async () => {
    const { text } = await page(known.shop, "leave");
    expect(fieldsOf(text)).toEqual(["date", "email", "from", "grounds", "name", "number", "reason"]);
  },
  "§ 312k (3) BGB": async () => {
    const { visitor, received } = await declare(worker, known.shop, { email: "who@example.com" });
    const fields = fieldsIn(received.text, `${visitor.base}/leave/receipt`);
    const { headers, text } = await visitor.post("/leave/receipt", fields);
    expect(headers.get("Content-Disposition")).toContain("attachment");
    expect(text).toContain("Received on");
  },
  "§ 312k (4) BGB": async () => {
    const its = await openWithCustomer(worker);
    await declare(worker, its.shop, { email: its.email });
    const text = await mailOf(its);
    const [declaration] = await declarationsOf(its.shop);
    expect(declaration).toMatchObject({ status: "CARRIED_OUT", effective_on: "2030-01-01" });
    for (const part of ["reached us on", "Cancellation", "Your subscription ends on"])
      expect(text).toContain(part);
  },
  "OLG Köln, 6 U 62/24": async () => {
    const visitor = openVisitor(worker, known.shop);
    expect((await visitor.get("/leave")).status).toBe(200);
    expect(visitor.cookies.size).toBe(0);
  },
  "Art. 11a (1) Directive 2011/83/EU": async () => {
    const { status, text } = await page(known.shop, "withdraw", "en");
    expect(status).toBe(200);
    expect(text.toLowerCase()).toContain("withdraw from a contract here");
  },
  "Art. 11a (3) Directive 2011/83/EU": async () => {
    const { read: readBack } = await declare(worker, known.shop, { email: "r@example.com" }, "withdraw");
    expect(readBack.text.toLowerCase()).toContain("confirm withdrawal");
  },
  "Art. 11a (4) Directive 2011/83/EU": async () => {
    const its = await openWithCustomer(worker);
    await declare(worker, its.shop, { email: its.email, number: "1001" }, "withdraw");
    const text = await mailOf(its);
    for (const part of ["reached us on", "Withdrawal", "1001"]) expect(text).toContain(part);
  },
  "L215-1-1 Code de la consommation": async () => {
    const { status, text } = await page(known.shop, "leave", "fr");
    expect([status, text.includes('lang="fr"')]).toEqual([200, true]);
  },
  "§ 17602 (c) Business and Professions Code": async () => {
    const its = await openWithCustomer(worker);
    await declare(worker, its.shop, { email: its.email });
    await worker.drain();
    expect((await read(its.shop, its.id)).status).toBe("CANCELLED");
  },
  "§ 17602 (a) Business and Professions Code": async () => {
    const consent = { text: "$10 every week, until you cancel", channel: "page" };
    const id = await subscribe(known.shop, { consent, next_delivery_date: "2030-02-01" });
    const [row] = await select<{ prune_at: string; created_at: string }>(
      "SELECT prune_at, created_at FROM consents WHERE subscription_id = ?",
      id,
    );
    expect(Date.parse(row!.prune_at) - Date.now()).toBeGreaterThan(3 * 365 * 86_400_000);
  },
  "§ 17602 (annual reminder) Business and Professions Code": async () => {
    const { body } = await worker.call<Json>(known.shop.api, "GET", "/api/account/mail");
    expect(body.data.kinds).toHaveProperty("annual_notice");
  },
  "§ 17602 (change of the fee) Business and Professions Code": async () => {
    const { body } = await worker.call<Json>(known.shop.api, "GET", "/api/account/mail");
    expect(body.data.kinds.price_change).toEqual({ is_enabled: true });
  },
};

test.each(rules.map(({ paragraph }) => paragraph))("%s", (paragraph) => proofs[paragraph]());

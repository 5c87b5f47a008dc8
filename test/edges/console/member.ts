import type { Json, Shop } from "../../support/shops.ts";
import type { TestWorker } from "../../support/worker.ts";
import { openVisitor } from "../portal/visitor.ts";

/** A member of staff, by the merchant's key. */
export async function addMember({ call }: TestWorker, shop: Shop, more: object = {}): Promise<Json> {
  const body = { email: `${crypto.randomUUID()}@shop.example`, name: "Sam Support", role: "OWNER", ...more };
  const answer = await call<Json>(shop.api, "POST", "/api/staff", { body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.data;
}

/** A link that signs a member in. */
export async function inviteLink({ call }: TestWorker, shop: Shop, id: string): Promise<string> {
  const answer = await call<Json>(shop.api, "POST", `/api/staff/${id}/invite`);
  return answer.body.data.url;
}

export function openConsole(worker: TestWorker, shop: Shop) {
  return openVisitor(worker, shop, "/console");
}

/** The browser of a member of this role who is signed in. */
export async function signedIn(worker: TestWorker, shop: Shop, role = "OWNER", more: object = {}) {
  const member = await addMember(worker, shop, { role, ...more });
  const visitor = openConsole(worker, shop);
  await visitor.enter(await inviteLink(worker, shop, member.id));
  return { member, visitor };
}

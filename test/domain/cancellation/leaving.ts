import { api, type Caller } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, on, type Shop, subscribe } from "../../support/shops.ts";

export const flowPath = "/api/account/cancellation-flow";

/** Sets the account's flow, which is on unless the fields say otherwise. */
export function putFlow(shop: Pick<Shop, "api">, fields: object, query: Record<string, boolean> = {}) {
  return api<Json>(shop.api, "PUT", flowPath, { body: { is_enabled: true, ...fields }, query });
}

export async function setFlow(
  shop: Pick<Shop, "api">,
  offers: object[],
  fields: object = {},
): Promise<Json[]> {
  const { status, body, text } = await putFlow(shop, { offers, ...fields });
  if (status !== 200) throw new Error(text);
  return body.data.offers;
}

/** An offer of each kind, for a line with this variant. */
export const offers = {
  PAUSE: { kind: "PAUSE", label: { en: "Take a break", de: "Pause machen" }, terms: { max_days: 30 } },
  SKIP: { kind: "SKIP", label: { en: "Skip two" }, terms: { deliveries: 2 } },
  DISCOUNT: {
    kind: "DISCOUNT",
    label: { en: "20 % off" },
    terms: { value: 20, value_type: "PERCENTAGE", cycles: 2, max_amount: 5 },
  },
  FREQUENCY: {
    kind: "FREQUENCY",
    label: { en: "Less often" },
    terms: {
      options: [
        { interval: "WEEK", interval_count: 2 },
        { interval: "MONTH", interval_count: 1 },
      ],
    },
  },
  SWAP: {
    kind: "SWAP",
    label: { en: "Try another" },
    terms: {
      from_variant_id: "variant-1",
      to: { store_product_id: "product-2", store_variant_id: "variant-2", product_title: "Rice", price: 8 },
    },
  },
} as const;
export type Kind = keyof typeof offers;
export const kinds = Object.keys(offers) as Kind[];
export const everyOffer = Object.values(offers);

export function open(as: Caller, id: string, body: object = {}, query: Record<string, boolean> = {}) {
  return api<Json>(as, "POST", on(id, "cancellations"), { body, query });
}

export async function opened(as: Caller, id: string, body: object = {}): Promise<Json> {
  const answer = await open(as, id, body);
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body.data;
}

export function accept(
  as: Caller,
  { id, subscription_id }: Json,
  body: object,
  query: Record<string, boolean> = {},
) {
  return api<Json>(as, "POST", on(subscription_id, `cancellations/${id}/accept`), { body, query });
}

export function confirm(as: Caller, { id, subscription_id }: Json, query: Record<string, boolean> = {}) {
  return api<Json>(as, "POST", on(subscription_id, `cancellations/${id}/confirm`), { query });
}

/** Has the account make these offers, and a customer of its open a case of a new subscription. */
export async function openCase(
  shop: Shop,
  made: object[],
  { flow = {}, body = {} }: { flow?: object; body?: object } = {},
): Promise<{ id: string; found: Json }> {
  await setFlow(shop, made, flow);
  const id = await subscribe(shop);
  return { id, found: await opened(shop.customer, id, body) };
}

/** A body that takes an offer: the first of its frequencies, where it leaves a choice. */
export function taking({ id, kind, terms }: Json): object {
  return { offer_id: id, ...(kind === "FREQUENCY" ? { choice: terms.options[0] } : {}) };
}

/** Opens a case and accepts the offer of a kind. */
export async function take(as: Caller, id: string, kind: Kind): Promise<Json> {
  const found = await opened(as, id);
  const offer = found.offers.find((each: Json) => each.kind === kind);
  const answer = await accept(as, found, taking(offer));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}

export async function casesOf(shop: Shop, id: string): Promise<Json[]> {
  return (await api<Json>(shop.api, "GET", on(id, "cancellations"))).body.data;
}

export async function caseRows(id: string): Promise<Json[]> {
  return select("SELECT * FROM cancellation_cases WHERE subscription_id = ? ORDER BY created_at, id", id);
}

/** Lets the case of a subscription expire. */
export function expire(id: string): Promise<unknown> {
  return execute(
    "UPDATE cancellation_cases SET expires_at = '2020-01-01T00:00:00.000Z' WHERE subscription_id = ? AND status = 'OPEN'",
    id,
  );
}

/** The id of the offer in the cases that `openWithOffer` opens. */
export const offerId = "019a0000-0000-7000-8000-0000000000aa";

/** Opens a case with a discount to accept, however many others were accepted; returns its id. */
export async function openWithOffer(shop: Shop, id: string): Promise<string> {
  await setFlow(shop, [{ ...offers.DISCOUNT, id: offerId }], { per: "subscription" });
  return (await opened(shop.api, id)).id;
}

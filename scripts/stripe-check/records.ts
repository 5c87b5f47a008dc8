import { bodyOf, type Lab } from "./lab.ts";

/** A customer that is deleted at the end. */
export async function makeCustomer(lab: Lab, fields: Record<string, unknown> = {}): Promise<string> {
  const named = { name: "Perennial check", metadata: { perennial_check: "yes" } };
  const { id } = bodyOf(await lab.post("customers", { ...named, ...fields }));
  lab.atEnd(`the customer ${id}`, async () => bodyOf(await lab.remove(`customers/${id}`)));
  return id;
}

/** A payment method of a customer, by a test token. It goes with its customer. */
export async function attach(lab: Lab, customer: string, token: string): Promise<string> {
  return bodyOf(await lab.post(`payment_methods/${token}/attach`, { customer })).id;
}

/** The amount of every payment, in euros' cents: more than the smallest of any currency that an account has. */
export const amount = { amount: 1099, currency: "eur" };

/** No payment method that leads away, so that a payment needs no address to come back to. */
export const noRedirects = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };

/** An intent that is cancelled at the end, unless it is over by then. */
export async function makeIntent(lab: Lab, fields: Record<string, unknown> = {}, key?: string) {
  const intent = bodyOf(
    await lab.post(
      "payment_intents",
      { ...amount, ...noRedirects, ...fields },
      key === undefined ? {} : { key },
    ),
  );
  lab.atEnd(`the payment intent ${intent.id}`, () => cancelOpen(lab, intent.id));
  return intent;
}

async function cancelOpen(lab: Lab, id: string): Promise<void> {
  const { status } = bodyOf(await lab.get(`payment_intents/${id}`));
  if (["succeeded", "canceled", "processing"].includes(status)) return;
  bodyOf(await lab.post(`payment_intents/${id}/cancel`));
}

export const confirm = (lab: Lab, id: string, fields: Record<string, unknown> = { off_session: true }) =>
  lab.post(`payment_intents/${id}/confirm`, fields);

/** A payment that succeeds; it stays, as nothing deletes a payment. */
export async function pay(lab: Lab, customer: string, token = "pm_card_visa") {
  const payment_method = await attach(lab, customer, token);
  const { id } = await makeIntent(lab, { customer, payment_method });
  return bodyOf(await confirm(lab, id));
}

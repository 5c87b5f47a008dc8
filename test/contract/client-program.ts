/** A program of a shop's developer: what a customer's page and the shop's endpoint do, with the typed client alone. */
import {
  type ClientOptions,
  createClient,
  PerennialError,
  preview,
  records,
  unwrap,
  verifyWebhook,
  WebhookError,
} from "../../clients/typescript/src/index.ts";

/** Skips the next delivery of each active subscription, as its preview has shown; returns their numbers and next dates. */
export async function skipAll(options: ClientOptions): Promise<[number: string, date: string | null][]> {
  const client = createClient(options);
  const skipped: [string, string | null][] = [];
  const query = { status: "ACTIVE", failed_payment: false } as const;
  for await (const { id, number } of records(client, "/api/subscriptions", { params: { query } })) {
    const path = { id };
    const shown = await preview((params) =>
      client.POST("/api/subscriptions/{id}/skip", {
        params: { path, ...params },
        body: { skip_weeks: 1 },
      }),
    );
    const { data } = await shown.confirm();
    if (data.next_delivery_date !== shown.data.data.next_delivery_date) throw new Error("not as shown");
    skipped.push([number, data.next_delivery_date]);
  }
  return skipped;
}

/** Why a subscription cannot be read, as the API says it. */
export async function whyNot(options: ClientOptions, id: string): Promise<string> {
  try {
    const { data } = await unwrap(
      createClient(options).GET("/api/subscriptions/{id}", { params: { path: { id } } }),
    );
    return data.status;
  } catch (error) {
    if (error instanceof PerennialError) return `${error.status} ${error.errorCode}`;
    throw error;
  }
}

/** Answers a request to the shop's endpoint: which subscription was skipped, and by whom. */
export async function receive(request: Request, secret: string): Promise<Response> {
  try {
    const event = await verifyWebhook(request, secret);
    if (event.type !== "subscription.skipped") return new Response(null, { status: 204 });
    return Response.json({ skipped: event.data.subscription_id, by: event.data.actor_type });
  } catch (error) {
    if (error instanceof WebhookError) return new Response(error.message, { status: 400 });
    throw error;
  }
}

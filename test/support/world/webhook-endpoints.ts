import { eventDeliveries, webhookEndpoints } from "../../../src/domain/webhook-endpoints/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const path = "/api/webhook-endpoints/{id}";

/** After the part with the entry: it is sent nothing unless a test asks for it. */
export const webhookEndpointPart: MakePart = ({ account }, mark, { endpoint, log }) => ({
  writes: [
    insertOf(webhookEndpoints, {
      id: endpoint,
      account_id: account.id,
      url: `https://${mark}.example.com/`,
      description: mark,
      event_types: `["integration.${mark}"]`,
      payload: "full",
      is_enabled: 1,
      secret: "",
      ...stamps,
    }),
    insertOf(eventDeliveries, {
      account_id: account.id,
      event_id: log,
      endpoint_id: endpoint,
      is_mail: 0,
      event_type: `integration.${mark}`,
      sequence: 1,
      status: "DELIVERED",
      attempt_count: 1,
      created_at: now,
      delivered_at: now,
    }),
  ],
  paths: {
    ...Object.fromEntries(
      ["", "/rotate-secret", "/test", "/recover", "/deliveries"].map((part) => [
        path + part,
        { id: endpoint },
      ]),
    ),
    [`${path}/deliveries/{deliveryId}/resend`]: { id: endpoint, deliveryId: log },
  },
  bodies: { recoverWebhookEndpoint: { since: new Date(Date.now() - 86_400_000).toISOString() } },
});

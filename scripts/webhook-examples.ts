// `node scripts/webhook-examples.ts` writes the table of events in docs/webhooks.md, from the code; a test holds it to that.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { demoId } from "../src/base/demo.ts";
import type { SystemAction } from "../src/base/event-types.ts";
import { type EventType, eventTypes } from "../src/base/event-types.ts";
import { presentEvent } from "../src/domain/events/present.ts";
import type { EventRow } from "../src/domain/events/queries.ts";
import { eventMeanings } from "../src/domain/webhook-endpoints/event-meanings.ts";
import type { SubjectType } from "../src/kit/journal/tables.ts";
import { root } from "./paths.ts";

/** The page with its table made anew. */
export function withExamples(page: string): string {
  const [before = "", rest = ""] = page.split(begin);
  const [, after = ""] = rest.split(end);
  return `${before}${begin}\n\n${table()}\n\n${end}${after}`;
}

/** A body of each type as a thin endpoint receives it. */
export function examples(): { type: EventType; body: object }[] {
  return (Object.entries(eventTypes) as [SystemAction, EventType][]).map(([action, type], index) => {
    const event = presentEvent(rowOf(action, type, index));
    const object = objects[action];
    return {
      type,
      body: { type, timestamp: event.created_at, data: { ...event, ...(object && { object }) } },
    };
  });
}

const [begin, end] = ["<!-- examples -->", "<!-- /examples -->"];

function table(): string {
  return examples()
    .map(
      ({ type, body }) =>
        `### \`${type}\`\n\n${eventMeanings[type]}\n\n\`\`\`json\n${formatted(body)}\n\`\`\``,
    )
    .join("\n\n");
}

/** Lists stand on one line, as the formatter has them. */
function formatted(body: object): string {
  return JSON.stringify(body, null, 2).replaceAll(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/,\s+/g, ", ")}]`,
  );
}

const ids = {
  subscription: demoId("subscription", 1),
  order: demoId("order", 1),
  profile: demoId("profile", 1),
  account: demoId("account", 1),
  api_key: demoId("api_key", 1),
};

const subjects: Record<string, SubjectType> = {
  order: "order",
  profile: "profile",
  portal: "profile",
  account: "account",
  api_key: "api_key",
};

/** What thin endpoints receive too. */
const objects: Partial<Record<SystemAction, object>> = {
  portal_login_requested: {
    url: "https://perennial.example/portal/demo-store.myshopify.com/enter?token=…",
    expires_at: "2026-11-22T10:15:00.000Z",
  },
};

const systemActors = /^(billing|dunning|store|payment_reminder|subscription_expired|order)/;

const changes: Partial<Record<SystemAction, object>> = {
  subscription_paused: {
    status: { from: "ACTIVE", to: "PAUSED" },
    pause_reason: { from: null, to: "On holiday" },
  },
  subscription_resumed: { status: { from: "PAUSED", to: "ACTIVE" } },
  subscription_cancelled: { status: { from: "ACTIVE", to: "CANCELLED" } },
  frequency_changed: { billing_interval_count: { from: 1, to: 2 } },
  delivery_rescheduled: { next_delivery_date: { from: "2026-11-24", to: "2026-12-01" } },
  order_fulfilled: { fulfillment_status: { from: "UNFULFILLED", to: "FULFILLED" } },
};

const metadata: Partial<Record<SystemAction, object>> = {
  subscription_skipped: { skip_reason: { id: demoId("skip_reason", 1), label: "Going on holiday" } },
  payment_reminder_due: { billing_date: "2026-11-23" },
  billing_action_required: {
    url: "https://sandbox-store.invalid/challenges/5e1f",
    expires_at: "2026-11-23T12:00:00.000Z",
    amount: 40.9,
    currency_code: "USD",
  },
  dunning_customer_notified: { dunning_episode_id: demoId("dunning_episode", 7), is_certain: true },
  dunning_notice_refused: {
    dunning_episode_id: demoId("dunning_episode", 7),
    codes: ["ACCESS_DENIED"],
    error_message: "The app lacks the scope write_customers",
  },
  profile_updated: { fields: ["email", "phone_number"] },
  portal_login_requested: {
    request_id: "01a2a56e-0957-73db-88a1-c936b0b78166",
    locale: "en",
  },
};

function rowOf(action: SystemAction, type: EventType, index: number): EventRow {
  const subject = subjects[type.split(".")[0] ?? ""] ?? "subscription";
  const isSystem = systemActors.test(action);
  const isOfCustomer = ["subscription", "order", "profile"].includes(subject);
  return {
    id: demoId("activity_log", index + 1),
    account_id: ids.account,
    sequence: 1001 + index,
    type,
    action,
    description: null,
    created_at: "2026-11-20T12:00:00.000Z",
    recorded_at: null,
    actor_type: isSystem ? "system" : "admin",
    actor_name: isSystem ? null : "Ada Admin",
    loggable_type: subject,
    loggable_id: ids[subject],
    subscription_id: subject === "subscription" ? ids.subscription : null,
    order_id: subject === "order" ? ids.order : null,
    profile_id: isOfCustomer ? ids.profile : null,
    changes: jsonOf(changes[action]),
    metadata: jsonOf(metadata[action]),
  };
}

function jsonOf(value: object | undefined): string | null {
  return value ? JSON.stringify(value) : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const path = `${root}docs/webhooks.md`;
  writeFileSync(path, withExamples(readFileSync(path, "utf8")));
}

import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { newId } from "../../../src/base/lib/ids.ts";
import { entities } from "../../../src/domain/entities/tables.ts";
import { paymentMethods } from "../../../src/domain/payment-methods/tables.ts";
import { deriveColumns } from "../../../src/domain/profiles/rules.ts";
import { deliveryAddresses, profiles } from "../../../src/domain/profiles/tables.ts";
import { linkOf, logOf, orderOf, profileOf, put, subscriptionOf } from "../../support/records.ts";
import type { Tenant } from "../../support/tenant.ts";

/** Values for all columns of a table that can hold a person's text. */
export function textsOf(table: SQLiteTable, text: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(
        ([name, column]) =>
          column.dataType === "string" && !column.enumValues?.length && !structural.test(name),
      )
      .map(([name]) => [name, text]),
  );
}

/** Adds a customer with a text in every column that can hold one; returns the profile's id. */
export async function addPerson(
  of: Tenant,
  text: string,
  store_customer_id: string,
  more: object = {},
): Promise<string> {
  const ofAccount = { account_id: of.account.id };
  const fields = {
    ...profileOf(of, { ...textsOf(profiles, text), store_customer_id, ...more }),
    email: `${newId()}@${text}.test`,
  };
  const profile = { ...fields, ...deriveColumns(fields) };
  await put("profiles", [profile]);
  const its = { ...ofAccount, profile_id: profile.id, ...stamps };
  const method = newId();
  await put("payment_methods", [
    {
      ...its,
      ...textsOf(paymentMethods, text),
      store_payment_method_id: `${text}-${method}`,
      id: method,
      exp_month: 1,
      exp_year: 2033,
      is_default: 1,
      status: "VALID",
    },
  ]);
  await put("delivery_addresses", [{ ...its, ...textsOf(deliveryAddresses, text), id: newId() }]);
  const entity = newId();
  await put("entities", [
    {
      ...its,
      ...textsOf(entities, text),
      attributes: JSON.stringify({ breed: text }),
      id: entity,
      entity_type: "dog",
      is_active: 1,
    },
  ]);
  const subscription = subscriptionOf(of, profile.id, {
    entity_id: entity,
    entity_label: text,
    status: "CANCELLED",
    payment_method_id: method,
    delivery_address: JSON.stringify({ address1: text }),
    delivery_instructions: text,
    note: text,
    custom_attributes: JSON.stringify({ gift: text }),
    pause_reason: text,
    cancellation_reason: text,
    search_text: "1001",
  });
  await put("subscriptions", [subscription]);
  await put("subscription_skips", [
    {
      ...ofAccount,
      id: newId(),
      subscription_id: subscription.id,
      cycle: 1,
      skip_weeks: 1,
      reason: text,
      previous_index: 0,
      previous_anchor_date: "2026-01-01",
      schedule_revision: 1,
      created_at: stamps.created_at,
    },
  ]);
  await put("consents", [
    {
      ...ofAccount,
      id: newId(),
      subscription_id: subscription.id,
      text: "$10 every week",
      sha256: "0".repeat(64),
      channel: "phone",
      source: text,
      agreed_at: stamps.created_at,
      prune_at: farAway,
      created_at: stamps.created_at,
    },
  ]);
  await put("declarations", [
    {
      ...its,
      id: newId(),
      revision: 1,
      kind: "withdrawal",
      status: "ANSWERED",
      email: "declared@customers.test",
      email_folded: "declared@customers.test",
      number_folded: "",
      is_for_cause: 1,
      ...{ name: text, reason: text, note: text },
      locale: "en",
      received_at: stamps.created_at,
      recorded_at: stamps.created_at,
      matched_subscription_ids: JSON.stringify([subscription.id]),
      tries: 0,
      prune_at: farAway,
    },
  ]);
  const order = orderOf(of, {
    profile_id: profile.id,
    delivery_address: JSON.stringify({ address1: text }),
    delivery_instructions: text,
    tracking_number: text,
    tracking_company: text,
    tracking_url: `https://track.example/${text}`,
  });
  await put("orders", [order]);
  await put("order_subscriptions", [linkOf(of, order.id, subscription.id)]);
  await put("order_refunds", [
    {
      ...ofAccount,
      ...stamps,
      id: newId(),
      order_id: order.id,
      is_own: 1,
      amount: 1,
      status: "SUCCEEDED",
      reason: text,
      created_by_type: "admin",
      tries: 1,
    },
  ]);
  await put("activity_logs", [
    logOf(of, {
      action: "integration_noted",
      description: text,
      changes: JSON.stringify({ note: { from: null, to: text } }),
      metadata: JSON.stringify({ text }),
      actor_type: "customer",
      actor_name: text,
      loggable_type: "subscription",
      loggable_id: subscription.id,
      subscription_id: subscription.id,
      profile_id: profile.id,
    }),
    logOf(of, {
      actor_type: "admin",
      actor_name: "Ada Admin",
      loggable_id: order.id,
      order_id: order.id,
      profile_id: profile.id,
    }),
  ]);
  return profile.id;
}

const farAway = "2099-01-01T00:00:00.000Z";

const structural = /^(id|account_seq|profile_id|entity_type|email_folded|search_\w+|store_customer_id)$|_at$/;

export const stamps = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };

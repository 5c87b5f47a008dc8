import { z } from "zod";
import { currency, displayName, shopDomain } from "../../../base/accounts/rules.ts";
import { FlowUpdate } from "../../../domain/cancellation/flow-schemas.ts";
import { CatalogueUpdate } from "../../../domain/catalogue/schemas.ts";
import { DeliveryDayUpdate, DeliverySlotUpdate } from "../../../domain/delivery/schemas.ts";
import { EntityCreate } from "../../../domain/entities/schemas.ts";
import { MailKindName } from "../../../domain/mail/kind-schemas.ts";
import { MailSettingsUpdate } from "../../../domain/mail/settings-schemas.ts";
import { ProfileCreate } from "../../../domain/profiles/schemas.ts";
import { ReasonCreate, ReasonLabels } from "../../../domain/reasons/schemas.ts";
import { SellingPlanCreate } from "../../../domain/selling-plans/schemas.ts";
import { contractPassSchema } from "../../../domain/store-sync/contract-pass.ts";
import { EndpointCreate } from "../../../domain/webhook-endpoints/schemas.ts";
import { PortalSettingsUpdate, SessionRequest } from "../../portal/schemas.ts";
import { AccountUpdate } from "../../settings/schemas.ts";
import { jsonOf } from "./columns.ts";

const account = AccountUpdate.shape;
const { url, description, event_types } = EndpointCreate.shape;
/** A mail endpoint has no URL, and asks for nothing where all kinds are switched off. */
const endpoint = {
  url: url.or(z.literal("")),
  description,
  event_types: jsonOf(event_types.unwrap().or(z.tuple([]))),
  mail: jsonOf(
    MailSettingsUpdate.omit({ credentials: true, is_enabled: true }).extend({ has_credentials: z.boolean() }),
  ),
};
const day = DeliveryDayUpdate.shape;
const slot = DeliverySlotUpdate.shape;
const { name, min_cycles, max_cycles, billing_interval_count, delivery_interval_count } =
  SellingPlanCreate.shape;
const item = CatalogueUpdate.shape.items.element.shape;
const reason = ReasonCreate.shape;
const flow = FlowUpdate.shape;
const sessions = { return_url: SessionRequest.shape.return_url };

/** The schemas by which requests set these columns: what they refuse, a file does not bring in either. Null is the column's matter. */
export const requestSchemas: Record<string, Record<string, z.ZodType>> = {
  accounts: {
    name: displayName,
    shop: shopDomain,
    dunning_retry_days: jsonOf(account.dunning_retry_days),
    payment_reminder_days_before: account.payment_reminder_days_before,
    portal: jsonOf(PortalSettingsUpdate),
    store_currencies: jsonOf(z.array(currency)),
    store_missing_scopes: jsonOf(z.array(z.string())),
  },
  webhook_endpoints: { ...endpoint, own_event_types: endpoint.event_types },
  mail_templates: { kind: MailKindName },
  profiles: { email: ProfileCreate.shape.email },
  entities: { entity_type: EntityCreate.shape.entity_type, name: EntityCreate.shape.name },
  reasons: {
    label: reason.label,
    label_de: reason.label,
    label_fr: reason.label,
    label_es: reason.label,
    description: reason.description,
  },
  subscription_skips: { skip_reason_labels: jsonOf(ReasonLabels) },
  delivery_days: {
    day_of_week: day.day_of_week,
    packing_day_of_week: day.packing_day_of_week,
    billing_day_of_week: day.billing_day_of_week,
    courier_lead_time_days: day.courier_lead_time_days,
  },
  delivery_slots: {
    label: slot.label,
    start_time: slot.start_time,
    end_time: slot.end_time,
    cutoff_days: slot.cutoff_days,
    cutoff_time: slot.cutoff_time,
    max_deliveries_per_day: slot.max_deliveries_per_day,
  },
  selling_plans: { name, min_cycles, max_cycles, billing_interval_count, delivery_interval_count },
  catalogue_items: {
    store_variant_id: item.store_variant_id,
    store_product_id: item.store_product_id,
    product_title: item.product_title,
    variant_title: item.variant_title,
    image_url: item.image_url,
    selling_plan_ids: jsonOf(item.selling_plan_ids.unwrap()),
  },
  cancellation_flows: {
    offers: jsonOf(flow.offers.unwrap()),
    cooldown_days: flow.cooldown_days,
    max_accepted: flow.max_accepted,
    show_at_most: flow.show_at_most,
  },
  portal_links: sessions,
  portal_sessions: sessions,
  stripe_connections: { store_account: z.string().regex(/^acct_\w+$/) },
  shopify_connections: { shop: shopDomain, webhooks_uri: url, contracts_pass: jsonOf(contractPassSchema) },
};

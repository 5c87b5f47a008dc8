import { componentNamed, type Described, type Schema } from "./api-document.ts";

/**
 * The fields that customers write, or that repeat what they wrote, by the record's name in the document. Of a field that is an object all
 * that is in it counts.
 */
const writtenByCustomers: Record<string, string[]> = {
  AccountDunningEpisode: ["customer_name"],
  ActivityLog: ["actor_name", "customer_name", "customer_email", "changes", "metadata"],
  ActivityLogCreated: ["actor_name", "metadata"],
  CancellationCase: ["note"],
  DeliveryAddress: [
    ...["first_name", "last_name", "company", "address1", "address2", "city", "zip"],
    ...["province", "province_code", "country", "phone"],
  ],
  Entity: ["name", "attributes"],
  Event: ["actor_name", "changes", "metadata"],
  Mail: ["to", "subject"],
  MailContentBody: ["subject", "html", "text"],
  Names: ["data"],
  Order: ["profile", "delivery_address", "delivery_instructions"],
  OrderSubscription: ["entity_label"],
  Profile: [
    ...["email", "first_name", "last_name", "full_name", "full_address", "phone_number"],
    ...["address1", "address2", "city", "region", "country", "postal_code"],
  ],
  Skip: ["reason"],
  Subscription: ofSubscription(),
  SubscriptionExplanation: ["why"],
  SubscriptionThen: ofSubscription(),
  SubscriptionListItem: [...ofSubscription(), "entity"],
};

function ofSubscription(): string[] {
  return [
    ...["profile", "delivery_address", "delivery_instructions", "note", "custom_attributes"],
    ...["cancellation_reason", "pause_reason", "entity_label", "entities"],
  ];
}

/** Steps into a result: names of fields, and `*` for each member of a list. */
export type Path = string[];

/** The places in an operation's answers where customers' text may stand. */
export function customerTextIn({ responses }: Described, schemas: Record<string, Schema>): Path[] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const schema = success?.content?.["application/json"]?.schema;
  const found = schema ? placesIn(schema, schemas, []) : [];
  return [...new Map(found.map((path) => [path.join("."), path])).values()];
}

/** Those of the places where this result has text, as JSONPath (RFC 9535). */
export function filledPlaces(places: Path[], result: unknown): string[] {
  return places.filter((path) => isFilled(result, path)).map(jsonPath);
}

function jsonPath(path: Path): string {
  return `$${path.map((step) => (step === "*" ? "[*]" : `.${step}`)).join("")}`;
}

function placesIn(schema: Schema, schemas: Record<string, Schema>, around: string[]): Path[] {
  const name = componentNamed(schema);
  if (name !== undefined && around.includes(name)) return [];
  const inside = name === undefined ? around : [...around, name];
  const { properties = {}, items, anyOf, oneOf, allOf } = (name && schemas[name]) || schema;
  const written = writtenByCustomers[name ?? ""] ?? [];
  const members = [anyOf, oneOf, allOf].flatMap((forms) => (forms ?? []) as Schema[]);
  return [
    ...members.flatMap((member) => placesIn(member, schemas, inside)),
    ...(items ? placesIn(items as Schema, schemas, inside).map((path) => ["*", ...path]) : []),
    ...Object.entries(properties).flatMap(([field, inner]) =>
      written.includes(field) ? [[field]] : placesIn(inner, schemas, inside).map((path) => [field, ...path]),
    ),
  ];
}

function isFilled(value: unknown, [step, ...rest]: Path): boolean {
  if (value === null || value === undefined || value === "") return false;
  if (step === undefined) return typeof value !== "object" || Object.keys(value).length > 0;
  if (step === "*") return Array.isArray(value) && value.some((member) => isFilled(member, rest));
  return typeof value === "object" && isFilled((value as Record<string, unknown>)[step], rest);
}

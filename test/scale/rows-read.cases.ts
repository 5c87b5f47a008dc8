import { type Known, quietDay } from "./rows-read.setup.ts";

export type Case = {
  title: string;
  path: string;
  query?: Record<string, string | number>;
  db_round_trips?: number;
  most: number;
  /** Measures the last page instead of the first. */
  lastPage?: boolean;
  status?: number;
};

export const orders = "/api/subscriptions/orders";
export const entities = "/api/subscriptions/entities";
export const feed = "/api/activity-logs";
export const profiles = "/api/profiles";

/** The reads of an account, and the most rows that each may take. */
export function casesOf(known: Known): Case[] {
  return [
    ...[profiles, entities, orders].flatMap((path): Case[] => [
      { title: "first page with its total", path, most: bound },
      { title: "last page", path, most: bound, lastPage: true, db_round_trips: 2 },
      { title: "a page past the end", path, query: { page: 100_000 }, most: 80, db_round_trips: 1 },
    ]),
    { title: "first page with its total", path: attempts, most: bound },
    { title: "last page", path: attempts, most: bound, lastPage: true, db_round_trips: 2 },
    { title: "the only one under review", path: attempts, query: { status: "REVIEW" }, most: 20 },
    { title: "status", path: attempts, query: { status: "FAILED" }, most: bound },
    { title: "several statuses", path: attempts, query: { status: "FAILED,REVIEW" }, most: bound },
    {
      title: "six of the seven statuses",
      path: attempts,
      query: { status: "QUEUED,PROCESSING,ACTION_REQUIRED,REVIEW,SUCCEEDED,FAILED" },
      most: bound,
    },
    { title: "trigger", path: attempts, query: { trigger: "DUNNING" }, most: bound },
    { title: "a day", path: attempts, query: { from: "2025-02-01", to: "2025-02-01" }, most: 15 * 10 },
    { title: "the 100 of limit=100", path: orders, query: { limit: 100 }, most: 100 * 6 + 80 },
    ...["PAID", "REFUNDED", "PENDING"].map(
      (status): Case => ({ title: `status=${status}`, path: orders, query: { status }, most: bound }),
    ),
    {
      title: "several statuses of which there are few",
      path: orders,
      query: { status: "CANCELLED,PARTIALLY_REFUNDED" },
      most: bound,
    },
    { title: "fulfillment_status", path: orders, query: { fulfillment_status: "FULFILLED" }, most: bound },
    {
      title: "status, last page",
      path: orders,
      query: { status: "PAID" },
      most: page * 30,
      lastPage: true,
      db_round_trips: 2,
    },
    { title: "email_status", path: profiles, query: { email_status: "unsubscribed" }, most: bound },
    ...["delivery_date", "billing_date", "total", "status", "created_at"].flatMap((sort_by) =>
      ["asc", "desc"].map(
        (sort_order): Case => ({
          title: `sorted by ${sort_by} ${sort_order}`,
          path: orders,
          query: { sort_by, sort_order },
          most: bound,
        }),
      ),
    ),
    {
      title: "sorted, last page",
      path: orders,
      query: { sort_by: "total" },
      most: bound,
      lastPage: true,
      db_round_trips: 2,
    },
    ...["name", "entity_type"].map(
      (sort_by): Case => ({ title: `sorted by ${sort_by}`, path: entities, query: { sort_by }, most: bound }),
    ),
    { title: "one profile's orders", path: orders, query: { profile_id: known.profile }, most: 10 * 11 },
    {
      title: "one profile's orders, sorted by total",
      path: orders,
      query: { profile_id: known.profile, sort_by: "total" },
      most: 10 * 14,
    },
    {
      title: "one subscription's orders",
      path: orders,
      query: { subscription_id: known.subscription },
      most: 10 * 14,
    },
    { title: "one entity's orders", path: orders, query: { entity_id: known.entity }, most: 10 * 14 },
    { title: "a tracking number", path: orders, query: { tracking_number: "known" }, most: 10 * 14 },
    {
      title: "a tracking number, and a status",
      path: orders,
      query: { tracking_number: "known", status: "PAID" },
      most: 10 * 14,
    },
    {
      title: "a day's deliveries",
      path: orders,
      query: { delivery_date_from: "2025-02-01", delivery_date_to: "2025-02-01" },
      most: 15 * 14,
    },
    {
      title: "a day's deliveries without a date of packing",
      path: orders,
      query: {
        ...{ delivery_date_from: "2025-02-01", delivery_date_to: "2025-02-01" },
        has_production_date: "false",
      },
      most: 15 * 14,
    },
    { title: "a rare search", path: orders, query: { search: "D000777" }, most: 36 },
    { title: "a customer's name", path: orders, query: { search: "knownname" }, most: 10 * 20 },
    { title: "an e-mail", path: profiles, query: { email: "KNOWN@customers.test" }, most: 10 },
    { title: "a store_customer_id", path: profiles, query: { store_customer_id: "known" }, most: 12 },
    { title: "a rare search", path: profiles, query: { search: "crm-000777" }, most: 30 },
    {
      title: "a search that finds nothing",
      path: profiles,
      query: { search: "nowhere to be found" },
      most: 12,
    },
    { title: "one profile's entities", path: entities, query: { profile_id: known.profile }, most: 10 },
    { title: "by id", path: `${profiles}/${known.profile}`, most: 1 },
    { title: "by id", path: `${entities}/${known.entity}`, most: 1 },
    { title: "by id, with what it refers to", path: `${orders}/${known.order}`, most: 8 },
    { title: "by an unknown id", path: `${orders}/nope`, most: 2, status: 404 },
    {
      title: "the feed of a day",
      path: feed,
      query: { start_date: quietDay, end_date: quietDay },
      most: page * 5 + 200,
    },
    {
      title: "the feed of a day, filtered",
      path: feed,
      query: { start_date: quietDay, end_date: quietDay, actor_type: "system" },
      most: page * 5 + 100,
    },
    {
      title: "the feed of an empty day",
      path: feed,
      query: { start_date: "2024-07-01", end_date: "2024-07-01" },
      most: 10,
    },
    {
      title: "the feed of all time",
      path: feed,
      query: { start_date: "2025-01-01", end_date: "2025-01-31" },
      most: page * 5 + 400,
    },
    {
      title: "the feed of one order",
      path: feed,
      query: { ...year, start_date: "2024-01-01", order_id: known.order },
      most: page * 5 + 100,
    },
    { title: "integration actions", path: `${feed}/integration-actions`, most: 10 },
    { title: "actors", path: `${feed}/actors`, most: 10 },
    {
      title: "one profile's timeline",
      path: `${profiles}/${known.profile}/activity`,
      most: page * 5 + 100,
      db_round_trips: 2,
    },
    {
      title: "one profile's addresses",
      path: `${profiles}/${known.profile}/addresses`,
      most: 10,
      db_round_trips: 2,
    },
  ];
}

const attempts = "/api/billing-attempts";

const year = { start_date: "2025-01-01", end_date: "2025-12-31" };

const page = 25;

/** Each row and what is shown with it is looked up, not searched for; the counters give the total. */
const bound = page * 6 + 80;

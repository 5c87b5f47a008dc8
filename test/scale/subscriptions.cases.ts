import type { Known } from "./subscriptions.setup.ts";

export type Case = {
  title: string;
  on?: string;
  query?: Record<string, string | number>;
  most: number;
  db_round_trips?: number;
  /** Measures the last page instead of the first. */
  lastPage?: boolean;
};

/** The reads of an account's subscriptions, and the most rows that each may take. */
export function casesOf(known: Known): Case[] {
  return [
    { title: "first page with its total", most: bound },
    { title: "the 100 of limit=100", query: { limit: 100 }, most: 100 * 10 + 80 },
    { title: "last page", most: bound, lastPage: true, db_round_trips: 2 },
    { title: "a page past the end", query: { page: 100_000 }, most: 80 },
    { title: "by id", on: `/${known.subscription}`, most: 20 },
    { title: "upcoming", on: `/${known.subscription}/upcoming`, most: 20 },
    { title: "payment methods", on: `/${known.subscription}/payment-method`, most: 24, db_round_trips: 2 },
    { title: "skips", on: `/${known.subscription}/skips`, most: 24, db_round_trips: 2 },
    ...["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"].map(
      (status): Case => ({ title: `status=${status}`, query: { status }, most: bound }),
    ),
    {
      title: "status, last page",
      query: { status: "ACTIVE" },
      most: bound,
      lastPage: true,
      db_round_trips: 2,
    },
    { title: "several statuses", query: { status: "ACTIVE,PAUSED" }, most: bound * 3 },
    {
      title: "several statuses of which one has few",
      query: { status: "PAUSED,PAYMENT_FAILED,EXPIRED" },
      most: bound * 3,
    },
    {
      title: "several statuses, last page",
      query: { status: "ACTIVE,PAUSED" },
      most: bound * 3,
      lastPage: true,
      db_round_trips: 2,
    },
    { title: "failed_payment=true", query: { failed_payment: "true" }, most: bound * 3 },
    { title: "failed_payment=false", query: { failed_payment: "false" }, most: bound * 2 },
    {
      title: "failed_payment and status",
      query: { failed_payment: "true", status: "PAYMENT_FAILED" },
      most: bound,
    },
    ...[
      "next_billing_date",
      "next_delivery_date",
      "next_production_date",
      "total",
      "status",
      "created_at",
    ].flatMap((sort_by) =>
      ["asc", "desc"].map(
        (sort_order): Case => ({
          title: `sorted by ${sort_by} ${sort_order}`,
          query: { sort_by, sort_order },
          most: bound,
        }),
      ),
    ),
    {
      title: "sorted, last page",
      query: { sort_by: "total" },
      most: bound,
      lastPage: true,
      db_round_trips: 2,
    },
    {
      title: "sorted, of a status",
      query: { sort_by: "next_billing_date", status: "ACTIVE" },
      most: bound * 2,
    },
    { title: "one profile's subscriptions", query: { profile_id: known.profile }, most: few },
    {
      title: "one profile's subscriptions, sorted",
      query: { profile_id: known.profile, sort_by: "total" },
      most: few,
    },
    {
      title: "one profile's subscriptions of a status",
      query: { profile_id: known.profile, status: "CANCELLED" },
      most: few,
    },
    { title: "one entity's subscriptions", query: { entity_id: known.entity }, most: few },
    {
      title: "the subscriptions of a cancellation reason",
      query: { cancellation_reason_id: known.reason },
      most: few,
    },
    { title: "the subscription of a contract", query: { store_contract_id: 77 }, most: few },
    {
      title: "billed on one day",
      query: { next_billing_after: "2025-01-09", next_billing_before: "2025-01-11" },
      most: 15 * 14,
    },
    {
      title: "billed on one day, sorted",
      query: {
        next_billing_after: "2025-01-09",
        next_billing_before: "2025-01-11",
        sort_by: "next_billing_date",
      },
      most: 15 * 14,
    },
    {
      title: "delivered on one day, of a status",
      query: { next_delivery_after: "2025-01-09", next_delivery_before: "2025-01-11", status: "ACTIVE" },
      most: 15 * 14,
    },
    {
      title: "packed on one day",
      query: { next_production_after: "2025-01-09", next_production_before: "2025-01-11" },
      most: 15 * 14,
    },
    {
      title: "created on one day",
      query: { created_after: "2025-01-09", created_before: "2025-01-11" },
      most: 15 * 14,
    },
    { title: "a search for a number", query: { search: "100777" }, most: 60 },
    { title: "a search for a contract", query: { search: "5000777" }, most: 60 },
    { title: "a search for a customer's name", query: { search: "knownname" }, most: few * 2 },
    {
      title: "one profile's subscriptions, with a search that matches all",
      query: { profile_id: known.profile, search: "customers.test" },
      most: few,
    },
    { title: "a search that finds nothing", query: { search: "nowhere to be found" }, most: 25 },
  ];
}

const page = 25;

/** Each row and the six records shown with it are looked up, not searched for; the counters give the total. */
const bound = page * 10 + 80;

/** Ten rows of one customer, read twice: for the page and for its total. */
export const few = 10 * 14;

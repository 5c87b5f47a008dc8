import { z } from "zod";
import type { Instant } from "../../base/lib/time/dates.ts";
import { secondMs } from "../../base/lib/time/durations.ts";
import { UnknownOutcomeError } from "../port.ts";

/** Parses an answer. One of another shape says nothing: it throws UnknownOutcomeError. */
export function parseResponse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new UnknownOutcomeError("Stripe's answer has an unexpected shape");
}

/** A time of Stripe, in seconds. */
export const timeSchema = z.int().nonnegative();

export function instantIn(seconds: number): Instant {
  return new Date(seconds * secondMs).toISOString();
}

export function secondsOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / secondMs);
}

/** A page of a list, the newest first: https://docs.stripe.com/api/pagination */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({ data: z.array(item), has_more: z.boolean() });
}

/** A record that is named by its id, or is there itself where it was asked for: https://docs.stripe.com/api/expanding_objects */
export const referenceSchema = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullable();

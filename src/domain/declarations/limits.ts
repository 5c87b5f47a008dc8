import { hourMs } from "../../base/lib/time/durations.ts";

/** The number of declarations of one e-mail address that are carried out and acknowledged within an hour; further ones are kept for staff. */
export const mostOfEmail = 5;

/** The number of declarations that are taken from one net address within an hour. */
export const mostOfAddress = 30;

export const windowMs = hourMs;

import { DomainError } from "../../base/errors.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { CancellationCase, CaseStatus } from "./tables.ts";

/** A case's status at a time: nobody writes it down when a case expires. */
export function statusAt(
  { status, expires_at }: Pick<CancellationCase, "status" | "expires_at">,
  now: Instant,
): CaseStatus {
  return status === "OPEN" && expires_at <= now ? "EXPIRED" : status;
}

/** Throws INVALID_STATE, naming state and operation. */
export function requireOpenCase(what: string, found: CancellationCase, now: Instant): void {
  const status = statusAt(found, now);
  if (status !== "OPEN") throw new DomainError("INVALID_STATE", `Cannot ${what}: the case is ${status}`);
}

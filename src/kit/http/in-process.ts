import type { Forwarded } from "../../base/accounts/objects.ts";
import type { ProvenToken } from "../../base/accounts/proven-token.ts";
import type { Db } from "../../base/db/port.ts";
import { type ErrorDetail, invalid } from "../../base/errors.ts";

/**
 * On whose behalf a request is made within the process, and the database that it shares; neither for an agent's call, which may have
 * faults instead. Or what the Worker outside of the account's object has proven of a request that it forwarded.
 */
type InProcess = { token?: ProvenToken; db?: Db; forwarded?: Forwarded; faults?: ErrorDetail[] };

/** The request, made on behalf of somebody whose session was proven. It passes the same checks as one with their token. */
export function onBehalfOf(request: Request, inProcess: Required<Pick<InProcess, "token" | "db">>): Request {
  requests.set(request, inProcess);
  return request;
}

export function inProcessOf(request: Request): InProcess | undefined {
  return requests.get(request);
}

/** The request, made by this process for somebody whose credentials it carries. */
export function fromWithin(request: Request): Request {
  if (!requests.has(request)) requests.set(request, {});
  return request;
}

/** The request of a call whose arguments have faults that no request can show. It is refused for them once its caller is known. */
export function withFaults(request: Request, faults: ErrorDetail[]): Request {
  requests.set(request, { faults });
  return request;
}

/** Throws VALIDATION_FAILED with the faults of a request, if it has any. */
export function refuseFaults(request: Request): void {
  const { faults = [] } = requests.get(request) ?? {};
  if (faults.length > 0) throw invalid(faults);
}

/** The request, forwarded to the object that this code runs in. */
export function fromOutside(request: Request, forwarded: Forwarded): Request {
  requests.set(request, { forwarded });
  return request;
}

/** The credentials and counts that the Worker outside has taken of a request before it came into this object; undefined outside. */
export function forwardedOf(request: Request): Forwarded | undefined {
  return requests.get(request)?.forwarded;
}

export function isInProcess(request: Request): boolean {
  return requests.has(request);
}

/** No header can put a request here, so nobody outside can pretend to be proven. */
const requests = new WeakMap<Request, InProcess>();

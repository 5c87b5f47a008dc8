import type { Db } from "../db/client.ts";
import type { ProvenToken } from "./prove.ts";

/** On whose behalf a request is made within the process, and the database that it shares; neither for an agent's call. */
type InProcess = { token?: ProvenToken; db?: Db };

/** No header can put a request here, so nobody outside can pretend to be proven. */
const requests = new WeakMap<Request, InProcess>();

/** The request, made on behalf of somebody whose session was proven. It passes the same checks as one with their token. */
export function onBehalfOf(request: Request, inProcess: Required<InProcess>): Request {
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

export function isInProcess(request: Request): boolean {
  return requests.has(request);
}

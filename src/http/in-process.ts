import type { Db } from "../db/client.ts";
import type { ProvenToken } from "./prove.ts";

/** On whose behalf a request is made within the process, and the database that it shares. */
type InProcess = { token: ProvenToken; db: Db };

/** No header can put a request here, so nobody outside can pretend to be proven. */
const requests = new WeakMap<Request, InProcess>();

/** The request, made on behalf of somebody whose session was proven. It passes the same checks as one with their token. */
export function onBehalfOf(request: Request, inProcess: InProcess): Request {
  requests.set(request, inProcess);
  return request;
}

export function inProcessOf(request: Request): InProcess | undefined {
  return requests.get(request);
}

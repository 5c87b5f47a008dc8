import { objectOf, openObject } from "../../../base/accounts/objects.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { openDirectory } from "../../../base/db/client.ts";
import type { Env } from "../../../base/env.ts";
import { later } from "../../../base/lib/time/dates.ts";
import { network } from "../../../base/network.ts";
import { findUrlFault } from "../../../domain/webhook-endpoints/url.ts";
import { newOvertakenError } from "../as-read.ts";
import type { ImportPorts } from "../import.ts";
import type { Ports } from "./state.ts";

/** The surroundings of an import in the Worker outside of all objects. */
export function importPortsOf(env: Env, now: Date): ImportPorts {
  return {
    d1: openDirectory(env),
    objectOf: (account) => openObject(env, account),
    now: now.toISOString(),
    findUrlFault: (account, url) => findUrlFault({ env, account }, url),
  };
}

/** The surroundings of a move in the Worker outside of all objects. */
export function portsOf(env: Env, account: Account, begunAt: Date): Ports {
  const elapsed = network.stopwatch();
  return {
    d1: openDirectory(env),
    object: openObject(env, account),
    get now() {
      return later(begunAt.toISOString(), elapsed());
    },
    eraseObject: async () => {
      const erased = await objectOf(env, account).erase();
      if (!erased) throw newOvertakenError();
      return erased;
    },
  };
}

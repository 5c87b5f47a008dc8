import type { Db } from "../../src/base/db/port.ts";
import { openLibsql } from "../storage/libsql.ts";
import { openLocal } from "../storage/local.ts";
import { openRemote } from "../storage/remote.ts";
import { UsageError, type Values } from "./options.ts";

/** The database that WHERE names. */
export function openWhere({ remote, env }: Values): Db {
  if (env !== undefined && !remote) throw new UsageError("--env goes with --remote");
  if (remote) return openRemote(env ?? "production");
  return openLibsql() ?? openLocal();
}

import type { Db } from "../../src/base/db/port.ts";
import { openLibsql } from "../storage/libsql.ts";
import { openLocal } from "../storage/local.ts";
import { openRemote } from "../storage/remote.ts";
import { UsageError, type Values } from "./options.ts";
import type { Place } from "./run.ts";

/** The databases that this checkout reaches. */
export const anywhere: Place = {
  program: "npm run --silent account --",
  where: "the local database unless --remote [--env production|staging], or LIBSQL_URL in the environment",
  takes: ["remote", "env"],
  open: async (values) => openWhere(values),
};

function openWhere({ remote, env }: Values): Db {
  if (env !== undefined && !remote) throw new UsageError("--env goes with --remote");
  if (remote) return openRemote(env ?? "production");
  return openLibsql() ?? openLocal();
}

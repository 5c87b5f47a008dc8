/** The beginning of every file of the project `host`: an empty database. */
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";
import { forgetObjects } from "../objects.ts";
import type { openMemory } from "./database.ts";
import type { HostObjects } from "./objects.ts";

beforeAll(() => {
  (env.DB as unknown as ReturnType<typeof openMemory>).begin(env.TEST_SCHEMA);
  (env.ACCOUNTS as unknown as HostObjects).forget();
  forgetObjects();
});

/** The beginning of every file of the project `host`: an empty database. */
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";
import type { HostDatabase } from "./database.ts";

beforeAll(() => (env.DB as unknown as HostDatabase).begin(env.TEST_SCHEMA));

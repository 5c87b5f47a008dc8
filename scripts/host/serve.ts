import { d1Db } from "../../src/base/db/client.ts";
import { serve } from "../../src/host/serve.ts";
import { readSettings } from "../../src/host/settings.ts";
import { log } from "../../src/kit/context.ts";
import { refuse } from "../command-line.ts";
import { secrets } from "../keys.ts";
import { seed } from "../seed/index.ts";
import { demoLines } from "../start/demo-lines.ts";
import { serveOptions } from "./serve-options.ts";

export async function serveCommand(args: string[]): Promise<void> {
  const began = performance.now();
  const { data, host, port, demo } = serveOptions(args);
  const { settings, trustProxy } = readSettings(process.env, `http://127.0.0.1:${port}`);
  if (demo && settings.ENVIRONMENT !== "local")
    refuse("--demo does not go with PUBLIC_URL: the demo store's key is public");
  const server = await serve({
    ...{ data, host, port, log, trustProxy, settings, secrets },
    public: `${import.meta.dirname}/public`,
    ...(demo ? { fill: async (d1: D1Database) => void (await seed(d1Db(d1), new Date())) } : {}),
  });
  const ms = Math.round(performance.now() - began);
  log("host_started", { address: settings.PUBLIC_URL, pid: process.pid, ms });
  if (demo) console.error(demoLines(`http://127.0.0.1:${port}`));
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => server.stop().then(() => process.exit(0)));
}

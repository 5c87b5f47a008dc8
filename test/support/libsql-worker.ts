import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { experimental_readRawConfig, unstable_startWorker } from "wrangler";
import { freePort } from "../../scripts/free-port.ts";
import { root } from "../../scripts/paths.ts";
import { openLibsqlServer } from "./libsql-server.ts";

export type LibsqlWorker = {
  worker: Awaited<ReturnType<typeof unstable_startWorker>>;
  /** Where it listens. */
  origin: string;
  server: Awaited<ReturnType<typeof openLibsqlServer>>;
  close: () => Promise<void>;
};

/** The whole Worker on a libSQL server of its own, with these secrets and variables. */
export async function startLibsqlWorker(variables: Record<string, string> = {}): Promise<LibsqlWorker> {
  const server = await openLibsqlServer();
  const config = writeConfig();
  const port = await freePort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  const texts = Object.entries({ LIBSQL_URL: server.url, PUBLIC_URL, ...variables });
  const worker = await unstable_startWorker({
    config: config.path,
    bindings: Object.fromEntries(
      texts.map(([name, value]) => [name, { type: "plain_text", value } as const]),
    ),
    dev: {
      server: { hostname: "127.0.0.1", port },
      inspector: false,
      logLevel: "none",
      watch: false,
      persist: false,
    },
  });
  await worker.ready;
  const { origin } = new URL(String(await worker.url));
  const close = async () => {
    await worker.dispose();
    await server.close();
    config.remove();
  };
  return { worker, origin, server, close };
}

type Config = {
  main: string;
  alias: Record<string, string>;
  assets: { directory: string };
  queues: { consumers: object[] };
};

/**
 * The Worker's configuration in a file of its own, where a message waits for no others: in production it waits for a second, as would each
 * test that waits for a job.
 */
function writeConfig(): { path: string; remove: () => void } {
  const { rawConfig } = experimental_readRawConfig({ config: `${root}wrangler.toml` });
  const { main, alias, assets, queues, ...rest } = rawConfig as unknown as Config;
  const config = {
    ...rest,
    main: join(root, main),
    alias: Object.fromEntries(Object.entries(alias).map(([name, path]) => [name, join(root, path)])),
    assets: { ...assets, directory: join(root, assets.directory) },
    queues: {
      ...queues,
      consumers: queues.consumers.map((consumer) => ({ ...consumer, max_batch_timeout: 0 })),
    },
  };
  const directory = mkdtempSync(join(tmpdir(), "perennial-config-"));
  const path = join(directory, "wrangler.json");
  writeFileSync(path, JSON.stringify(config));
  return { path, remove: () => rmSync(directory, { recursive: true }) };
}

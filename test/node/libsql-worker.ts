import { unstable_startWorker } from "wrangler";
import { freePort } from "../../scripts/free-port.ts";
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
  const port = await freePort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  const texts = Object.entries({ LIBSQL_URL: server.url, PUBLIC_URL, ...variables });
  const worker = await unstable_startWorker({
    config: "wrangler.toml",
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
  };
  return { worker, origin, server, close };
}

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { freePort } from "../../scripts/free-port.ts";
import { workerBuild } from "./worker-build.ts";

export type LocalWorker = {
  /** Where it listens. */
  origin: string;
  close: () => Promise<void>;
};

type Surroundings = {
  /** Secrets and variables. */
  variables: Record<string, string>;
  /** A folder that has the Worker's data already; without one, it has none. */
  folder?: string;
};

/** The whole Worker in a runtime of its own. */
export async function startLocalWorker({ variables, folder }: Surroundings): Promise<LocalWorker> {
  const { script, options } = await workerBuild();
  const port = await freePort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      ...options,
      bindings: { ...(options.bindings as object), PUBLIC_URL, ...variables },
      modulesRoot: "/",
      modules: [{ type: "ESModule", path: "/worker.js", contents: script }],
      host: "127.0.0.1",
      port,
      cf: false,
      handleStructuredLogs: () => undefined,
    }),
    ...(folder ? { resourcePersistencePath: folder } : {}),
  });
  const { origin } = await miniflare.ready;
  return { origin, close: () => miniflare.dispose() };
}

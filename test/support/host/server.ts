import { freePort } from "../../../scripts/free-port.ts";
import { root } from "../../../scripts/paths.ts";
import { d1Db } from "../../../src/base/db/client.ts";
import type { Db } from "../../../src/base/db/port.ts";
import { openD1 } from "../../../src/host/d1.ts";
import { openBeside } from "../../../src/host/data.ts";
import { serve } from "../../../src/host/serve.ts";
import { localDevelopment } from "../../../src/host/settings.ts";

/** Serves the whole Worker by the host in this process, without the lines that it logs. */
export async function serveWorker(
  data: string,
  variables: Record<string, string>,
): Promise<{ origin: string; db: Db; close: () => Promise<void> }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { log } = console;
  console.log = () => {};
  const server = await serve({
    ...{ data, port, host: "127.0.0.1", public: `${root}public`, trustProxy: false, log: () => {} },
    ...{ settings: { ...localDevelopment, PUBLIC_URL: origin, ...variables }, secrets: {} },
  });
  const beside = openBeside(data, () => {});
  const close = async () => {
    beside.close();
    await server.stop();
    console.log = log;
  };
  return { origin, db: d1Db(openD1(beside)), close };
}

import { openLibsqlServer } from "./libsql-server.ts";
import { type LocalWorker, startLocalWorker } from "./local-worker.ts";

export type LibsqlWorker = LocalWorker & { server: Awaited<ReturnType<typeof openLibsqlServer>> };

/** The whole Worker on a libSQL server of its own, with these secrets and variables. */
export async function startLibsqlWorker(variables: Record<string, string> = {}): Promise<LibsqlWorker> {
  const server = await openLibsqlServer();
  const { origin, close } = await startLocalWorker({ variables: { LIBSQL_URL: server.url, ...variables } });
  return {
    origin,
    server,
    close: async () => {
      await close();
      await server.close();
    },
  };
}

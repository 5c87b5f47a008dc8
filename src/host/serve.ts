import type { Bindings } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";
import worker from "../worker.ts";
import { forgetAddress, noteAddress } from "./address.ts";
import { readAssets } from "./assets.ts";
import { atMost } from "./at-most.ts";
import { type Counters, openCounters } from "./counters.ts";
import { startCron } from "./cron.ts";
import { openD1 } from "./d1.ts";
import { openData } from "./data.ts";
import { digestAtOnce } from "./digest.ts";
import { serveHttp } from "./http/serve-http.ts";
import { openLimiter } from "./limiter.ts";
import { guardRequests, trustThisMachine } from "./network/guard.ts";
import { openQueues } from "./queues/queues.ts";
import { withSecrets } from "./settings.ts";

type Served = {
  /** The folder of the database, the queue and the secrets. */
  data: string;
  /** The folder of the files that are served as they are. */
  public: string;
  port: number;
  host: string;
  settings: Record<string, string>;
  /** The secrets that are made where nobody set them. */
  secrets: Record<string, () => string>;
  trustProxy: boolean;
  /** Puts something into the database before it is served. */
  fill?: (d1: D1Database) => Promise<void>;
  log: Log;
};

/** Serves the whole Worker by this process and the files in a folder. Throws where another process serves that, or the port is taken. */
export async function serve({ data, secrets, fill, trustProxy, log, ...place }: Served) {
  digestAtOnce();
  const { sqlite, close } = openData(data, log);
  const settings = withSecrets(place.settings, { data, secrets, log });
  const DB = openD1(sqlite);
  await fill?.(DB);
  const counters = openCounters();
  const queues = openQueues(`${data}/queue.sqlite`, log, counters.countMessage);
  const bindings = bindingsOf(settings, { DB, queues, counters });
  if (settings.ENVIRONMENT === "local") trustThisMachine();
  else guardRequests();
  const invocation = openInvocations(log);
  const server = await serveHttp({
    ...{ port: place.port, host: place.host, trustProxy, log, assets: readAssets(place.public) },
    fetch: async (request) => {
      const response = await worker.fetch(request, bindings, invocation.context);
      counters.countRequest(response.status);
      return response;
    },
  });
  noteAddress(data, place);
  queues.start((batch) => worker.queue(batch, bindings));
  const cron = startCron((scheduledTime) => worker.scheduled(controllerAt(scheduledTime), bindings), log);

  return {
    /** Takes nothing more, lets what is under way end, and leaves one whole file. */
    async stop(): Promise<void> {
      await Promise.all([server.stop(longestMs), queues.stop(longestMs), cron.stop(longestMs)]);
      await invocation.end(backgroundMs);
      queues.close();
      forgetAddress(data);
      close();
    },
  };
}

/** A batch, a request or a tick that takes longer goes on after the next start; the same as on the edge where an invocation is ended. */
const longestMs = 30_000;
const backgroundMs = 5_000;

type Parts = { DB: D1Database; queues: ReturnType<typeof openQueues>; counters: Counters };

function bindingsOf(settings: Record<string, string>, { DB, queues, counters }: Parts): Bindings {
  const perKey = Number(settings.RATE_LIMIT_PER_KEY ?? 600);
  const perAddress = Number(settings.RATE_LIMIT_PER_ADDRESS ?? 120);
  return {
    ...settings,
    ...{ DB, JOBS: queues.producer("perennial-jobs"), EVENTS: queues.producer("perennial-events") },
    ...{ KEY_LIMITER: openLimiter(perKey), TOKENS_LIMITER: openLimiter(perKey * 5) },
    ...{ ADDRESS_LIMITER: openLimiter(perAddress), SETUPS_LIMITER: openLimiter(10) },
    ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
    COUNTERS: counters.text,
  } as unknown as Bindings;
}

/** Work that requests leave to be done after their answer. */
function openInvocations(log: Log) {
  const open = new Set<Promise<void>>();
  const waitUntil = (work: Promise<unknown>): void => {
    const done = work
      .then(
        () => undefined,
        (error) => log("background_failed", { alert: true, cause: String(error) }),
      )
      .finally(() => open.delete(done));
    open.add(done);
  };
  const context = { waitUntil, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
  return { context, end: (ms: number) => atMost(ms, ...open) };
}

function controllerAt(scheduledTime: number): ScheduledController {
  return { scheduledTime, cron: "* * * * *", noRetry() {} };
}

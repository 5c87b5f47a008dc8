import { Hono } from "hono";
import type { Log } from "../../src/base/lib/log.ts";
import type { PageEnv } from "../../src/edges/portal/pages/page-env.ts";
import { servePages } from "../../src/edges/portal/pages/routes.ts";
import { checkError, envOf } from "../http/serve.ts";
import { ctxOf, env as settings } from "../kernel/ports.ts";
import { queuesOf } from "../kernel/queues.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";

export type Page = { status: number; text: string; cookie: string | undefined };

/** Has the Worker's own pages answer a form of the portal as a task. Their clock, database and queue are the simulator's. */
export async function postForm(
  world: World,
  task: Task,
  { form, fields = {}, cookie }: { form: string; fields?: Record<string, string>; cookie?: string },
): Promise<Page> {
  const url = `${settings.PUBLIC_URL}/portal/${world.account.shop}/${form}`;
  const headers = new Headers({
    origin: settings.PUBLIC_URL,
    host: new URL(settings.PUBLIC_URL).host,
    "content-type": "application/x-www-form-urlencoded",
    ...(cookie === undefined ? {} : { cookie }),
  });
  const request = new Request(url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  surroundings.set(request, { world, task });
  const answer = await pages.fetch(request);
  const [set] = answer.headers.getSetCookie();
  const text = await answer.text();
  return { status: answer.status, text, cookie: set?.split(";")[0] };
}

/** By each request, in whose world it is asked, and by which task. */
const surroundings = new WeakMap<Request, { world: World; task: Task }>();

const pages = servePages(
  new Hono<PageEnv>().use(async (c, next) => {
    const { world, task } = surroundings.get(c.req.raw)!;
    const { db, log } = ctxOf(world, task, { type: "system", name: null });
    c.set("now", new Date(world.clock));
    c.set("requestId", "request");
    c.set("db", db);
    c.set("env", { ...envOf(world), ...queuesOf(world, task) });
    c.set("log", ((event, fields) => {
      if (event === "error" && fields?.code === "INTERNAL") checkError(world, String(fields.cause));
      log(event, fields);
    }) as Log);
    return next();
  }),
  [],
);

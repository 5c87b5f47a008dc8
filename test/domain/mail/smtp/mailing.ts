import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { childEnv } from "../../../support/child-env.ts";
import { certificatePath, type MailServer, type Script, serveMail } from "./mail-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test states the body's type where it matters
type Json = any;
type Sent = { mail: Json; server: MailServer };

/** A deployment with keys of so many accounts, whose processes have this environment. */
export type StartDeployment = (
  accounts: number,
  env: Record<string, string>,
) => Promise<{ origin: string; keys: string[]; close: () => Promise<void> }>;

/** A deployment with accounts that nobody has used yet. */
export type Mailing = {
  /** Has an account of its own send a mail by such a server; returns the mail once it was tried, and the server. */
  send: (script?: Script, options?: { to?: string; host?: string }) => Promise<Sent>;
  /** Another account's request, and that of the monitoring. Throws where either has no answer. */
  askBeside: () => Promise<void>;
  close: () => Promise<void>;
};

export async function startMailing(accounts: number, start: StartDeployment): Promise<Mailing> {
  const { origin, keys, close } = await start(accounts + 1, { NODE_EXTRA_CA_CERTS: certificatePath });
  const neighbour = keys.pop()!;
  const servers: MailServer[] = [];
  let accountsBefore = Promise.resolve();

  async function call(key: string, method: string, path: string, body?: object): Promise<Json> {
    const response = await fetch(origin + path, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      signal: AbortSignal.timeout(20_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${text}`);
    return JSON.parse(text);
  }

  async function ask(key: string, host: string, port: number, to: string): Promise<void> {
    const credentials = { host, port, user: "shop", password: "a password" };
    const settings = { provider: "smtp", from_address: "hello@shop.example", credentials };
    await call(key, "PUT", "/api/account/mail", settings);
    await call(key, "POST", "/api/account/mail/test", { to });
  }

  return {
    async send(script, { to = "ada@example.com", host = "localhost" } = {}) {
      const server = await serveMail(script);
      servers.push(server);
      const key = keys.pop()!;
      // Many at once would have to wait for the database, and others with them.
      const asked = accountsBefore.then(() => ask(key, host, server.port, to));
      accountsBefore = asked;
      await asked;
      // Dozens that ask all the time would keep the Worker busy: the mail's state is known once its connection has ended.
      for (const until = Date.now() + 60_000; ; await setTimeout(300)) {
        const [connection] = server.sockets;
        if (!connection?.destroyed && Date.now() < until) continue;
        const { data } = await call(key, "GET", "/api/mails");
        if (data[0].status !== "PENDING" || data[0].last_error !== null) return { mail: data[0], server };
      }
    },
    async askBeside() {
      await Promise.all([call(neighbour, "GET", "/api/account"), call(neighbour, "GET", "/health")]);
    },
    async close() {
      for (const server of servers) server.close();
      await close();
    },
  };
}

/** The whole Worker in workerd. */
export const startOnRuntime: StartDeployment = async (accounts, environment) => {
  const program = new URL("deployment.ts", import.meta.url).pathname;
  const child = fork(program, [String(accounts)], {
    env: { ...childEnv, ...environment },
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const close = async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
  return { ...(await firstMessage(child)), close };
};

async function firstMessage(child: ChildProcess): Promise<{ origin: string; keys: string[] }> {
  const [message] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`The deployment ended with ${code}`);
    }),
  ]);
  return message;
}

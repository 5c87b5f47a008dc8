/** The host speaks with mail servers as the edge does, and with one of a package. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { certificatePath } from "../domain/mail/smtp/mail-server.ts";
import { sessionsSuite } from "../domain/mail/smtp/suite.ts";
import { createAccounts, newFolder, startHost } from "./process.ts";

// biome-ignore lint/suspicious/noExplicitAny: a package without types
type Json = any;

async function startOnHost(accounts: number, env: Record<string, string>) {
  const data = newFolder();
  const keys = await createAccounts(data, accounts);
  const { origin, end } = await startHost(data, { env });
  return { origin, keys, close: async () => void (await end("SIGTERM")) };
}

sessionsSuite(startOnHost);

test("a mail is taken by a mail server of a package, over TLS and with a password", async () => {
  const { SMTPServer } = createRequire(import.meta.url)("smtp-server");
  const pem = readFileSync(certificatePath);
  const mails: { user: string; from: string; to: string[]; mail: string }[] = [];
  const server = new SMTPServer({
    ...{ key: pem, cert: pem, authMethods: ["PLAIN"] },
    onAuth: ({ username, password }: Json, _: Json, done: Json) =>
      done(password === "a password" ? null : new Error("unknown"), { user: username }),
    onData: async (stream: Json, { user, envelope }: Json, done: Json) => {
      const mail = await text(stream);
      mails.push({
        user,
        from: envelope.mailFrom.address,
        to: envelope.rcptTo.map((one: Json) => one.address),
        mail,
      });
      done();
    },
  });
  await once(server.listen(0, "localhost"), "listening");
  const { origin, keys, close } = await startOnHost(1, { NODE_EXTRA_CA_CERTS: certificatePath });
  const ask = (method: string, path: string, body: object) =>
    fetch(origin + path, {
      ...{ method, body: JSON.stringify(body) },
      headers: { "X-API-Key": keys[0]!, "Content-Type": "application/json" },
    });
  const credentials = {
    host: "localhost",
    port: server.server.address().port,
    user: "shop",
    password: "a password",
  };
  const set = await ask("PUT", "/api/account/mail", {
    provider: "smtp",
    from_address: "hello@shop.example",
    credentials,
  });
  expect(set.status).toBe(200);
  await ask("POST", "/api/account/mail/test", { to: "ada@example.com" });
  await expect.poll(() => mails.length, { timeout: 30_000 }).toBe(1);
  expect(mails).toMatchObject([{ user: "shop", from: "hello@shop.example", to: ["ada@example.com"] }]);
  expect(mails[0]!.mail).toContain("To: ada@example.com");
  await close();
  server.close();
});

// `npm run portal-link`: a link that signs a customer of the demo store in to the local portal, once and within 15 minutes.
import { demoApiKey, demoId } from "../src/base/demo.ts";
import { commandLine } from "./command-line.ts";

const { positionals } = commandLine({
  usage: `Usage: npm run portal-link [-- PROFILE_ID | E-MAIL | NUMBER]

Prints a link that signs a customer of the demo store in to the local portal, once, within 15 minutes. The customer is named by id, e-mail
address or the number of a subscription; without one it is Linus. The server must run (npm start); PORT names its port.`,
  options: {},
  positionals: true,
});
const [customer = demoId("profile", 1)] = positionals;
const address = `http://127.0.0.1:${process.env.PORT || "8787"}`;
const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(customer);

const { url } = await ask<{ url: string }>("/api/portal/sessions", {
  profile_id: isId ? customer : await findProfile(customer),
});
console.log(url);

async function findProfile(text: string): Promise<string> {
  const { data } = await ask<{ data: Found[] }>(`/api/subscriptions?search=${encodeURIComponent(text)}`);
  const [found] = data.filter(({ number, profile }) =>
    [number, profile?.email.toLowerCase()].includes(text.toLowerCase()),
  );
  return (
    found?.profile_id ??
    fail(`No subscription has the number ${text}, or a customer with this e-mail address`)
  );
}

type Found = { number: string; profile_id: string; profile: { email: string } | null };

/** Posts the body, or gets where there is none. */
async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(address + path, {
    method: body ? "POST" : "GET",
    headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => fail(`Nothing answers at ${address}: run npm start first`));
  const answer = (await response.json()) as Answer & { error?: string };
  return response.ok ? answer : fail(answer.error ?? `HTTP ${response.status}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

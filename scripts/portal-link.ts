// `npm run portal-link`: a link that signs a customer of the demo store in to the local portal, once and within 15 minutes.
import { demoApiKey, demoId } from "../src/base/demo.ts";
import { commandLine } from "./command-line.ts";

const { positionals } = commandLine({
  usage: `Usage: npm run portal-link [-- PROFILE_ID]

Prints a link that signs a customer of the demo store in to the local portal, once and within 15 minutes. The server must
run (npm start); PORT names its port.`,
  options: {},
  positionals: true,
});
const [profile_id = demoId("profile", 1)] = positionals;
const address = `http://127.0.0.1:${process.env.PORT || "8787"}`;

const response = await fetch(`${address}/api/portal/sessions`, {
  method: "POST",
  headers: { "X-API-Key": demoApiKey, "Content-Type": "application/json" },
  body: JSON.stringify({ profile_id }),
}).catch(() => {
  console.error(`Nothing answers at ${address}: run npm start first`);
  process.exit(1);
});
const answer = (await response.json()) as { url?: string; error?: string };
if (!answer.url) {
  console.error(answer.error);
  process.exit(1);
}
console.log(answer.url);

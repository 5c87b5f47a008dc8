/**
 * Prints a link that signs a customer of the demo store in to the local portal, once and within 15 minutes.
 *
 *   npm run portal-link [-- <profile id>]
 *
 * The server must run (`npm start`); PORT names its port.
 */
import { demoApiKey, demoId } from "../src/demo.ts";

const port = process.env.PORT || "8787";
const address = `http://127.0.0.1:${port}`;
const [profile_id = demoId("profile", 1)] = process.argv.slice(2);

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

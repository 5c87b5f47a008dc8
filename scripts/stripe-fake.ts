// `npm run stripe-fake`: serves the fake Stripe account of the tests on this machine.
import { commandLine, wholeNumber } from "./command-line.ts";

const { values } = commandLine({
  usage: `Usage: npm run stripe-fake [-- --port 12112]

Serves a fake Stripe account on 127.0.0.1: the API, the script /v3/ and the pages of Checkout. It forgets everything when it ends.

  --port  where to listen; 12112 by default`,
  options: { port: { type: "string", default: "12112" } },
});
const port = wholeNumber("port", values.port, { min: 1, max: 65_535 });
const { serveFakeStripe } = await import("./stripe-fake/serve.ts");
const { fake, address } = await serveFakeStripe({ port });
console.log(`
  Address          ${address}
  Secret key       ${fake.settings.secretKeys[0]}
  Publishable key  ${fake.settings.publishableKey}
  Script           ${address}/v3/
`);

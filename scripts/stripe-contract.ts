// `npm run stripe-contract`: has stripe-mock, Stripe's own stand-in, judge the form of each request that the adapter makes.
import { commandLine } from "./command-line.ts";

commandLine({
  usage: `Usage: npm run stripe-contract

Replays each request that the adapter makes to stripe-mock, which knows the parameters of Stripe's published document, and prints those that it
refuses. It says nothing of what Stripe does. Needs Go, with which it builds stripe-mock once.`,
  options: {},
});

const { requestStripe } = await import("../src/stores/stripe/client.ts");
const { recordRequests } = await import("./stripe-contract/requests.ts");
const { startMock } = await import("./stripe-contract/mock.ts");

const requests = await recordRequests();
const { address: apiUrl, end } = await startMock();
let refused = 0;
try {
  for (const { params = {}, ...request } of requests) {
    // Its document is some months old, and refuses the name of a newer version.
    const known = { ...request, params: { ...params, api_version: undefined } };
    const answer = await requestStripe({ secretKey: "sk_test_123", apiUrl }, known).then(
      () => "taken",
      (error: Error) => `REFUSED  ${error.message}`,
    );
    if (answer !== "taken") refused++;
    console.log(`${request.method.padEnd(6)} ${request.path}  ${answer}`);
  }
} finally {
  end();
}
console.log(`\n${requests.length} requests, ${refused} refused`);
process.exitCode = refused === 0 ? 0 : 1;

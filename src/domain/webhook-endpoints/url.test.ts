/** Events are never sent inward: an endpoint's address is public, and is not the deployment's own. */
import { describe, expect, test } from "vitest";
import { findEndpointUrlFault } from "./url.ts";

const ownOrigins = ["https://subscriptions.example.com", "https://account.shop.example:8443"];

function deployed(url: string) {
  return findEndpointUrlFault(url, { isLocal: false, ownOrigins });
}

function local(url: string) {
  return findEndpointUrlFault(url, { isLocal: true, ownOrigins: ["http://127.0.0.1:8787"] });
}

test.each([
  "https://hooks.example.com",
  "https://hooks.example.com/in?key=a@b",
  "https://hooks.example.com:443/",
  "https://hooks.example.com:8443/",
  "https://bücher.example/",
  "https://a.b.c.d.example.co.uk/x",
  "https://1.example.com/",
])("%s is reached", (url) => {
  expect([deployed(url), local(url)]).toEqual([undefined, undefined]);
});

const inward = {
  decimal: "https://2130706433/",
  hexadecimal: "https://0x7f000001/",
  octal: "https://0177.0.0.1/",
  "dotted hexadecimal": "https://0x7f.0.0.1/",
  short: "https://127.1/",
  zero: "https://0/",
  IPv4: "https://10.0.0.1/",
  "public IPv4": "https://93.184.216.34/",
  metadata: "https://169.254.169.254/latest",
  IPv6: "https://[2001:db8::1]/",
  "IPv6 loopback": "https://[::1]/",
  "IPv4-mapped": "https://[::ffff:127.0.0.1]/",
  "IPv4-mapped in hexadecimal": "https://[::ffff:7f00:1]/",
  "unspecified IPv6": "https://[::]/",
  localhost: "https://localhost/",
  "localhost in capitals": "https://LOCALHOST/",
  "localhost with a dot": "https://localhost./",
  "an address with a dot": "https://127.0.0.1./",
  "a name with a dot": "https://hooks.example.com./",
  "below localhost": "https://hooks.localhost/",
  "localhost in full width": "https://ｌｏｃａｌｈｏｓｔ/",
  "an address in full width": "https://１２７.0.0.1/",
  "an ideographic dot": "https://127。0。0。1/",
  "localhost in punycode": "https://xn--localhost-/",
  "a single label": "https://intranet/",
  local: "https://printer.local/",
  internal: "https://metadata.google.internal/",
  test: "https://hooks.test/",
  lan: "https://router.lan/",
  "home.arpa": "https://nas.home.arpa/",
  corp: "https://wiki.corp/",
  onion: "https://expyuzz4wqqyqhjn.onion/",
  intranet: "https://hr.intranet/",
  invalid: "https://hooks.invalid/",
  arpa: "https://1.0.0.127.in-addr.arpa/",
};

describe("inward, however it is spelled", () => {
  test.each(Object.entries(inward))("%s", (_, url) => {
    expect(deployed(url)).toMatch(/^must /);
  });

  const loops = ["https://2130706433/", "https://[::1]/", "https://localhost/", "https://127.1/"];
  test.each(Object.entries(inward))("%s: locally loopback alone is reached", (_, url) => {
    const host = URL.canParse(url) ? new URL(url).hostname : "";
    const isLoopback = loops.includes(url) || host === "localhost" || host === "127.0.0.1";
    expect(local(url) === undefined).toBe(isLoopback);
  });
});

test.each([
  ["http://hooks.example.com/", "https"],
  ["ftp://hooks.example.com/", "https"],
  ["javascript:alert(1)", "https"],
  ["hooks.example.com", "URL"],
  ["https://", "URL"],
  [" https://hooks.example.com/", "URL"],
  ["https://hooks.example.com/\n", "URL"],
  ["https://ada@hooks.example.com/", "user"],
  ["https://ada:secret@hooks.example.com/", "user"],
  ["https://@hooks.example.com/", "user"],
  ["https://hooks.example.com@10.0.0.1/", "user"],
  ["https://hooks.example.com/#part", "fragment"],
  ["https://hooks.example.com/#", "fragment"],
  ["https://hooks.example.com:22/", "port"],
  ["https://hooks.example.com:8787/", "port"],
])("%s is refused, and why is said", (url, reason) => {
  expect(deployed(url)).toContain(reason);
});

test.each([
  "http://127.0.0.1:4000/in",
  "http://127.9.9.9:1/",
  "http://[::1]:4000/",
  "http://localhost:4000/",
  "https://localhost:4000/",
  "http://hooks.example.com/",
])("%s is reached locally", (url) => {
  expect([local(url), deployed(url) === undefined]).toEqual([undefined, false]);
});

test.each([
  "https://subscriptions.example.com/api/subscriptions",
  "https://SUBSCRIPTIONS.example.com:8443/",
  "https://account.shop.example/in",
])("%s is refused, because the deployment itself answers there", (url) => {
  expect(deployed(url)).toContain("must not lead back to this service");
});

test("a version of the deployment has no other address that is taken", () => {
  const worker = "https://perennial-production.acme.workers.dev";
  const faultOf = (url: string) => findEndpointUrlFault(url, { isLocal: false, ownOrigins: [worker] });
  expect(faultOf("https://0a1b2c3d-perennial-production.acme.workers.dev/")).toBeDefined();
  expect(faultOf("https://hooks.acme.workers.dev/")).toBeUndefined();
});

test("a local receiver is another program than the deployment, at another port of the same machine", () => {
  expect([local("http://127.0.0.1:8787/in"), local("http://127.0.0.1:4000/in")]).toEqual([
    "must not lead back to this service",
    undefined,
  ]);
  expect(deployed("https://hooks.subscriptions.example.com/")).toBeUndefined();
});

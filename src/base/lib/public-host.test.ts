/** A host name counts as public only if it cannot lead into a private network. */
import { describe, expect, test } from "vitest";
import { findPublicUrlFault, inwardNames, isLoopback, isPublicName, outwardUrl } from "./public-host.ts";

const longLabel = "a".repeat(63);

describe("a public name", () => {
  test.each([
    "example.com",
    "a.b.c.example.co.uk",
    "1.example.com",
    "xn--bcher-kva.example",
    "_dmarc.example.com",
    "a-b_c.example",
    "example.0xyz.com",
    "example.1a",
    "example.a1",
    "example.a0x1",
    `${longLabel}.example`,
    `${"a.".repeat(125)}com`,
    "local.example.com",
  ])("%s is one", (name) => {
    expect(isPublicName(name)).toBe(true);
  });

  test.each([
    "",
    "localhost",
    "example",
    "example.com.",
    ".example.com",
    "a..example",
    "-a.example",
    "a-.example",
    "a b.example",
    "a/b.example",
    "UPPER.example",
    `${longLabel}a.example`,
    `${"a.".repeat(126)}com`,
    "10.0.0.1",
    "1.2.3.256",
    "127.0.0.0x1",
    "0x7f.0x1",
    "[::1]",
  ])("%j is none", (name) => {
    expect(isPublicName(name)).toBe(false);
  });

  test.each(inwardNames)("neither %s nor anything below it is one, at any depth", (name) => {
    expect([name, `a.${name}`, `a.b.${name}`].map(isPublicName)).toEqual([false, false, false]);
    expect([`${name}.example`, `not${name}.example`, `a.not-${name}.org`].map(isPublicName)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("names that lead inward are these", () => {
    expect(inwardNames.join(" ")).toBe(
      "alt arpa invalid local localhost onion test corp home internal intranet lan private cluster consul localdomain svc " +
        "metadata.goog metadata.tencentyun.com 1u.ms anyip.dev backname.io ip6.name ipq.co local-ip.co local-ip.sh nip.io " +
        "rbndr.us sslip.io traefik.me xip.io xip.name 127-0-0-1.org.uk ddev.site lacolhost.com localho.st localhost.direct " +
        "localhost.tv localhst.co.uk localtest.me lvh.me vcap.me",
    );
  });

  test.each([
    "metadata.google.internal",
    "home.arpa",
    "api.shop.svc",
    "api.shop.svc.cluster.local",
    "10.0.0.1.nip.io",
    "10-0-0-1.sslip.io",
  ])("%s is none", (name) => {
    expect(isPublicName(name)).toBe(false);
  });

  test("the pattern of addresses says the same", () => {
    const address = new RegExp(`${outwardUrl}[a-z.]+`);
    for (const name of inwardNames)
      for (const end of ["", "/x", ":8443", "?x"]) {
        expect(address.test(`https://a.${name}${end}`)).toBe(false);
        expect(address.test(`https://${name}.example${end}`) || /^[^a-z]/.test(name)).toBe(true);
      }
    expect(address.test("https://a.example/nip.io")).toBe(true);
    expect(address.test("https://a.example/?b.nip.io")).toBe(true);
  });
});

test.each([
  ["127.0.0.1", true],
  ["127.10.200.255", true],
  ["[::1]", true],
  ["localhost", true],
  ["1127.0.0.1", false],
  ["127.0.0.1.example.com", false],
  ["127.0.0", false],
  ["126.0.0.1", false],
  ["[::1]x", false],
  ["x[::1]", false],
  ["notlocalhost", false],
  ["localhost.example.com", false],
])("%s is this machine: %j", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe("an origin that links are made of", () => {
  test.each([
    "https://subscriptions.example.com",
    "https://subscriptions.example.com:8443",
    "http://127.0.0.1:8787",
    "http://localhost",
    "https://localhost",
  ])("%s is one", (url) => {
    expect(findPublicUrlFault(url)).toBeUndefined();
  });

  test.each([
    ["", "must be an origin, such as https://subscriptions.example.com"],
    ["subscriptions.example.com", "must be an origin, such as https://subscriptions.example.com"],
    ["http://subscriptions.example.com", "must begin with https://"],
    ["ftp://localhost", "must begin with https://"],
    ["https://a.example.com/", "must be an origin alone: https://a.example.com"],
    ["https://a.example.com/x?y#z", "must be an origin alone: https://a.example.com"],
    ["https://A.example.com", "must be an origin alone: https://a.example.com"],
    ["https://ada@a.example.com", "must be an origin alone: https://a.example.com"],
  ])("%s is none, and why is said", (url, fault) => {
    expect(findPublicUrlFault(url)).toBe(fault);
  });
});

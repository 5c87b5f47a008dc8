/** Two spellings are one e-mail address only if no mail server could take them for two customers. */
import { describe, expect, test } from "vitest";
import { asciiDomain, emailKey, formsOfEmail } from "./email-address.ts";

describe("two e-mail addresses are one", () => {
  test.each([
    ["in another case", "Ada@Shop.Example", "ada@shop.example"],
    ["with the domain in punycode", "ada@müller.example", "ada@xn--mller-kva.example"],
    ["with the domain in punycode, in another case", "ada@MÜLLER.example", "ada@XN--MLLER-KVA.example"],
    ["with decomposed letters in the domain", "ada@mu\u0308ller.example", "ada@müller.example"],
    ["with a full-width dot", "ada@müller\u3002example", "ada@müller.example"],
    ["whose local part is not in ASCII", "ÁDA@shop.example", "áda@shop.example"],
  ])("%s", (_, one, other) => {
    expect(emailKey(one)).toBe(emailKey(other));
  });
});

describe("two e-mail addresses are two", () => {
  test.each([
    ["of other domains", "ada@müller.example", "ada@muller.example"],
    ["whose domains are written alike in capitals", "ada@faß.example", "ada@fass.example"],
    ["of which one would end the host of a URL", "ada@müller.example/x", "ada@müller.example"],
    ["of which one would be decoded in a URL", "ada@müller%2eexample", "ada@müller.example"],
    ["of which one would name a user in a URL", "ada:x@müller.example", "ada@müller.example"],
  ])("%s", (_, one, other) => {
    expect(emailKey(one)).not.toBe(emailKey(other));
  });
});

test("what is no domain has no form in ASCII", () => {
  for (const domain of ["xn--ü.example", "ü/x", "ü x", "ü:80"]) expect(asciiDomain(domain)).toBeUndefined();
});

test.each([
  ["ada@müller.example", ["ada@müller.example", "ada@xn--mller-kva.example"]],
  ["ada@xn--mller-kva.example", ["ada@xn--mller-kva.example", "ada@müller.example"]],
  ["ada@shop.example", ["ada@shop.example"]],
])("%s is written so: %j", (email, forms) => {
  expect(formsOfEmail(email)).toEqual(forms);
});

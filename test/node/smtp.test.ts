import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = new URL("smtp-session.mjs", import.meta.url).pathname;

/** Sends a mail to a server that does so; returns the outcome, and the lines that the server was told. */
async function sendTo(mode: string): Promise<{ outcome: object; told: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, mode]);
  return JSON.parse(stdout);
}

test("a mail is sent over TLS, with its names in ASCII and its dots doubled", async () => {
  const { outcome, told } = await sendTo("all-is-well");
  expect(outcome).toEqual({ id: null });
  expect(told.map((line) => line.slice(0, 8))).toEqual([
    "EHLO 127",
    "STARTTLS",
    "EHLO 127",
    "AUTH PLA",
    "MAIL FRO",
    "RCPT TO:",
    "DATA\r\n",
    "MIME-Ver",
    "QUIT\r\n",
  ]);
  const [body = ""] = told.filter((line) => line.startsWith("MIME"));
  expect(body).toContain("From: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <a@shop.example>\r\n");
  expect(body).toContain("\r\n..two");
});

test("a server without TLS is told neither user nor password", async () => {
  const { outcome, told } = await sendTo("without-tls");
  expect(outcome).toEqual({ name: "RefusedError", code: "smtp_without_tls", isFinal: false });
  expect(told).toEqual(["EHLO 127.0.0.1\r\n"]);
});

test.each([
  ["refuses-password", { code: "smtp_535", isFinal: false }],
  ["knows-nobody", { code: "smtp_550", isFinal: true }],
  ["refuses-mail", { code: "smtp_554", isFinal: true }],
])("a server that %s", async (mode, refusal) => {
  expect((await sendTo(mode)).outcome).toEqual({ name: "RefusedError", ...refusal });
});

/** A mail is written by RFC 5322 and MIME, with names, subjects and domains of any script. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mailHeaders } from "../../headers.ts";
import type { OutgoingMail } from "../../port.ts";
import type { Connection } from "./connection.ts";
import { type Message, writeMessage } from "./message.ts";
import { handOver } from "./session.ts";

const fields = {
  from: { name: "Napf & Co", address: "hello@shop.example" },
  reply_to: "help@shop.example",
  to: "ada@example.com",
  subject: "Your payment",
};

function write(changes: Partial<typeof fields> = {}, mail: Partial<OutgoingMail> = {}): Message {
  const at = "2026-11-20T12:00:00.000Z";
  const body = { html: "<p>One</p>\n", text: "One\n", key: "0193-0", at };
  return writeMessage({ ...mailHeaders({ ...fields, ...changes }), ...body, ...mail });
}

test("a mail is written by RFC 5322 and MIME", () => {
  expect(write().data.split("\r\n")).toEqual([
    'From: "Napf & Co" <hello@shop.example>',
    "To: ada@example.com",
    "Reply-To: help@shop.example",
    "Subject: Your payment",
    "Date: Fri, 20 Nov 2026 12:00:00 +0000",
    "Message-ID: <0193-0@shop.example>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/alternative; boundary="=_0193-0"',
    "",
    "--=_0193-0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "One",
    "",
    "--=_0193-0",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "<p>One</p>",
    "",
    "--=_0193-0--",
    "",
  ]);
});

test("a name is encoded without its quotes, and stays in them where it is ASCII", () => {
  const from = (name: string) =>
    write({ from: { ...fields.from, name } })
      .data.split(/\r\n(?! )/)[0]!
      .slice("From: ".length);
  expect(from('Say "cheese"')).toBe('"Say \\"cheese\\"" <hello@shop.example>');
  expect(from('Größe "X"')).toBe("=?UTF-8?Q?Gr=C3=B6=C3=9Fe_=22X=22?=\r\n <hello@shop.example>");
  expect(from("")).toBe("hello@shop.example");
});

describe("of addresses", () => {
  test("the domain is written in ASCII, and a local part beyond it needs UTF-8", () => {
    const { from, to, isUtf8 } = write({
      from: { name: "", address: "hallo@größe.example" },
      to: "ada@münchen.example",
    });
    expect([from, to, isUtf8]).toEqual(["hallo@xn--gre-6ka8i.example", "ada@xn--mnchen-3ya.example", false]);
    expect(write({ to: "jürgen@example.com" }).isUtf8).toBe(true);
    expect(write({ reply_to: "jürgen@example.com" }).isUtf8).toBe(true);
  });

  test("one whose domain cannot be is refused", () => {
    expect(() => write({ to: "ada@xn--ü.example" })).toThrow("no_such_domain");
  });
});

const letters = [...'aZ0 _=?.\u00ad"(,', "ü", "語", "🐕", "e\u0301"];
const anyText = fc.string({ unit: fc.constantFrom(...letters), maxLength: 200 });

test("a subject of any text is lines of at most 76 characters in words of at most 75, and is read as it was", () => {
  fc.assert(
    fc.property(anyText, (subject) => {
      const [line = ""] = /^Subject: [\s\S]*?(?=\r\nDate:)/m.exec(write({ subject }).data) ?? [];
      expect(Math.max(...line.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(76);
      const words = line.slice("Subject: ".length).split("\r\n ");
      if (words[0] === subject) return;
      for (const word of words) expect(word).toMatch(/^(?=.{1,75}$)=\?UTF-8\?Q\?[A-Za-z0-9!*+/=_-]*\?=$/);
      expect(words.map(readWord).join("")).toBe(subject);
    }),
  );
});

test("a text of any kind is ASCII in lines of at most 76 characters, and is read as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, fc.constant("a\t"))), (lines) => {
      const text = lines.join("\n");
      const body = /quoted-printable\r\n\r\n([\s\S]*?)\r\n--=_/.exec(write({}, { text }).data)?.[1] ?? "";
      for (const line of body.split("\r\n")) expect(line).toMatch(/^(?=.{0,76}$)([ -~\t]*[!-~])?$/);
      const read = readBytes(body.replaceAll("=\r\n", ""));
      expect(read).toBe(lines.join("\r\n"));
    }),
  );
});

function readWord(word: string): string {
  return readBytes(word.slice("=?UTF-8?Q?".length, -"?=".length).replaceAll("_", " "));
}

function readBytes(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
    Uint8Array.from(bytes, (each) => each.charCodeAt(0)),
  );
}

test("no line of a mail ends it", async () => {
  const told: string[] = [];
  const connection: Partial<Connection> = {
    ask: async (text = "") => {
      told.push(text);
      return { code: text.startsWith("DATA") ? 354 : 250, texts: [] };
    },
    handOver: async (mail) => {
      told.push(mail);
      return { code: 250, texts: [] };
    },
  };
  await handOver(connection as Connection, write({}, { text: ".\n.one\n..\ntwo." }), new Map());
  expect(told.at(-1)).toContain("\r\n\r\n..\r\n..one\r\n...\r\ntwo.\r\n");
  expect(told.at(-1)!.endsWith("--\r\n.\r\n")).toBe(true);
  expect(told.at(-1)!.split("\r\n.\r\n")).toHaveLength(2);
});

import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeUnknown } from "../../../../src/domain/mail/unsettled.ts";
import { type Script, type Step, steps } from "./mail-server.ts";
import { type Mailing, type StartDeployment, startMailing } from "./mailing.ts";

/** Each does something else than to send the reply that is due. Those that take long come first. */
const behaviours = {
  stalls: () => undefined,
  drips: (socket) => drip(socket, "250-and so on\r\n"),
  closes: (socket) => socket.end(),
  resets: (_, __, connection) => connection.resetAndDestroy(),
  floods: (socket) => socket.write("250-and so on\r\n".repeat(10_000)),
  "speaks otherwise": (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "says more": (socket, reply) => socket.write(`${reply}250 and more\r\n`),
  "is busy and closes": (socket) => socket.end("421 4.7.0 Try again later, closing connection.\r\n"),
  refuses: (socket) => socket.write("550 no\r\n"),
} satisfies Record<string, Script["does"]>;
type Behaviour = keyof typeof behaviours;

/** Sends a line without an end, again and again, byte by byte. */
function drip(socket: Socket, line: string): void {
  let sent = 0;
  const timer = setInterval(() => socket.write(line.charAt(sent++ % line.length)), 100);
  socket.on("close", () => clearInterval(timer));
}

/** The mail's state after a try of which one step went so. */
function outcomeOf(step: Step, behaviour: Behaviour): { status: string; last_error: string | null } {
  const hasMail = step === "body";
  if (step === "QUIT" || (hasMail && behaviour === "says more")) return { status: "SENT", last_error: null };
  if (behaviour === "is busy and closes") return { status: "PENDING", last_error: "smtp_421" };
  if (behaviour === "refuses") {
    const isFinal = hasMail || ["MAIL", "RCPT", "DATA"].includes(step);
    return { status: isFinal ? "FAILED" : "PENDING", last_error: "smtp_550" };
  }
  if (hasMail) return { status: "FAILED", last_error: outcomeUnknown };
  const isNoSmtp = ["floods", "speaks otherwise", "says more"].includes(behaviour);
  return { status: "PENDING", last_error: isNoSmtp ? "smtp_bad_reply" : "smtp_unreachable" };
}

const scripts = (Object.keys(behaviours) as Behaviour[]).flatMap((behaviour) =>
  steps.map((at) => ({ at, behaviour })),
);

/** Servers to which no password may be told, and the mail's state. */
const unusable: [name: string, script: Script, outcome: object][] = [
  ["has no TLS", { extensions: ["AUTH PLAIN"] }, { status: "PENDING", last_error: "smtp_without_tls" }],
  [
    "promises TLS and goes on in clear",
    { at: "STARTTLS", does: (socket) => socket.write("220 go on\r\n") },
    { status: "PENDING", last_error: "smtp_unreachable" },
  ],
  [
    "says more before its TLS",
    { at: "STARTTLS", does: (socket) => socket.write("220 go on\r\n250 AUTH PLAIN\r\n") },
    { status: "PENDING", last_error: "smtp_bad_reply" },
  ],
  ["knows no password", { extensions: ["STARTTLS"] }, { status: "PENDING", last_error: "smtp_without_auth" }],
];

/** A mail server that misbehaves at any step keeps nobody waiting, and the mail's state says what is known; others are used as they want it. */
export function sessionsSuite(start: StartDeployment): void {
  let mailing: Mailing;
  let outcomesOfUnusable: Promise<Awaited<ReturnType<Mailing["send"]>>[]>;
  beforeAll(async () => {
    mailing = await startMailing(scripts.length + 20, start);
    // Beside the others, as one of them is given up after a quarter of a minute.
    outcomesOfUnusable = Promise.all(unusable.map(([, script]) => mailing.send(script)));
  });
  afterAll(() => mailing?.close());

  describe("a mail server that misbehaves", () => {
    const outcomes = new Map<string, Awaited<ReturnType<Mailing["send"]>>>();
    const unanswered: unknown[] = [];

    beforeAll(async () => {
      let isOver = false;
      const others = (async () => {
        for (; !isOver; await new Promise((resolve) => setTimeout(resolve, 200)))
          await mailing.askBeside().catch((error) => unanswered.push(error));
      })();
      const sent = scripts.map(async ({ at, behaviour }) => {
        const outcome = await mailing.send({ at, does: behaviours[behaviour] });
        outcomes.set(`${at} ${behaviour}`, outcome);
      });
      await Promise.all(sent).finally(() => {
        isOver = true;
      });
      await others;
    });

    test("keeps nobody else waiting", () => {
      expect(unanswered).toEqual([]);
    });

    test.each(scripts)(
      "$behaviour at $at: the mail's state says what is known, and nothing stays open",
      async ({ at, behaviour }) => {
        const { mail, server } = outcomes.get(`${at} ${behaviour}`)!;
        expect(mail).toMatchObject(outcomeOf(at, behaviour));
        await expect.poll(() => server.sockets[0]!.destroyed, { timeout: 10_000 }).toBe(true);
      },
    );
  });

  describe("a mail server that behaves", () => {
    test("is told user, password and mail over TLS, and all in ASCII", async () => {
      const { mail, server } = await mailing.send();
      expect(mail).toMatchObject({ status: "SENT", provider: "smtp", attempt_count: 1 });
      expect(server.told.inClear).toEqual(["EHLO shop.example", "STARTTLS"]);
      const [ehlo, auth, from, to, data, text, quit] = server.told.overTls;
      expect([ehlo, auth]).toEqual(["EHLO shop.example", `AUTH PLAIN ${btoa("\0shop\0a password")}`]);
      expect([from, to]).toEqual(["MAIL FROM:<hello@shop.example>", "RCPT TO:<ada@example.com>"]);
      expect([data, quit]).toEqual(["DATA", "QUIT"]);
      expect(text).toContain("From: =?UTF-8?Q?Gr=C3=B6=C3=9Fe_=26_Co?=\r\n <hello@shop.example>\r\nTo: ada@");
      expect(text).toMatch(/^[\r\n -~]*$/);
    });

    test("is signed in to by LOGIN where it has nothing else", async () => {
      const { mail, server } = await mailing.send({ extensions: ["STARTTLS", "AUTH=LOGIN"] });
      expect(mail.status).toBe("SENT");
      expect(server.told.overTls.slice(1, 4)).toEqual(["AUTH LOGIN", btoa("shop"), btoa("a password")]);
    });

    test("has addresses by punycode, and local parts by SMTPUTF8", async () => {
      const to = "jürgen@münchen.example";
      const { mail, server } = await mailing.send(
        { extensions: ["STARTTLS", "AUTH PLAIN", "SMTPUTF8"] },
        { to },
      );
      expect(mail).toMatchObject({ status: "SENT", to });
      expect(server.told.overTls.slice(2, 4)).toEqual([
        "MAIL FROM:<hello@shop.example> SMTPUTF8",
        "RCPT TO:<jürgen@xn--mnchen-3ya.example>",
      ]);
      const ascii = await mailing.send({}, { to: "ada@münchen.example" });
      expect(ascii.mail.status).toBe("SENT");
      expect(ascii.server.told.overTls[2]).toBe("MAIL FROM:<hello@shop.example>");
    });
  });

  describe("a mail server that cannot be used", () => {
    const isSecret = (line: string) => /AUTH|MAIL|RCPT/.test(line);

    test.each(unusable.map(([name, , outcome], nth) => ({ name, outcome, nth })))(
      "$name: it is told no password",
      async ({ outcome, nth }) => {
        const { mail, server } = (await outcomesOfUnusable)[nth]!;
        expect(mail).toMatchObject(outcome);
        expect([...server.told.inClear, ...server.told.overTls].filter(isSecret)).toEqual([]);
      },
    );

    test("has the certificate of another name", async () => {
      const { mail, server } = await mailing.send({}, { host: "127.0.0.1" });
      expect(mail).toMatchObject({ status: "PENDING", last_error: "smtp_unreachable" });
      expect(server.told.overTls).toEqual([]);
    });

    test("takes no address beyond ASCII", async () => {
      const { mail, server } = await mailing.send({}, { to: "jürgen@example.com" });
      expect(mail).toMatchObject({ status: "FAILED", last_error: "smtp_without_smtputf8" });
      expect(server.told.overTls.at(-1)).toBe("QUIT");
    });
  });
}

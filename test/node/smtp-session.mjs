// Sends one mail by the SMTP adapter to a server made of a script, and prints what came of it and what the server was told.
import { registerHooks } from "node:module";

const [mode] = process.argv.slice(2);
const told = [];

globalThis.connectToScript = () => {
  let say;
  let isBody = false;
  const readable = new ReadableStream({
    start(controller) {
      say = (text) => controller.enqueue(new TextEncoder().encode(`${text}\r\n`));
      say("220 ready");
    },
  });
  const answer = (line) => {
    if (isBody) {
      isBody = false;
      return mode === "refuses-mail" ? "554 no" : "250 ok";
    }
    if (line.startsWith("EHLO"))
      return mode === "without-tls" ? "250 AUTH PLAIN" : "250-STARTTLS\r\n250 AUTH PLAIN";
    if (line.startsWith("STARTTLS")) return "220 go on";
    if (line.startsWith("AUTH")) return mode === "refuses-password" ? "535 no" : "235 ok";
    if (line.startsWith("RCPT")) return mode === "knows-nobody" ? "550 unknown" : "250 ok";
    if (line.startsWith("DATA")) isBody = true;
    return isBody ? "354 go on" : "250 ok";
  };
  const writable = new WritableStream({
    write(bytes) {
      const line = new TextDecoder().decode(bytes);
      told.push(line);
      say(answer(line));
    },
  });
  const socket = {
    opened: Promise.resolve(),
    readable,
    writable,
    startTls: () => socket,
    close: async () => {},
  };
  return socket;
};

registerHooks({
  resolve: (name, context, next) =>
    name === "cloudflare:sockets"
      ? { url: new URL("smtp-sockets.cjs", import.meta.url).href, format: "commonjs", shortCircuit: true }
      : next(name, context),
});

const { openSmtp } = await import("../../src/domain/mail/providers/smtp.ts");
const sender = openSmtp({ host: "smtp.example.com", port: 587, user: "shop", password: "a password" });
const mail = { from: '"Größe" <a@shop.example>', reply_to: null, to: "ada@example.com", subject: "Grüße" };
const outcome = await sender
  .send({ ...mail, html: "<p>one</p>", text: "one\r\n.two", key: "key" })
  .catch(({ name, code, isFinal }) => ({ name, code, isFinal }));
console.log(JSON.stringify({ outcome, told }));
process.exit();

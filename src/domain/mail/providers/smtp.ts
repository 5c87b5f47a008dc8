import type { MailSender } from "../port.ts";
import { openConnection } from "./smtp/connection.ts";
import { domainOf, writeMessage } from "./smtp/message.ts";
import { handOver, signIn } from "./smtp/session.ts";

type Server = { host: string; port: number; user: string; password: string };

/** A mail server, by the sockets of Workers. It knows no keys: a repetition is another mail. */
export function openSmtp({ host, port, ...login }: Server): MailSender {
  return {
    async send(mail) {
      const message = writeMessage(mail);
      const connection = await openConnection({ host, port });
      try {
        const extensions = await signIn(connection, login, domainOf(message.from));
        await handOver(connection, message, extensions);
      } finally {
        await connection.close();
      }
      return { id: null };
    },
  };
}

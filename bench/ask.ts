import { Agent, request } from "node:http";
import type { Asked } from "./cases.ts";

/** Sends a request and reads its answer; any status but a success is an error. */
export function ask(address: string, asked: Asked): Promise<string> {
  const { method, path, headers, body } = asked;
  return new Promise((resolve, reject) => {
    const sent = request(address + path, { agent, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode && answer.statusCode < 300) resolve(text);
        else reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The server has ended a connection that was idle while others were measured.
      if (sent.reusedSocket && error.code === "ECONNRESET") resolve(ask(address, asked));
      else reject(error);
    });
    sent.end(body);
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

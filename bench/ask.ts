import { Agent, request } from "node:http";
import type { Asked } from "./cases.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request and reads its answer; any status but a success is an error. */
export function ask(address: string, { method, path, headers, body }: Asked): Promise<string> {
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
    sent.on("error", reject);
    sent.end(body);
  });
}

import type { Client } from "@modelcontextprotocol/client";
import { questions } from "./questions.ts";

/** One line of the table: what a question took. The first is what a model reads before any question. */
export type Played = { question: string; answer: string; calls: number; bytes: number };

/** Plays each question through the official client, and counts its calls and the bytes of their results. */
export async function playAll(client: Client, today: string): Promise<Played[]> {
  const listed = await client.listTools();
  const tools = `${listed.tools.length} tools`;
  const played: Played[] = [
    { question: "(the list of tools)", answer: tools, calls: 1, bytes: bytesOf(listed.tools) },
  ];
  for (const { question, play } of questions) {
    let [calls, bytes] = [0, 0];
    const answer = await play(async (name, values) => {
      const result = await client.callTool({ name, arguments: values });
      calls += 1;
      bytes += bytesOf(result);
      if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
      return result.structuredContent;
    }, today);
    played.push({ question, answer, calls, bytes });
  }
  return played;
}

/** The table of docs/agent/prompts.md. */
export function tableOf(played: Played[]): string {
  const rows = played.map(({ question, calls, bytes }) => `| ${question} | ${calls} | ${bytes} |`);
  return ["| Question | Calls | Bytes |", "| --- | ---: | ---: |", ...rows].join("\n");
}

/** The page with its table made anew. */
export function withTable(page: string, played: Played[]): string {
  const [before = "", rest = ""] = page.split(begin);
  const [, after = ""] = rest.split(end);
  return `${before}${begin}\n\n${tableOf(played)}\n\n${end}${after}`;
}

const [begin, end] = ["<!-- questions -->", "<!-- /questions -->"];

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}

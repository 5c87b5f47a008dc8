import { isRecord, recordResources } from "./records.ts";
import type { OperationTool } from "./tools.ts";
import { type Choice, isChosen } from "./toolsets.ts";

type Params = { name?: unknown; uri?: unknown };

/**
 * Whether a message will reach an operation, which then counts the request by who calls. Everything else is counted by client
 * address, before it is worked on.
 */
export function reachesOperation(
  { method, params }: Record<string, unknown>,
  tools: Map<string, OperationTool>,
  choice: Choice,
): boolean {
  const { name, uri } = (params ?? {}) as Params;
  if (method === "resources/read") return isRecord(String(uri), recordResources(tools, choice));
  if (method !== "tools/call") return false;
  const tool = tools.get(String(name));
  return tool !== undefined && isChosen(tool.operation, choice);
}

import { isRecord, recordResources } from "./records.ts";
import type { OperationTool } from "./tools.ts";
import { isChosen, type ToolsetChoice } from "./toolsets.ts";

type Params = { name?: unknown; uri?: unknown };

/**
 * Whether a message will reach an operation, which then counts the request by who calls. Everything else is counted by client
 * address, before it is worked on.
 */
export function reachesOperation(
  { method, params }: Record<string, unknown>,
  tools: Map<string, OperationTool>,
  choice: ToolsetChoice,
): boolean {
  const { name, uri } = (params ?? {}) as Params;
  if (method === "resources/read") return isRecord(String(uri), recordResources(tools, choice));
  if (method !== "tools/call") return false;
  const tool = tools.get(String(name));
  return tool !== undefined && isChosen(tool.operation, choice);
}

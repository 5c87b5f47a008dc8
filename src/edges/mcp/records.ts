import type { OperationTool } from "./tools.ts";
import { isChosen, type ToolsetChoice } from "./toolsets.ts";

/** The resources that a choice of tools includes. */
export function recordResources(tools: Map<string, OperationTool>, choice: ToolsetChoice): RecordResource[] {
  return (Object.keys(records) as Name[]).flatMap((name) => {
    const tool = tools.get(records[name]);
    if (!tool || !isChosen(tool.operation, choice)) return [];
    return [{ name, uriTemplate: `perennial://${name}s/{id}`, tool }];
  });
}

/** Whether an address is one of these resources. */
export function isRecord(uri: string, resources: RecordResource[]): boolean {
  return resources.some(({ uriTemplate }) => {
    const start = uriTemplate.replace("{id}", "");
    return uri.startsWith(start) && /^[^/]+$/.test(uri.slice(start.length));
  });
}

/** The records that are resources too: `perennial://subscriptions/{id}` is what getSubscription answers. */
const records = { subscription: "getSubscription", profile: "getProfile" } as const;
type Name = keyof typeof records;

export type RecordResource = { name: Name; uriTemplate: string; tool: OperationTool };

import { z } from "@hono/zod-openapi";
import { intervalFault } from "../../../base/lib/time/intervals.ts";
import { intervalCount, intervalUnit } from "./params.ts";

/** An interval in a request, whose count is as large at most as its unit allows. The document has that as `countWithinUnit`. */
export const intervalIn = z
  .strictObject({ interval: intervalUnit, interval_count: intervalCount })
  .superRefine(({ interval, interval_count }, c) => {
    const message = intervalFault(interval, interval_count);
    if (message) c.addIssue({ code: "custom", path: ["interval_count"], message });
  });

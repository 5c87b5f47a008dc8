import { activityLogOperations } from "./activity-logs/routes.ts";
import { authOperations } from "./auth/routes.ts";
import { docsOperations } from "./docs/routes.ts";
import { entityOperations } from "./entities/routes.ts";
import { healthOperations } from "./health/routes.ts";
import type { AnyOperation } from "./http/operation.ts";
import { orderOperations } from "./orders/routes.ts";
import { portalOperations } from "./portal/routes.ts";
import { addressOperations, profileOperations } from "./profiles/routes.ts";
import { reasonOperations } from "./reasons/routes.ts";

const served: AnyOperation[] = [
  ...authOperations,
  ...profileOperations,
  ...addressOperations,
  ...entityOperations,
  ...orderOperations,
  ...activityLogOperations,
  ...reasonOperations,
  ...portalOperations,
  ...healthOperations,
];

/** Every operation of the API; the order is that of the documentation. */
export const operations: AnyOperation[] = [...served, ...docsOperations(() => operations)];

import { activityLogOperations } from "./activity-logs/routes.ts";
import { authOperations } from "./auth/routes.ts";
import { deliveryDayOperations, deliverySlotOperations } from "./delivery/routes.ts";
import { docsOperations } from "./docs/routes.ts";
import { entityOperations } from "./entities/routes.ts";
import { healthOperations } from "./health/routes.ts";
import type { AnyOperation } from "./http/operation.ts";
import { orderOperations } from "./orders/routes.ts";
import { portalOperations } from "./portal/routes.ts";
import { addressOperations, profileOperations } from "./profiles/routes.ts";
import { reasonOperations } from "./reasons/routes.ts";
import { sellingPlanOperations } from "./selling-plans/routes.ts";
import { subscriptionChanges } from "./subscriptions/operations.ts";
import { subscriptionOperations } from "./subscriptions/routes.ts";

const served: AnyOperation[] = [
  ...authOperations,
  ...profileOperations,
  ...addressOperations,
  ...entityOperations,
  ...subscriptionOperations,
  ...subscriptionChanges,
  ...sellingPlanOperations,
  ...deliveryDayOperations,
  ...deliverySlotOperations,
  ...orderOperations,
  ...activityLogOperations,
  ...reasonOperations,
  ...portalOperations,
  ...healthOperations,
];

/** Every operation of the API; the order is that of the documentation. */
export const operations: AnyOperation[] = [...served, ...docsOperations(() => operations)];

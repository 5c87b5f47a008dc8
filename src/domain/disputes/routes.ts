import { demoId } from "../../base/demo.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { changeOperation } from "../subscriptions/change-operations.ts";
import { resumeBilling } from "./resume-billing.ts";

const { NoFields } = deferred(() => import("../subscriptions/lifecycle-requests.ts"));

export const disputeOperations = [
  changeOperation({
    id: "resumeBilling",
    method: "post",
    path: "/api/subscriptions/{id}/resume-billing",
    tag: "Billing",
    credentials: "either",
    resource: "billing",
    summary: "Bill again after a dispute",
    description:
      "Ends a block by a dispute (`billing_blocked_reason` is `disputed`), as after one that was lost: a person decides, and never the customer. What fell due meanwhile is charged within a minute or so, on the dates that `upcoming` then shows. Where nothing blocks billing, nothing changes. Refused with INVALID_STATE while a dispute is open and the account's `on_dispute` is `block`, and while billing stands still for another reason.",
    destructive: true,
    params: pathId("subscription", demoId("subscription", 1)),
    body: NoFields,
    act: resumeBilling,
  }),
];

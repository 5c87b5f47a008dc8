/**
 * The events of the log, and what operators are to know of each: its fields, when it is written, and what to do. No line is written that does not
 * stand here; docs/run/alerts.md has those that are alerts, docs/run/log.md those that somebody may look for (`npm run docs`). Of the code that is deployed only the names are part.
 */
export const logLines = [
  {
    events: ["request"],
    says: "`request_id`, `method`, `route` (the template, null for an unknown path), `status`, `errorCode` (of a refusal), `ms`, `account_id`, `actor_type`, `key_id` (sent, or that issued the token), `token_id` (its `jti`), `db_round_trips`, `db_statements`, `rows_read`, `rows_written`; of an object's storage with `engine: object` and `directory_round_trips`",
  },
  {
    events: ["error"],
    says: "`request_id`, `code`, `cause`, `stack` (`npm run stack`); for answers of 500 and above",
  },
  {
    events: ["job", "queue_job_failed"],
    says: "`message_id`, `type`, `account_id`, `outcome`, `ms`, `waited_ms` (in the queue), `subscription_id`, usage; or `attempts`, `cause`: it is tried again ten times, at growing intervals",
  },
  {
    events: ["tick"],
    says: "`ms`, `jobs` (how many it has sent), `failed` (parts), and the figures of `/metrics`; one for each minute",
  },
  {
    events: ["queue_held"],
    says: "`alert`, `queue`, `messages`, `oldest_seconds`; a queue's consumer stands still, so cron sends to it only every tenth minute",
  },
  {
    events: ["store_silent"],
    says: "`alert`, `attempts`; more than twenty charges wait for their store's answer; they are asked about again by themselves",
  },
  {
    events: ["mails_failing"],
    says: "`alert`, `endpoints`, `seconds`; mails of an account have failed for a quarter of an hour",
  },
  {
    events: ["mail_not_sent"],
    says: "`account_id`, `mail_id`, `provider`, `tries`, `is_final`, `cause` (a code; the provider's words stand in the mail's record); once for each failed try",
  },
  {
    events: ["queue_stands_still"],
    says: "`alert`, `queue`, `cause`; one machine cannot write the file of messages, mostly because the disk is full; tried each second",
  },
  {
    events: ["dead_letter_not_noted"],
    says: "`message_id`, `cause`; a dead letter that `/metrics` does not count",
  },
  {
    events: ["dead_letter"],
    says: "`alert`, `message_id`, `body`; a job has failed ten times; cron finds what is still to be done",
  },
  {
    events: ["billing_review"],
    says: "`alert`, `attempt_id`, `error_code`; an attempt waits for people: [settle it](people.md#a-charge-under-review)",
  },
  {
    events: ["charge_without_order"],
    says: "`alert`, `attempt_id`, `reference`; the store has charged and shows no order: it was deleted, or may not be read. The charge is recorded",
  },
  {
    events: ["charge_with_fees"],
    says: "`alert`, `attempt_id`, `amount`, `fees_amount` in minor units; the store has added duties or fees, which the customer has paid",
  },
  {
    events: ["charged_another_amount"],
    says: "`alert`, `account_id`, `attempt_id`, `subscription_id`, `amount` and `requested_amount` in minor units, `contract_differs`; the store has charged another amount, most often because somebody edited the contract at that moment. What was paid is recorded: refund the difference, or tell the customer",
  },
  {
    events: ["slot_over_full"],
    says: "`alert`, `account_id`, `delivery_slot_id`, `delivery_date`, `deliveries`, `max_deliveries_per_day`; renewals have brought more deliveries to a day than the slot has room for. All are made: find more room, or move some. Once for each slot and day",
  },
  {
    events: ["charged_by_others"],
    says: "`alert`, `account_id`, `subscription_id`, `reference`, `store_order_id`, `handled` (`wait`, `count`, `ignore`; `open` while another attempt is); somebody else has charged a subscription's contract at the store",
  },
  {
    events: ["contract_under_review"],
    says: "`alert`, `account_id`, `subscription_id`, `since`; the store has suspected fraud for three days and does not charge: decide about the first order there. Once a day",
  },
  {
    events: ["store_access_denied"],
    says: "`alert`, `account_id`, `cause`, `topic`; the app lacks a scope, or approval for customer data: orders are not read, or a webhook waits. `disputes`, `refunds`: the night did not look at those",
  },
  {
    events: ["store_outcome_unknown"],
    says: "the ids of the record, `claims` or `tries`, `cause`; the store's answer is missing, it is asked again",
  },
  {
    events: ["store_refused"],
    says: "`alert`, `subscription_id` or `selling_plan_id`, `codes`, `tries`; the store does not take a contract or plan (`store_sync_error` says why); tried again with each change, and after 1, 2, 4 … hours",
  },
  {
    events: ["contract_not_taken_over"],
    says: "`alert`, `store_contract_id`, `reason`, `cause`; somebody subscribed at the checkout, and nobody bills them: `GET /api/account/store/unsupported-contracts`. Once for each reason",
  },
  {
    events: ["store_skip_not_followed"],
    says: "`alert`, `subscription_id`, `store_cycle`, `is_skipped`, `cause`; a skip at the store could not be followed: the dates here are as they were",
  },
  {
    events: ["store_cycle_not_read"],
    says: "`subscription_id`, `cause`; the store refused a charge because its cycle is skipped, and does not show the cycle; the next try looks again",
  },
  {
    events: ["payment_method_not_taken_over"],
    says: "`alert`, `subscription_id`; a contract is charged by another customer's payment method",
  },
  {
    events: ["order_in_other_currency"],
    says: "`store_order_id`; an order that was not taken",
  },
  {
    events: ["selling_plan_not_taken", "selling_plan_priced_otherwise"],
    says: "`selling_plan_id`; a plan of the store that our rules refuse, or whose price our plans cannot express (`store_sync_error` says so)",
  },
  {
    events: ["payment_reminder"],
    says: "`subscription_id`; its customer is to be reminded of the next billing",
  },
  {
    events: ["portal_login_not_sent", "portal_login_not_recorded"],
    says: "`cause`; a request for a link by e-mail that the queue did not take (503); or that was beyond five an hour, came twice or late, or was sealed by a key that is gone",
  },
  {
    events: ["staff_login_not_sent", "staff_login_not_recorded", "staff_link_refused"],
    says: "`account_id`, `cause`; the same for the console; or the provider refused the mail",
  },
  {
    events: ["jobs_put_off"],
    says: "`jobs`: how many messages of a batch did not fit into the invocation and were sent again ([the limits](scale.md#what-one-invocation-may-use))",
  },
  {
    events: ["jobs_not_sent"],
    says: "`cause`; the queue took no messages, the cron tick will send them",
  },
  {
    events: ["customer_email_taken"],
    says: "`profile_id`; the store has an e-mail address for its customer that another profile has",
  },
  {
    events: ["store_api_version"],
    says: "`alert`, `shop`, `asked`, `answered`; Shopify no longer has the version that was asked for ([what to do](shopify.md#the-next-api-version))",
  },
  {
    events: ["store_installed"],
    says: "`account_id`; a merchant has installed the app",
  },
  {
    events: ["store_not_set_up"],
    says: "`alert`, `account_id`, `cause`; the store refuses a webhook about money, plans or contracts; tried again in an hour",
  },
  {
    events: ["store_scopes_missing"],
    says: "`alert`, `account_id`, `scopes`; the merchant has taken away scopes; the account's `store_missing_scopes` names all that are missing",
  },
  {
    events: ["webhooks_registered"],
    says: "`account_id`, `webhooks`; that many webhooks were missing or wrong, and are registered now. If that happens often, find out why deliveries fail",
  },
  {
    events: ["contracts_found"],
    says: "`account_id`, `contracts`; that many unknown contracts were found at the store, and are taken in. If that happens after the first night, find out why deliveries fail",
  },
  {
    events: ["webhook_not_registered"],
    says: "`account_id`, `cause`; the store refuses a webhook that can be done without; the cause names it and the reason",
  },
  {
    events: ["database_full"],
    says: "`alert`, `limit_bytes`; the database stores nothing more (10 GB), and every write is 503. Move accounts to [objects of their own](move.md#move-an-account-to-the-other-engine), or [delete accounts](move.md#delete-an-account) that nobody needs",
  },
  {
    events: ["database_nearly_full"],
    says: "`alert`, `database_bytes`, `limit_bytes`; four fifths of the 10 GB are used; with each tick",
  },
  {
    events: ["delivery_not_prepared"],
    says: "`alert`, `account_id`, `endpoint_id`, `event_id`, `cause`; the payload of an event cannot be made; tried again after the usual pauses, ten times",
  },
  {
    events: ["declaration_not_looked_at"],
    says: "`alert`, `declaration_id`, `cause`; a declaration was acknowledged, and its subscription could not be looked for in 5 minutes; tried again",
  },
  {
    events: ["mail_not_composed"],
    says: "`alert`, `account_id`, `mail_id`, `cause`; a mail cannot be composed; tried again after the usual pauses, ten times",
  },
  {
    events: ["accounts_not_read"],
    says: "`cause`; the accounts of a batch of jobs could not be read: the batch is delivered again",
  },
  {
    events: ["tick_failed"],
    says: "`alert`, `part`, `cause`; a part of the tick failed; the next tick tries it again",
  },
  {
    events: ["swept_apart"],
    says: "`cause`; the tick looked for each kind of work by itself, because one trip for all failed",
  },
  {
    events: ["move_not_finished"],
    says: "`alert`, `account_id`, `cause`; cron could not go on with an account that is being [moved](move.md#move-an-account-to-the-other-engine) or deleted; the next tick tries again",
  },
  {
    events: ["account_not_searched"],
    says: "`alert`, `account_id`, `cause`; nothing due is found, because the account's time zone is unknown",
  },
  {
    events: ["charge_not_reconciled"],
    says: "`alert`, `account_id`, `problem`, `store_key`, `reference`, `attempt_id`, `subscription_id`; [what each problem means](backup.md#what-reconcile-says). No alert where the charge is recorded or will be",
  },
  {
    events: ["store_not_asked"],
    says: "`cause`; a review was settled without the store, which did not answer",
  },
  {
    events: ["record_failed"],
    says: "`alert`, `account_id`, `task`, the record's ids, `cause`; one record of many could not be worked on; the others were",
  },
  {
    events: ["job_row_failed"],
    says: "`alert`, `job_id`, `n`, `cause`; a row of a job has failed by a fault of ours; the others are done",
  },
  {
    events: ["merchant_job_page_failed"],
    says: "`alert`, `job_id`, `cause`; a page of a job could not be done; after ten tries the job is FAILED until it is resumed",
  },
  {
    events: ["merchant_job_waits"],
    says: "`job_id`, `cause`, and `alert` from ten minutes on; the store or database does not answer; the job goes on once it does",
  },
  {
    events: ["webhook_endpoint_disabled"],
    says: "`alert`, `account_id`, `endpoint_id`, `reason`; a merchant's endpoint answered 410, or has failed for five days",
  },
  {
    events: ["mail_endpoint_failing"],
    says: "`alert`, `account_id`, `failing_since`, `last_error`; an account's mails have failed for five days: its provider or settings need somebody. With each further try",
  },
  {
    events: ["store_disconnected"],
    says: "`alert`, `account_id`; the store has uninstalled the app, [its billing stands still](people.md#the-app-is-uninstalled)",
  },
  {
    events: ["refund_outcome_unknown"],
    says: "`refund_id`, `tries`, `cause`, and `alert` once after about a day; the store does not say what became of a refund; it is asked again",
  },
  {
    events: ["customer_data_request"],
    says: "`alert`, `account_id`, `store_customer_id`, `profile_ids`; [somebody has asked for their data](people.md#a-customer-asks-for-their-data)",
  },
  {
    events: ["customer_redacted", "shop_redacted"],
    says: "`account_id`, `profile_ids`; the requested erasure is done",
  },
  {
    events: ["account_is_deleted"],
    says: "`account_id`, `step`, `rows`; a step of an account's [deletion](move.md#delete-an-account); `alert` with the last",
  },
  {
    events: ["account_is_imported"],
    says: "`alert`, `account_id`, `step`; an account's import begins or ends",
  },
  {
    events: ["object_not_begun"],
    says: "`account_id`; a call came to an object whose account is not there any more; it stays empty",
  },
  {
    events: ["shop_redaction_refused"],
    says: "`alert`, `account_id`; a shop was to be erased, but its store still accepts the credentials: nothing was done",
  },
  {
    events: ["webhook_secret_unreadable"],
    says: "`alert`, `account_id`, `cause`; webhooks are refused: `STORE_CREDENTIALS_KEY` does not decrypt the secret",
  },
  {
    events: ["message_not_understood"],
    says: "`message_id`, `attempts`; a queue message that no job knows; acknowledged",
  },
  {
    events: ["upload_not_removed"],
    says: "`upload_id`; cron removes the staged rows of a failed upload within the hour",
  },
  {
    events: ["rate_limiter_failed", "key_use_not_noted", "idempotency_not_settled"],
    says: "`request_id`, `cause`; the request itself was answered",
  },
  {
    events: ["mail"],
    says: "`from`, `to`, `subject`, `text`; a mail of the provider `log`, which local development alone has",
  },
  {
    events: ["account_moves"],
    says: "`account_id`, `to`, `step`, `rows`; a step of an account's [move](move.md#move-an-account-to-the-other-engine) to the other engine",
  },
  {
    events: ["account_restored"],
    says: "`alert`, `account_id`, `at`; an account's object was restored to an earlier time",
  },
  {
    events: ["operator_statements"],
    says: "`account_id`, `mode`, `statements`; an operator's command has read or written the storage of an account's object",
  },
  {
    events: ["alarm_failed", "alarm_not_set"],
    says: "`alert`, `account_id`, `cause`; an object could not do what falls due, or set when it looks next; its next write or alarm tries again",
  },
  {
    events: ["directory_not_read"],
    says: "`alert`, `account_id`, `cause`; an object could not ask whether its account is still its own; it goes on as if it were",
  },
  {
    events: ["object_not_opened"],
    says: "`alert`, `account_id`, `cause`; an object could not be migrated, so its account gets 503",
  },
  {
    events: ["object_unreachable"],
    says: "`alert`, `account_id`, `cause`; messages could not be handed to an object; they come again",
  },
  {
    events: ["charge_refused"],
    says: "`alert`, `account_id`, `attempt_id`, `subscription_id`, `code`, `cause`; Stripe refuses the request, not the card: look at the account's key and settings there",
  },
  {
    events: ["webhooks_missing"],
    says: "`account_id`, and `alert` where they were there before; Stripe has no webhooks of this deployment, and takes none: changes are found by polling and at night",
  },
  {
    events: ["store_scopes_unknown"],
    says: "`cause`; the store was not asked which scopes the app has; the next refusal asks again",
  },
  {
    events: ["export_part_sent", "export_part_failed"],
    says: "`resource`, `format`, `n`, and `rows` with usage, or `cause`; a part of an export was read, or broke off: its reader asks again",
  },
  {
    events: ["job_page_not_read", "job_row_unfinished"],
    says: "`job_id`, `cause`; rows of a job are read one by one, because their page could not be; or a row's outcome was not noted, and it is looked at again",
  },
  {
    events: ["job_without_record"],
    says: "`type`, `account_id`; the record of a job is gone, and the job with it",
  },
  {
    events: ["staff_visit_not_noted"],
    says: "`cause`; the time of a visit was not noted; the next page tries again",
  },
  {
    events: ["portal_language_not_kept"],
    says: "`account_id`, `cause`; a customer's choice of language holds for this page alone",
  },
  {
    events: ["portal_login_link", "staff_login_link"],
    says: "the link; in local development, where no mail is sent",
  },
  {
    events: ["host_started", "migrated", "copied_before_migrating", "secrets_made"],
    says: "`address`, `pid`, `ms`; `migrations`; `copy`; `file`, `names`, `advice`; on [one machine](one-machine.md), at its start",
  },
  {
    events: ["host_failed", "background_failed", "queue_handler_threw", "tick_threw"],
    says: "`alert`, `cause`; on one machine: a request, work after an answer, a batch or a tick threw: a fault of ours",
  },
] as const;

export type LogEvent = (typeof logLines)[number]["events"][number];

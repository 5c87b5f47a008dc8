// Made from the API's document by `npm run client`. Do not edit.
export interface paths {
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in a member of staff, a customer or an integration
         * @description For the merchant's server, which holds the key. A customer's token names a profile, such as `019a0000-0000-7000-8006-000000000001`, and has the operations that are meant for customers, whatever the key's scopes. Revoking the key ends its tokens; deleting the profile ends a customer's.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys of this deployment's tokens
         * @description There are several while a key is replaced. Caches may keep them for five minutes.
         */
        get: operations["listPublicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/security.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where to report a vulnerability
         * @description RFC 9116. 404 where the operator of the deployment has set no contact.
         */
        get: operations["getSecurityTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's settings
         * @description The account that the credentials prove, with its time zone, its currency and its billing rules.
         */
        get: operations["getAccount"];
        /**
         * Change the account's settings
         * @description Changes the settings that are named. The currency cannot change once a plan, subscription or order is priced in it.
         */
        put: operations["updateAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/test-clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's own time
         * @description Only accounts on the sandbox store have a test clock, in deployments that have test clocks.
         */
        get: operations["getTestClock"];
        put?: never;
        /**
         * Move the account's own time forward
         * @description Moves it a day at a time, at most 400 days a call, and does what falls due on the way in order. Then the account's time stands still until it is moved again. Read it until `advancing` is false.
         */
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/store/unsupported-contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contracts that could not be taken over
         * @description Contracts of the store's checkout that could not become subscriptions, each with why, newest first: in another currency than the account's, or with terms that a subscription cannot have. Nobody bills them. A contract leaves the list when it ends, and when it becomes a subscription because what stood in the way was changed at the store.
         */
        get: operations["listUnsupportedContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List profiles
         * @description The account's customers, newest first.
         */
        get: operations["listProfiles"];
        put?: never;
        /**
         * Create a profile
         * @description Adds a customer. Refused with EMAIL_TAKEN if another profile has the e-mail address.
         */
        post: operations["createProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/bulk-upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or change many profiles
         * @description Creates or changes the profiles with these e-mail addresses, at most 10,000 rows, all or none. The body is JSON (`{profiles: […]}` or a bare array), CSV whose header names fields of a profile, or a form with such a file in the field `file`.
         */
        post: operations["uploadProfiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a profile
         * @description One customer by id. Deleted profiles are not found.
         */
        get: operations["getProfile"];
        /**
         * Change a profile
         * @description Changes the fields that the body names; null clears one. Delivery addresses of subscriptions are copies and stay.
         */
        put: operations["updateProfile"];
        post?: never;
        /**
         * Delete a profile
         * @description Its e-mail address can be used again. Refused while it has subscriptions that are active, paused or awaiting payment.
         */
        delete: operations["deleteProfile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{id}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a profile's delivery addresses
         * @description The addresses that the customer has saved, newest first.
         */
        get: operations["listDeliveryAddresses"];
        put?: never;
        /**
         * Add a delivery address
         * @description Saves an address for the customer. No subscription delivers to it until one is told to.
         */
        post: operations["createDeliveryAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{id}/addresses/{addressId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a delivery address
         * @description Changes the fields that the body names. Subscriptions that deliver to it keep the address as it was.
         */
        put: operations["updateDeliveryAddress"];
        post?: never;
        /**
         * Delete a delivery address
         * @description Subscriptions that deliver to it keep a copy.
         */
        delete: operations["deleteDeliveryAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/entities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List entities
         * @description Newest first by default. Names and types sort ascending.
         */
        get: operations["listEntities"];
        put?: never;
        /**
         * Create an entity
         * @description Adds an entity to a profile. Lines of new subscriptions can then name it.
         */
        post: operations["createEntity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/entities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an entity
         * @description One entity by id. Deleted entities are not found.
         */
        get: operations["getEntity"];
        /**
         * Change an entity
         * @description Changes the fields that the body names. Subscriptions keep the label that they were made with.
         */
        put: operations["updateEntity"];
        post?: never;
        /**
         * Delete an entity
         * @description Subscriptions of the entity keep it and its label.
         */
        delete: operations["deleteEntity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Newest first by default. A customer's token lists its own subscriptions only.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Create subscriptions
         * @description Lines are grouped by entity and by their plans' intervals and cycle limits. Each group becomes a subscription; all of them are created, or none. A `migration_source_ref` that a living subscription of another request has is 409 INVALID_STATE, with the id of that one in `details`.
         */
        post: operations["createSubscriptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription
         * @description One subscription by id, with its lines, amounts and what the caller can do with it now.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/payment-method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a subscription's payment method and its alternatives
         * @description The payment method that is charged, and the customer's others that are known here. Nothing is asked of the store.
         */
        get: operations["getSubscriptionPaymentMethods"];
        /**
         * Switch the payment method
         * @description A payment that is owed is tried with the new one at once; while an attempt with the old one is in progress, as soon as that has failed. `billing_attempt_id` names the attempt, and `dry_run` says before what it would charge. Once ship-now, retry-payment and switches have started 5 attempts within an hour, a switch charges nothing, and dunning makes the next try.
         */
        put: operations["changePaymentMethod"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/skips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skips
         * @description Newest first. Each has the label that its reason had at the time.
         */
        get: operations["listSkips"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the next deliveries
         * @description What is delivered and charged next if nobody acts, and every payment that is tried succeeds; where one may not, `is_at_risk` says so. Empty while a subscription is paused without a date. Once it has ended, or its payment has failed for good, only the deliveries that are paid for.
         */
        get: operations["listUpcomingDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause
         * @description Pauses until a date, or until the subscription is resumed. No charge is made while it is paused.
         */
        post: operations["pauseSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume
         * @description The next dates move to the requested date, or to the first cycle from tomorrow on. Nothing is charged today.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel
         * @description Ends billing. Deliveries that are paid for are still made, unless the account's prepaid_on_end is stop.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate
         * @description Starts a cancelled or expired subscription anew. Cycles count from 1. Deliveries that are paid for are made before the next billing. Refused while a living subscription of another request has its `migration_source_ref`.
         */
        post: operations["reactivateSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Skip the next cycle by some weeks
         * @description Moves the next dates by whole weeks. While the account has active skip reasons, everybody except staff must pick one.
         */
        post: operations["skipSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/unskip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the latest skip
         * @description Possible until something else moves the dates, and until the skipped delivery's day has passed.
         */
        post: operations["unskipSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/frequency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the frequency
         * @description Sets how often it is billed, and how often it is delivered with it: a billing pays for as many deliveries as before. The next dates stay; later ones follow the new interval.
         */
        put: operations["changeFrequency"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/delivery-instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the delivery instructions
         * @description With update_all_active, changes every active subscription of the profile, all or none.
         */
        put: operations["changeDeliveryInstructions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the next delivery's date or slot
         * @description Moves the next delivery to another date, another slot or both; later deliveries are counted from it. Refused while a billing attempt is in progress.
         */
        put: operations["reschedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/delivery-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the delivery address
         * @description Delivers to a saved address of the customer, or to one in the body, from the next order on. The subscription keeps a copy.
         */
        put: operations["changeDeliveryAddress"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a line
         * @description The line is in every order from the next one on, or with is_one_time in the next order only.
         */
        post: operations["addLine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/lines/{lineId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change or swap a line
         * @description Changes the fields that the body names; with another product it swaps the line. It counts from the next order on.
         */
        put: operations["changeLine"];
        post?: never;
        /**
         * Remove a line
         * @description The last recurring line cannot be removed; cancel the subscription instead.
         */
        delete: operations["removeLine"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/discounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a discount
         * @description Takes something off the next orders, besides the discounts of the plans: for a number of billed cycles, or for as long as the subscription lasts.
         */
        post: operations["applyDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/discounts/{discountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a discount
         * @description It no longer counts from the next order on; the subscription still shows it as REMOVED.
         */
        delete: operations["removeDiscount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/ship-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bill and ship the current cycle now
         * @description The answer confirms that the billing attempt has started; read the attempt for its outcome. For ten minutes after any attempt of the subscription, and while one is in progress, no other is started: the request answers that attempt, whatever its Idempotency-Key. `allow_repeat` bills the next cycle all the same. At most 5 new attempts an hour, with those of retry-payment and of switches of the payment method.
         */
        post: operations["shipNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/retry-payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed payment again now
         * @description Charges what is owed, or what billing waits with; the answer confirms that the attempt has started. An attempt that is in progress answers instead. At most 5 new attempts an hour, with those of ship-now and of switches of the payment method; 409 where nothing is owed.
         */
        post: operations["retryPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/billing-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a subscription's billing attempts
         * @description Newest first.
         */
        get: operations["listBillingAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/billing-attempts/{attemptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a billing attempt
         * @description One attempt to charge a cycle: what was to be charged, and what came of it.
         */
        get: operations["getBillingAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/{id}/dunning-episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a subscription's dunning episodes
         * @description What followed each failed payment: retries, or a wait for the customer. Newest first.
         */
        get: operations["listDunningEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing-attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all billing attempts
         * @description Newest first. `status=REVIEW` lists the attempts that people have to look at.
         */
        get: operations["listAllBillingAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/billing-attempts/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the review of a billing attempt
         * @description Says what a person found at the store about an attempt under REVIEW. Charged: its order is recorded with the amount that was charged, and the schedule goes on. Not charged: the attempt is CANCELLED, nobody is in dunning by it, and the cycle is due again under the same key; if the payment method was changed meanwhile, it is tried with the new one at once.
         */
        post: operations["settleBillingAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/selling-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List selling plans
         * @description The account's selling plans, active or not, newest first.
         */
        get: operations["listSellingPlans"];
        put?: never;
        /**
         * Create a selling plan
         * @description A plan with an id of your own is also made at the connected store, which gives it the id `store_plan_id`; one with the store's id is the plan that the store has. By default deliveries have the interval of the billing; one billing may pay for several deliveries (prepaid).
         */
        post: operations["createSellingPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/selling-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a selling plan
         * @description One selling plan by the id that it was created with, active or not.
         */
        get: operations["getSellingPlan"];
        /**
         * Change a selling plan
         * @description The change applies to new lines. Existing lines keep the terms on which they were sold.
         */
        put: operations["updateSellingPlan"];
        post?: never;
        /**
         * Delete a selling plan
         * @description Refused with INVALID_STATE while a subscription that has not ended uses the plan.
         */
        delete: operations["deleteSellingPlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/delivery-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery days
         * @description Newest first. A customer's token lists the active ones only.
         */
        get: operations["listDeliveryDays"];
        put?: never;
        /**
         * Create a delivery day
         * @description Adds a day of the week on which the store delivers. Give it slots next: customers choose those.
         */
        post: operations["createDeliveryDay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/delivery-days/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery day
         * @description One delivery day by id. Deleted days are not found.
         */
        get: operations["getDeliveryDay"];
        /**
         * Change a delivery day
         * @description Existing dates stay. Subscriptions whose dates no longer fit show `delivery_slot_valid: false`.
         */
        put: operations["updateDeliveryDay"];
        post?: never;
        /**
         * Delete a delivery day
         * @description Deletes the day and its slots. Subscriptions in these slots keep them and show `delivery_slot_valid: false`.
         */
        delete: operations["deleteDeliveryDay"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/delivery-slots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery slots
         * @description Newest first. A customer's token lists the active ones only.
         */
        get: operations["listDeliverySlots"];
        put?: never;
        /**
         * Create a delivery slot
         * @description Adds hours to a delivery day, which subscriptions can then name.
         */
        post: operations["createDeliverySlot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/delivery-slots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery slot
         * @description One delivery slot by id. Deleted slots are not found.
         */
        get: operations["getDeliverySlot"];
        /**
         * Change a delivery slot
         * @description Changes the fields that the body names. Dates of subscriptions stay; those that no longer fit show `delivery_slot_valid: false`.
         */
        put: operations["updateDeliverySlot"];
        post?: never;
        /**
         * Delete a delivery slot
         * @description Deletes the slot. Subscriptions in it keep it and show `delivery_slot_valid: false`.
         */
        delete: operations["deleteDeliverySlot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Newest first by default. Statuses sort ascending, dates and totals descending.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description One order by id, with its customer, its subscriptions and its delivery slot.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activity-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of subscriptions and orders
         * @description Entries of the service and of integrations on the requested days, newest first.
         */
        get: operations["listActivityLogs"];
        put?: never;
        /**
         * Add an entry of an integration
         * @description Adds to the history of a subscription or an order. Its actor is `api`, whoever sends it; it is also an event, `integration.…`, for the stream and for webhook endpoints.
         */
        post: operations["createActivityLog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activity-logs/integration-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the action names that integrations have used
         * @description Every action that begins with `integration_`, for choosing a filter of the history.
         */
        get: operations["listIntegrationActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/activity-logs/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the staff members who appear in the history
         * @description Every actor name of an admin, for choosing a filter of the history.
         */
        get: operations["listActors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profiles/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the history of a customer
         * @description Entries about the customer's subscriptions and orders, newest first.
         */
        get: operations["listProfileActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the stream of events
         * @description Everything that has happened, oldest first, kept for ever. Ask again with `after` set to `meta.next_after`: whoever goes on after the last sequence that they saw has missed nothing.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description One event by id: that of an entry of the history, which webhooks have as `webhook-id`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The account's endpoints, enabled or not, newest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are sent to it from now on, each at least once and in no order. At most 20 for an account. The answer holds the secret that they are signed with, which is shown here only.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description One endpoint by id, with when it last succeeded or began to fail. Its secret is not shown.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Change a webhook endpoint
         * @description `is_enabled: false` cancels what is still to be sent; `true` ends any reason for which it was disabled. What it has missed is had by recovering it.
         */
        put: operations["updateWebhookEndpoint"];
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description What is still to be sent is cancelled.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description For 24 hours the secret before signs along, so that receivers can change over without missing anything.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook endpoint a test
         * @description An event of type `webhook.test`, whatever types it asks for.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook endpoint what it has missed
         * @description All events since then that it asks for and has not accepted, at most 30 days back, also of before it was made.
         */
        post: operations["recoverWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a webhook endpoint was sent
         * @description Newest first, of the last 30 days.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event to a webhook endpoint again
         * @description At once, whatever became of it before, with all tries before it.
         */
        post: operations["resendEventDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/skip-reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List skip reasons
         * @description The skip reasons of the account by position. A customer's token lists the active ones only.
         */
        get: operations["listSkipReasons"];
        put?: never;
        /**
         * Create a skip reason
         * @description Adds a skip reason that customers can choose at once. Without a position it goes last.
         */
        post: operations["createSkipReason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/skip-reasons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a skip reason
         * @description One skip reason by id, active or not. Deleted reasons are not found.
         */
        get: operations["getSkipReason"];
        /**
         * Change a skip reason
         * @description Changes the fields that the body names. What was recorded with the reason keeps its old label.
         */
        put: operations["updateSkipReason"];
        post?: never;
        /**
         * Delete a skip reason
         * @description Nobody can choose it any more. What was recorded with the reason keeps its label.
         */
        delete: operations["deleteSkipReason"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/skip-reasons/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorder the skip reasons
         * @description The list names every reason exactly once. All of them change, or none.
         */
        post: operations["reorderSkipReasons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/pause-reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pause reasons
         * @description The pause reasons of the account by position. A customer's token lists the active ones only.
         */
        get: operations["listPauseReasons"];
        put?: never;
        /**
         * Create a pause reason
         * @description Adds a pause reason that customers can choose at once. Without a position it goes last.
         */
        post: operations["createPauseReason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/pause-reasons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pause reason
         * @description One pause reason by id, active or not. Deleted reasons are not found.
         */
        get: operations["getPauseReason"];
        /**
         * Change a pause reason
         * @description Changes the fields that the body names. What was recorded with the reason keeps its old label.
         */
        put: operations["updatePauseReason"];
        post?: never;
        /**
         * Delete a pause reason
         * @description Nobody can choose it any more. What was recorded with the reason keeps its label.
         */
        delete: operations["deletePauseReason"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/pause-reasons/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorder the pause reasons
         * @description The list names every reason exactly once. All of them change, or none.
         */
        post: operations["reorderPauseReasons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/cancellation-reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cancellation reasons
         * @description The cancellation reasons of the account by position. A customer's token lists the active ones only.
         */
        get: operations["listCancellationReasons"];
        put?: never;
        /**
         * Create a cancellation reason
         * @description Adds a cancellation reason that customers can choose at once. Without a position it goes last.
         */
        post: operations["createCancellationReason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/cancellation-reasons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cancellation reason
         * @description One cancellation reason by id, active or not. Deleted reasons are not found.
         */
        get: operations["getCancellationReason"];
        /**
         * Change a cancellation reason
         * @description Changes the fields that the body names. What was recorded with the reason keeps its old label.
         */
        put: operations["updateCancellationReason"];
        post?: never;
        /**
         * Delete a cancellation reason
         * @description Nobody can choose it any more. What was recorded with the reason keeps its label.
         */
        delete: operations["deleteCancellationReason"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subscriptions/cancellation-reasons/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorder the cancellation reasons
         * @description The list names every reason exactly once. All of them change, or none.
         */
        post: operations["reorderCancellationReasons"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/portal/skip-reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a shop's active skip reasons
         * @description For customer portals, without credentials. Query parameters other than `shop` are ignored.
         */
        get: operations["listPublicSkipReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of the customer portal
         * @description What the portal looks like, and what customers may do. Every route that customers reach keeps to it.
         */
        get: operations["getPortalSettings"];
        /**
         * Change the settings of the customer portal
         * @description Changes the settings that are named. They bind every customer's token, over HTTP as on the portal's pages, also while the portal is off.
         */
        put: operations["updatePortalSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the shop lets its customers do
         * @description For pages of the shop's own: the portal's looks and permissions. Whatever is forbidden here is refused.
         */
        get: operations["getOwnShop"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that signs a customer in
         * @description For the merchant's server, which knows who its customer is. The link opens the portal once, within 15 minutes.
         */
        post: operations["createPortalSession"];
        /**
         * Sign a customer out everywhere
         * @description Ends the customer's sessions, and the links that were not used yet.
         */
        delete: operations["endPortalSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one's own profile
         * @description The profile of the customer whose token it is.
         */
        get: operations["getOwnProfile"];
        /**
         * Change one's own name or phone number
         * @description The e-mail address is the shop's to change.
         */
        put: operations["updateOwnProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/me/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's own delivery addresses
         * @description Newest first.
         */
        get: operations["listOwnAddresses"];
        put?: never;
        /**
         * Add a delivery address of one's own
         * @description Subscriptions keep theirs until their address is changed to this one.
         */
        post: operations["createOwnAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/me/addresses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a delivery address of one's own
         * @description Subscriptions that deliver to it keep the address that they were given.
         */
        put: operations["updateOwnAddress"];
        post?: never;
        /**
         * Delete a delivery address of one's own
         * @description Subscriptions that deliver to it keep a copy.
         */
        delete: operations["deleteOwnAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/me/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's own orders
         * @description Newest first.
         */
        get: operations["listOwnOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/portal/me/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order of one's own
         * @description 404 for the order of another customer, as for none.
         */
        get: operations["getOwnOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/shopify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a webhook from Shopify
         * @description Only Shopify calls this. `X-Shopify-Shop-Domain` names the shop, `X-Shopify-Hmac-Sha256` signs the raw body with the secret of the shop's app, `X-Shopify-Topic` says what happened and `X-Shopify-Webhook-Id` identifies the webhook. Nothing but the record's id is read from the payload: a job reads the record from Shopify later, so that repeated and late webhooks do no harm.
         */
        post: operations["receiveShopifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the database and the queue are reachable
         * @description For monitoring. 503 names what cannot be reached.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the Model Context Protocol endpoint
         * @description Stateless streamable HTTP, protocol versions 2026-07-28 and 2025-11-25. Operations are tools, called with this request's own credentials; `tools/list` names those that these credentials reach. Errors are JSON-RPC's.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/readonly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the Model Context Protocol endpoint that only reads
         * @description As `POST /mcp`, with the tools that change nothing.
         */
        post: operations["mcpReadonly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protection of the MCP endpoint
         * @description Metadata of RFC 9728. `POST /api/auth/token` issues tokens, or the identity provider if `authorization_servers` names one.
         */
        get: operations["getProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protection of the MCP endpoint
         * @description Metadata of RFC 9728. `POST /api/auth/token` issues tokens, or the identity provider if `authorization_servers` names one.
         */
        get: operations["getProtectedResourceOfMcp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this documentation as a page
         * @description For people: every operation, to read and to try.
         */
        get: operations["getDocumentationPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this documentation as OpenAPI 3.1 in JSON
         * @description For programs: generators of clients, test tools, agents.
         */
        get: operations["getDocumentationJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this documentation as OpenAPI 3.1 in YAML
         * @description The same document as /api.json.
         */
        get: operations["getDocumentationYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "subscription.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription was created. */
        post: operations["receive_subscription_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription was paused. */
        post: operations["receive_subscription_paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A paused subscription was resumed, by somebody or because its pause was over. */
        post: operations["receive_subscription_resumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription was cancelled. */
        post: operations["receive_subscription_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.reactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A cancelled or expired subscription was reactivated. */
        post: operations["receive_subscription_reactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The last cycle of a subscription was billed, and its last delivery made. */
        post: operations["receive_subscription_expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.skipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliveries were skipped, by somebody or because the product is out of stock. */
        post: operations["receive_subscription_skipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.unskipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The latest skip was undone. */
        post: operations["receive_subscription_unskipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.frequency_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription is delivered and billed at another interval. */
        post: operations["receive_subscription_frequency_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.delivery_instructions_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The delivery instructions were changed. */
        post: operations["receive_subscription_delivery_instructions_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.delivery_rescheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The next delivery was moved to another date or slot. */
        post: operations["receive_subscription_delivery_rescheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.delivery_address_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription is delivered to another address. */
        post: operations["receive_subscription_delivery_address_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.lines_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Products were added, changed, exchanged or removed. */
        post: operations["receive_subscription_lines_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.payment_method_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A subscription is paid by another payment method. */
        post: operations["receive_subscription_payment_method_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.discount_applied": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A discount was applied. */
        post: operations["receive_subscription_discount_applied"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.discount_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A discount was removed. */
        post: operations["receive_subscription_discount_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.payment_reminder_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The customer is to be told of the next billing, on `metadata.billing_date`; once for each date. */
        post: operations["receive_subscription_payment_reminder_due"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.store_contract_linked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The store has a contract for the subscription: it can be billed. */
        post: operations["receive_subscription_store_contract_linked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.store_sync_refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The store does not accept the subscription as it is. */
        post: operations["receive_subscription_store_sync_refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.store_sync_agreed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The store accepts the subscription again. */
        post: operations["receive_subscription_store_sync_agreed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.ship_now_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody asked for the next delivery now: a charge begins. */
        post: operations["receive_billing_ship_now_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A charge begins: on schedule, as a retry, or because somebody asked. */
        post: operations["receive_billing_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A cycle was paid. */
        post: operations["receive_billing_succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment was declined. */
        post: operations["receive_billing_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.action_required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The customer has to confirm a payment at `metadata.url`, before `metadata.expires_at`; once for each billing attempt. */
        post: operations["receive_billing_action_required"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.review_required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nobody knows whether a payment was made: a person has to look. */
        post: operations["receive_billing_review_required"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nothing could be charged for a reason that is not the customer's; it is tried again. */
        post: operations["receive_billing_waiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "billing.wait_ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What kept a charge waiting is over. */
        post: operations["receive_billing_wait_ended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.placed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was placed. */
        post: operations["receive_order_placed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was changed. */
        post: operations["receive_order_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.fulfilled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was fulfilled. */
        post: operations["receive_order_fulfilled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was cancelled. */
        post: operations["receive_order_cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An order was refunded, in part or whole. */
        post: operations["receive_order_refunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A payment failed, and will be tried again. */
        post: operations["receive_dunning_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning.recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What was owed is paid. */
        post: operations["receive_dunning_recovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning.exhausted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** All retries have failed. */
        post: operations["receive_dunning_exhausted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning.customer_notified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The store has e-mailed the customer a link to another payment method. Where `metadata.is_certain` is false the store has not answered, and may not have sent it. */
        post: operations["receive_dunning_customer_notified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dunning.notice_refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The store does not send the customer the link to another payment method; `metadata.error_message` says why. */
        post: operations["receive_dunning_notice_refused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "profile.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer's profile was created. */
        post: operations["receive_profile_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "profile.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A profile was changed, or a customer's data erased; `metadata.fields` names the fields, not their values. */
        post: operations["receive_profile_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "profile.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A profile was deleted. */
        post: operations["receive_profile_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "portal.login_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A customer asks to be sent a link to the portal. */
        post: operations["receive_portal_login_requested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The account's settings were changed. */
        post: operations["receive_account_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was created. */
        post: operations["receive_api_key_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was revoked. */
        post: operations["receive_api_key_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "integration.*": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An integration's own event */
        post: operations["receive_integration_"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test, by POST /api/webhook-endpoints/{id}/test */
        post: operations["receive_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        SubscriptionEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The record as its GET answers it when the event is sent; null if it is gone. Endpoints with `payload: thin` do not receive it. */
            object?: components["schemas"]["Subscription"] | null;
        };
        /**
         * @description Who acts. customer: a customer, by a customer's token. admin: a member of staff, by an admin's token. api: a program, by a key or an api token. system: the service itself, on schedule or by a webhook of the store.
         * @enum {string}
         */
        ActorType: "customer" | "admin" | "api" | "system";
        /** @description The record that an event is about. */
        EventSubject: {
            /** @description The kind of record. */
            type: components["schemas"]["EventSubjectType"];
            /**
             * @description The record's id.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            id: string;
        };
        /**
         * @description The kind of record that an event is about: subscription, order, profile, account, api_key, or webhook_endpoint (a test).
         * @enum {string}
         */
        EventSubjectType: "subscription" | "order" | "profile" | "account" | "api_key" | "webhook_endpoint";
        /** @description A recurring order of a customer: what is delivered, how often, and how it is paid for. */
        Subscription: {
            /**
             * @description The subscription's number, which people use: counted from 1001 in each account.
             * @example 1001
             */
            number: string;
            /**
             * Format: uuid
             * @description The subscription's id.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            id: string;
            /** @description The subscription's state. */
            status: components["schemas"]["SubscriptionStatus"];
            /** @description Whether the status is ACTIVE. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The lines' totals before discounts, of the next order: major units of currency_code.
             * @example 39.95
             */
            subtotal: number;
            /**
             * @description What all discounts take off the next order: major units of currency_code.
             * @example 4
             */
            discount_amount: number;
            /**
             * @description What the next billing charges: subtotal less discount_amount, with shipping_amount and tax_amount, and never below 0. Major units of currency_code.
             * @example 40.9
             */
            total: number;
            /** @description The unit of the interval at which the customer is charged. */
            billing_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two charges.
             * @example 1
             */
            billing_interval_count: number;
            /** @description Whether the delivery slot is still offered and the next delivery is on its day. True where there is no slot. */
            delivery_slot_valid: boolean;
            /**
             * @description The number of the cycle that the next billing pays for, counted from 1 in each life of the subscription.
             * @example 4
             */
            current_billing_cycle: number;
            /** @description Whether the caller can cancel it now. A customer cannot before the plan's min_cycles. */
            can_cancel: boolean;
            /** @description Whether the caller can pause it now. */
            can_pause: boolean;
            /** @description Whether the caller can resume it now. */
            can_resume: boolean;
            /** @description Whether the caller can reactivate it now. */
            can_reactivate: boolean;
            /** @description Whether a payment is owed, or billing waits: retry-payment tries it at once. */
            can_retry_payment: boolean;
            /** @description Whether retries of a failed payment run. The status is ACTIVE all the while. */
            is_in_dunning: boolean;
            /**
             * @description How often it is billed, in English.
             * @example Every month
             */
            frequency_label: string;
            /** @description How far the reminder of the next billing is. */
            payment_reminder_status: components["schemas"]["PaymentReminderStatus"];
            /**
             * Format: int64
             * @description The number of its contract at the connected store; null until the store has made it, within seconds of the creation.
             * @example 1000001
             */
            store_contract_id: number | null;
            /**
             * @description Why the store does not agree with the subscription; null where it does.
             * @example null
             */
            store_sync_error: string | null;
            /**
             * @description Why billing stands still: the error code of the billing attempt under REVIEW, or of what the merchant or the store has to put right, after which it is tried again by itself. Null while nothing stands in the way.
             * @example null
             */
            billing_blocked_reason: string | null;
            /**
             * Format: date
             * @description The calendar date of the next charge by its schedule, in the account's time zone; null if none is planned. A paused subscription keeps it: what will really be charged is in its upcoming deliveries.
             * @example 2026-11-21
             */
            next_billing_date: string | null;
            /**
             * Format: date
             * @description The calendar date of the next delivery, in the account's time zone; null if none is planned.
             * @example 2026-11-24
             */
            next_delivery_date: string | null;
            /**
             * Format: date
             * @description The calendar date on which the next delivery is packed, in the account's time zone; null if not planned.
             * @example 2026-11-23
             */
            next_production_date: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled: UTC. Null unless it is CANCELLED.
             * @example null
             */
            cancelled_at: string | null;
            /**
             * Format: date-time
             * @description When it was paused: UTC. Null unless it is PAUSED.
             * @example null
             */
            paused_at: string | null;
            /**
             * Format: date
             * @description The calendar date on which a pause ends by itself, in the account's time zone; nothing is charged before the day after it. Null for a pause that lasts until it is resumed, and unless it is PAUSED.
             * @example null
             */
            pause_until: string | null;
            /**
             * @description Why it was cancelled: the caller's words, or else the label of the reason. Null if nobody said, or unless it is CANCELLED.
             * @example null
             */
            cancellation_reason: string | null;
            /**
             * Format: uuid
             * @description The id of the cancellation reason that was given; null for none.
             * @example null
             */
            cancellation_reason_id: string | null;
            /**
             * @description Why it was paused: the caller's words, or else the label of the reason. Null if nobody said, or unless it is PAUSED.
             * @example null
             */
            pause_reason: string | null;
            /**
             * Format: uuid
             * @description The id of the pause reason that was given; null for none.
             * @example null
             */
            pause_reason_id: string | null;
            /**
             * @description The brand of the card that is charged; null if not known.
             * @example visa
             */
            payment_method_brand: string | null;
            /**
             * @description The last four digits of the card that is charged; null if not known.
             * @example 4242
             */
            payment_method_last4: string | null;
            /**
             * Format: uuid
             * @description The id of the delivery slot; null where deliveries have no slot.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id: string | null;
            /**
             * @description What the courier is told, at most 10,000 characters; null for nothing.
             * @example Ring twice
             */
            delivery_instructions: string | null;
            /** @description Where it delivers; null if the customer has given no whole address. */
            delivery_address: components["schemas"]["SubscriptionAddress"] | null;
            /**
             * @description The plain id of the store's order by which the customer subscribed at the store's checkout; null for others.
             * @example null
             */
            store_origin_order_id: string | null;
            /**
             * @description What the subscription was called in the system that it comes from, at most 255 characters; null for none.
             * @example legacy-4711
             */
            migration_source_ref: string | null;
            /**
             * @description A note of the merchant's, at most 10,000 characters; null for none.
             * @example null
             */
            note: string | null;
            /**
             * @description An object of the caller's own, stored as it is; null for none.
             * @example {
             *       "source": "quiz"
             *     }
             */
            custom_attributes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The day of the week of next_billing_date: 1 is Monday, 7 is Sunday (ISO 8601). Null where that is null.
             * @example 6
             */
            payment_day_of_week: number | null;
            /**
             * Format: date-time
             * @description When the last reminder was accepted: UTC. Null if never, or while the one that is shown is DUE.
             * @example null
             */
            last_payment_reminder_sent_at: string | null;
            /**
             * Format: date
             * @description The calendar date of the billing that the last reminder is about; null if there was none.
             * @example null
             */
            last_payment_reminder_billing_date: string | null;
            /** @description Every discount that was given to it, in the order in which they were applied. */
            discounts: components["schemas"]["SubscriptionDiscount"][];
            /**
             * @description The entity's name when the subscription was made; null for none.
             * @example Biscuit
             */
            entity_label: string | null;
            /**
             * Format: uuid
             * @description The id of the open dunning episode; null while no payment is owed.
             * @example null
             */
            current_dunning_episode: string | null;
            /** @description The customer. */
            profile: components["schemas"]["Profile"];
            /** @description The day of the delivery slot; null where deliveries have no slot. */
            delivery_day: components["schemas"]["DeliveryDay"] | null;
            /** @description The slot in which it delivers; null where deliveries have no slot. */
            delivery_slot: components["schemas"]["DeliverySlot"] | null;
            /** @description The entity that it is for, as a list of one; empty for none. */
            entities: components["schemas"]["Entity"][];
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description What shipping costs before discounts: major units of currency_code.
             * @example 4.95
             */
            shipping_amount: number;
            /**
             * @description Tax in the total: 0, because the store adds tax itself when it charges.
             * @example 0
             */
            tax_amount: number;
            /** @description What it delivers. */
            lines: components["schemas"]["SubscriptionLine"][];
            /** @description The unit of the interval at which deliveries are made. */
            delivery_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two deliveries. A prepaid subscription delivers more often than it bills.
             * @example 1
             */
            delivery_interval_count: number;
            /** @description Whether an active discount reduces the shipping. */
            has_shipping_discount: boolean;
            /**
             * @description What its paid orders came to, less refunds: major units of currency_code.
             * @example 124.7
             */
            total_revenue: number;
            /**
             * Format: uuid
             * @description The id of its latest order; null before the first.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            last_order: string | null;
            /**
             * @description How many more cycles of the plan's min_cycles have to be billed before the caller can cancel. 0 for staff and the merchant's keys, which are not bound.
             * @example 0
             */
            min_cycles_remaining: number;
            /**
             * Format: date
             * @description The calendar date of the last of these billings, after which the caller can cancel, if nothing moves the dates; in the account's time zone. Null where min_cycles_remaining is 0, while nothing is billed, a payment is owed or billing stands still, and beyond 400 deliveries.
             * @example null
             */
            can_cancel_from: string | null;
        };
        /**
         * @description The state of a subscription. ACTIVE: billed and delivered, also while payment retries run. PAUSED: stands still until it is resumed. CANCELLED: ended by somebody. EXPIRED: its plan's last cycle was billed. PAYMENT_FAILED: every payment retry has failed.
         * @enum {string}
         */
        SubscriptionStatus: "ACTIVE" | "PAUSED" | "CANCELLED" | "EXPIRED" | "PAYMENT_FAILED";
        /**
         * @description The unit of an interval: DAY, WEEK, MONTH or YEAR. Requests may have it in any case; responses have it in capitals.
         * @example MONTH
         * @enum {string}
         */
        IntervalUnit: "DAY" | "WEEK" | "MONTH" | "YEAR";
        /**
         * @description The reminder of the next billing. NONE: none is due. DUE: the event subscription.payment_reminder_due was recorded, and nobody has accepted it yet. SENT: a webhook endpoint that names this type has accepted it.
         * @enum {string}
         */
        PaymentReminderStatus: "NONE" | "DUE" | "SENT";
        /** @description Where a subscription or an order is delivered: a copy, which later changes of saved addresses do not reach. */
        SubscriptionAddress: {
            /**
             * @description The street and house number.
             * @example 12 Elm Street
             */
            address1: string;
            /**
             * @description The city.
             * @example Brooklyn
             */
            city: string;
            /**
             * @description The postal code.
             * @example 11201
             */
            zip: string;
            /**
             * @description The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country: string;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; a store's own addresses are taken as they are.
             * @example US
             */
            country_code: string;
            /**
             * @description A second line, such as the apartment; null or absent for none.
             * @example Apartment 4
             */
            address2?: string;
            /**
             * @description A phone number for the courier; null or absent for none.
             * @example +1 555 0000001
             */
            phone?: string;
            /**
             * @description The recipient's first name; null or absent if not known.
             * @example Ada
             */
            first_name?: string;
            /**
             * @description The recipient's last name; null or absent if not known.
             * @example Lovelace
             */
            last_name?: string;
            /**
             * @description The recipient's company; null or absent for none.
             * @example Analytical Engines
             */
            company?: string;
            /**
             * @description The state, province or region; null or absent where there is none.
             * @example New York
             */
            province?: string;
            /**
             * @description The code of the province, such as NY; null or absent where there is none.
             * @example NY
             */
            province_code?: string;
        };
        /** @description A discount that was given to one subscription, besides those of its plans. */
        SubscriptionDiscount: {
            /**
             * Format: uuid
             * @description The discount's id.
             * @example 019a0000-0000-7000-8010-000000000002
             */
            id: string;
            /**
             * @description ACTIVE: it counts. EXHAUSTED: it has counted for all of its cycles. REMOVED: somebody has taken it away.
             * @enum {string}
             */
            status: "ACTIVE" | "EXHAUSTED" | "REMOVED";
            /** @description Whether the status is ACTIVE. */
            is_active: boolean;
            /**
             * @description The code that the customer entered, at most 255 characters; null for none.
             * @example WELCOME10
             */
            discount_code: string | null;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Welcome
             */
            title: string;
            /**
             * @description How much it takes off: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the currency for FIXED_AMOUNT.
             * @example 10
             */
            value: number | null;
            /**
             * @description The discount's id at the connected store; its own id where the store has none.
             * @example discount-2
             */
            store_discount_id: string;
            /**
             * @description The ISO 4217 code of the value's currency; null for a percentage.
             * @example null
             */
            currency_code: string | null;
            /** @description What the discount reduces. */
            target_type: components["schemas"]["DiscountTarget"];
            /** @description Whether value is a percentage or an amount. */
            value_type: components["schemas"]["DiscountType"] | null;
            /**
             * @description For how many billed cycles it counts, 1 to 10,000; null: for as long as the subscription lasts.
             * @example 6
             */
            recurring_cycle_limit: number | null;
            /**
             * Format: date-time
             * @description When it was applied: UTC.
             * @example 2026-11-20T12:00:00.000Z
             */
            applied_at: string | null;
            /**
             * Format: date-time
             * @description When it counted for the last time: UTC. Null before.
             * @example null
             */
            exhausted_at: string | null;
            /**
             * Format: date-time
             * @description When it was taken away: UTC. Null if it was not.
             * @example null
             */
            removed_at: string | null;
            /** @description Whether it reduces the shipping. */
            is_shipping_discount: boolean;
            /**
             * @description How much it takes off, in English.
             * @example 10% off
             */
            discount_label: string;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What a discount reduces. ORDER: the goods as a whole, after the discounts of lines. LINE_ITEM: each line, in proportion. SHIPPING_LINE: the shipping.
         * @enum {string}
         */
        DiscountTarget: "ORDER" | "SHIPPING_LINE" | "LINE_ITEM";
        /**
         * @description What the value of a discount is. PERCENTAGE: percent, 0 to 100 with at most 2 decimals. FIXED_AMOUNT: major units of the currency.
         * @enum {string}
         */
        DiscountType: "PERCENTAGE" | "FIXED_AMOUNT";
        /** @description A customer of the merchant. */
        Profile: {
            /**
             * Format: uuid
             * @description The profile's id.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            id: string;
            /**
             * @description The e-mail address, as it was sent, at most 254 characters. No two profiles of an account have the same one, in any case.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description First and last name; empty if neither is known.
             * @example Ada Lovelace
             */
            full_name: string;
            /**
             * @description The lines of the address that are known, divided by commas; empty if none is.
             * @example 12 Elm Street, Brooklyn, New York, 11201, United States
             */
            full_address: string;
            /**
             * @description The first name; null if not known. At most 10,000 characters.
             * @example Ada
             */
            first_name: string | null;
            /**
             * @description The last name; null if not known. At most 10,000 characters.
             * @example Lovelace
             */
            last_name: string | null;
            /**
             * @description The phone number, as it was sent; null if not known.
             * @example +1 555 0000001
             */
            phone_number: string | null;
            /**
             * @description The customer's id in a system of the merchant's; null for none.
             * @example crm-3
             */
            external_id: string | null;
            /**
             * @description The customer's plain id at the connected store; null for none.
             * @example customer-1
             */
            store_customer_id: string | null;
            /** @description Whether the customer wants marketing e-mails; null if never asked. */
            email_status: components["schemas"]["ConsentStatus"] | null;
            /** @description Whether the customer wants marketing text messages; null if never asked. */
            sms_status: components["schemas"]["ConsentStatus"] | null;
            /**
             * @description The customer's time zone, as it was sent; null if not known. Nothing is reckoned by it.
             * @example America/New_York
             */
            timezone: string | null;
            /**
             * @description The street and house number; null if not known.
             * @example 12 Elm Street
             */
            address1: string | null;
            /**
             * @description A second line of the address, such as the apartment; null for none.
             * @example Apartment 4
             */
            address2: string | null;
            /**
             * @description The city; null if not known.
             * @example Brooklyn
             */
            city: string | null;
            /**
             * @description The state, province or region; null if not known.
             * @example New York
             */
            region: string | null;
            /**
             * @description The country's name, as it was sent; null if not known. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country: string | null;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; without it a country that is known by its name has its code. Null in a request clears it; a response leaves it out while it is not known.
             * @example US
             */
            country_code?: string;
            /**
             * @description The postal code; null if not known.
             * @example 11201
             */
            postal_code: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description Whether a customer wants marketing messages. subscribed: yes. unsubscribed: no longer. suppressed: never, as after a complaint or a bounce.
         * @enum {string}
         */
        ConsentStatus: "subscribed" | "unsubscribed" | "suppressed";
        /** @description A day of the week on which the store delivers, and when it packs and charges for it. */
        DeliveryDay: {
            /**
             * Format: uuid
             * @description The delivery day's id.
             * @example 019a0000-0000-7000-8009-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the account: each account has one delivery configuration.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            delivery_configuration_id: string;
            /**
             * @description The day on which deliveries are made: 1 is Monday, 7 is Sunday (ISO 8601).
             * @example 2
             */
            day_of_week: number;
            /**
             * @description The English name of day_of_week.
             * @example Tuesday
             */
            day_name: string;
            /**
             * @description The day on which deliveries are packed, 1 to 7: the last such day that leaves the courier's lead time. Null: no packing day is planned.
             * @example 1
             */
            packing_day_of_week: number | null;
            /**
             * @description The English name of packing_day_of_week; null where that is null.
             * @example Monday
             */
            packing_day_name: string | null;
            /**
             * @description The day on which customers are charged, 1 to 7: the last such day on or before packing, or before delivery where nothing is packed. Null: on that date itself.
             * @example 6
             */
            billing_day_of_week: number | null;
            /**
             * @description The English name of billing_day_of_week; null where that is null.
             * @example Saturday
             */
            billing_day_name: string | null;
            /**
             * @description How many days the courier needs at least between packing and delivery, 0 to 365. Null: 0.
             * @example 1
             */
            courier_lead_time_days: number | null;
            /** @description Whether the store delivers on the day; the slots of an inactive day cannot be chosen. True by default. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description Hours of a delivery day at which deliveries arrive. */
        DeliverySlot: {
            /**
             * Format: uuid
             * @description The slot's id.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the delivery day that the slot is on.
             * @example 019a0000-0000-7000-8009-000000000001
             */
            delivery_day_id: string;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Morning
             */
            label: string;
            /**
             * @description When the slot begins, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 08:00
             */
            start_time: string;
            /**
             * @description When the slot ends, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 12:00
             */
            end_time: string;
            /** @description Whether the slot is the whole day, whatever its times say. False by default. */
            is_all_day: boolean;
            /**
             * @description The slot's place where it is shown with others, smallest first. 0 by default.
             * @example 1
             */
            position: number;
            /** @description Whether subscriptions can choose the slot. True by default. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A named item of a customer's that subscriptions are for, such as a pet or a person. */
        Entity: {
            /**
             * Format: uuid
             * @description The entity's id.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            id: string;
            /**
             * @description What the entity is called, at most 255 characters.
             * @example Biscuit
             */
            name: string;
            /** @description Whether the merchant still counts it: a mark for lists, which changes nothing else. True by default. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description What kind of entity it is, in the merchant's own words, at most 100 characters.
             * @example dog
             */
            entity_type: string;
            /**
             * @description An https address of a picture; null for none.
             * @example https://cdn.example.com/biscuit.jpg
             */
            image_url: string | null;
            /**
             * @description The id that a sign-up wizard has given the entity; null for entities made by this API.
             * @example null
             */
            wizard_id: string | null;
            /**
             * @description The attributes as JSON text: `{}` if there are none.
             * @example {"breed":"Beagle"}
             */
            attributes: string;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A product that a subscription delivers. */
        SubscriptionLine: {
            /**
             * Format: uuid
             * @description The line's id.
             * @example 019a0000-0000-7000-800f-000000000001
             */
            id: string;
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-large
             */
            store_variant_id: string;
            /**
             * @description The id of a variant that is sold on subscription only, at most 255 characters; null for none.
             * @example null
             */
            subscription_variant_id: string | null;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot, 1.5 kg
             */
            product_title: string;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Large
             */
            variant_title: string | null;
            /**
             * @description The merchant's stock-keeping unit, at most 10,000 characters; null for none.
             * @example FOOD-1-L
             */
            sku: string | null;
            /**
             * @description The id of the selling plan. The line keeps the plan's discount and shipping as they are when it is added.
             * @example plan-monthly
             */
            selling_plan_id: string;
            /**
             * @description The plan's name when the line was added.
             * @example Every month
             */
            selling_plan_name: string;
            /**
             * Format: uuid
             * @description The id of the entity that the line is for; null for none.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            entity_id: string | null;
            /**
             * @description How many are in each delivery, 1 to 1,000,000.
             * @example 1
             */
            quantity: number;
            /**
             * @description The price of one before discounts: major units of the currency, 0 or more.
             * @example 39.95
             */
            price: number;
            /**
             * @description price × quantity, before discounts: major units of the currency.
             * @example 39.95
             */
            line_total: number;
            /**
             * @description What the plan's discount and discounts on lines take off it: major units of the currency.
             * @example 4
             */
            discount_amount: number;
            /** @description Whether the line is in the next order only. False by default. */
            is_one_time: boolean;
            /** @description What a customer has put into a box, at most 100 items; null for a plain product. */
            selection_items: components["schemas"]["SubscriptionSelectionItem"][] | null;
        };
        /** @description An item of a box that is sold as one line. */
        SubscriptionSelectionItem: {
            /**
             * @description Which place of the box the item fills, in the merchant's own terms, 1 to 255 characters.
             * @example slot-1
             */
            slot_id: string;
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-small
             */
            store_variant_id: string;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot
             */
            product_title: string;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Small
             */
            variant_title: string | null;
            /**
             * @description How many of it are in each box, 1 to 1,000,000.
             * @example 2
             */
            quantity: number;
            /**
             * @description The price of one, for information: major units of the currency. The line's price is charged.
             * @example 6.65
             */
            price: number;
        };
        OrderEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The record as its GET answers it when the event is sent; null if it is gone. Endpoints with `payload: thin` do not receive it. */
            object?: components["schemas"]["Order"] | null;
        };
        /** @description What was sold to a customer at one time, with its payment and shipping. */
        Order: {
            /**
             * Format: uuid
             * @description The order's id.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /** @description Whether the order is paid. */
            status: components["schemas"]["OrderStatus"];
            /** @description Whether the order was sent. */
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            /** @description What the order came from. */
            order_type: components["schemas"]["OrderType"];
            /** @description Whether a customer made the order at the store's checkout. */
            is_checkout_order: boolean;
            /**
             * @description The order's plain id at the connected store. While the store does not show the order of a charge, the charge's id stands in its place.
             * @example store-order-1
             */
            store_order_id: string;
            /**
             * @description The number that the store shows for the order; null if it has none.
             * @example D10001
             */
            store_order_number: string | null;
            /**
             * @description The order's id in another system, such as an ERP; null if it is in none.
             * @example null
             */
            external_order_id: string | null;
            /**
             * @description The order's number in that system; null if it has none.
             * @example ERP-2
             */
            external_order_number: string | null;
            /**
             * @description The name of that system; null if there is none.
             * @example erp
             */
            external_source: string | null;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The goods before discounts, in major units of currency_code.
             * @example 39.95
             */
            subtotal: number;
            /**
             * @description What all discounts take off, in major units of currency_code.
             * @example 4
             */
            discount_amount: number;
            /**
             * @description What the order costs, with shipping and tax: major units of currency_code. 0 for a delivery that was paid for before. Refunds do not change it.
             * @example 35.95
             */
            total: number;
            /**
             * Format: uuid
             * @description The id of the profile: the customer. Null if not known.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * Format: date
             * @description The calendar date on which the order is packed, in the account's time zone; null if not planned.
             * @example 2026-11-23
             */
            production_date: string | null;
            /**
             * Format: date
             * @description The calendar date for which the order was billed, in the account's time zone; null if it was not billed here.
             * @example 2026-11-21
             */
            billing_date: string | null;
            /**
             * Format: date
             * @description The calendar date of delivery, in the account's time zone; null if not planned.
             * @example 2026-11-24
             */
            delivery_date: string | null;
            /**
             * Format: date-time
             * @description When the order was placed: UTC. Null if not known.
             * @example 2026-11-21T12:00:00.000Z
             */
            order_created_at: string | null;
            /**
             * @description The parcel's tracking number; null until it is sent.
             * @example 1Z10000001
             */
            tracking_number: string | null;
            /**
             * @description The courier; null until the parcel is sent.
             * @example UPS
             */
            tracking_company: string | null;
            /**
             * @description Where the parcel can be followed; null until it is sent.
             * @example https://tracking.example.com/1Z10000001
             */
            tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
            /** @description What is packed, as it was when the order was placed. Null for an order that was not billed here: its lines are at the store. */
            lines: components["schemas"]["OrderLine"][] | null;
            /** @description Where it is delivered, as the subscription had it when the order was placed. Null if not known here. */
            delivery_address: components["schemas"]["SubscriptionAddress"] | null;
            /**
             * @description What the courier has to know, as the subscription had it when the order was placed; null for nothing.
             * @example Leave it with the neighbours
             */
            delivery_instructions: string | null;
            /** @description Whether an earlier order has paid for this delivery: its total is 0, and the store has no order of its own for it. */
            is_prepaid: boolean;
            /**
             * @description Which of the deliveries of one billing it is: 1 for the one that was billed. Null where each delivery is billed.
             * @example 2
             */
            prepaid_delivery: number | null;
            /**
             * @description How many deliveries one billing pays for. Null where each delivery is billed.
             * @example 3
             */
            prepaid_deliveries: number | null;
            /** @description The customer; absent if not known. */
            profile?: components["schemas"]["Profile"];
            /** @description The subscriptions that the order belongs to; empty for a single purchase. */
            subscriptions: components["schemas"]["OrderSubscription"][];
            /** @description The slot in which it is delivered; absent if it has none. */
            delivery_slot?: components["schemas"]["DeliverySlot"];
        };
        /**
         * @description The payment of an order. PENDING: not paid yet. PAID: paid in full. PARTIALLY_REFUNDED: a part was paid back. REFUNDED: all of it was. CANCELLED: called off.
         * @enum {string}
         */
        OrderStatus: "PENDING" | "PAID" | "PARTIALLY_REFUNDED" | "REFUNDED" | "CANCELLED";
        /**
         * @description The shipping of an order. UNFULFILLED: nothing was sent. PARTIALLY_FULFILLED: a part was. FULFILLED: all of it was.
         * @enum {string}
         */
        FulfillmentStatus: "UNFULFILLED" | "PARTIALLY_FULFILLED" | "FULFILLED";
        /**
         * @description What an order came from. SUBSCRIPTION: a subscription. ONE_TIME: a single purchase. UPSELL: an addition to another purchase.
         * @enum {string}
         */
        OrderType: "SUBSCRIPTION" | "ONE_TIME" | "UPSELL";
        /** @description A product that an order delivers, as it was when the order was placed. */
        OrderLine: {
            /**
             * Format: uuid
             * @description The id of the subscription's line.
             * @example 019a0000-0000-7000-800f-000000000001
             */
            subscription_line_id: string;
            /**
             * @description The product's id at the connected store.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store.
             * @example variant-1-large
             */
            store_variant_id: string;
            /**
             * @description The id of a variant that is sold on subscription only; null for none.
             * @example null
             */
            subscription_variant_id: string | null;
            /**
             * @description The product's name.
             * @example Beef and carrot, 1.5 kg
             */
            product_title: string;
            /**
             * @description The variant's name; null for none.
             * @example Large
             */
            variant_title: string | null;
            /**
             * @description The merchant's stock-keeping unit; null for none.
             * @example FOOD-1-L
             */
            sku: string | null;
            /**
             * @description The id of the selling plan.
             * @example plan-monthly
             */
            selling_plan_id: string;
            /**
             * @description The plan's name when the line was added.
             * @example Every month
             */
            selling_plan_name: string;
            /**
             * Format: uuid
             * @description The id of the entity that the line is for; null for none.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            entity_id: string | null;
            /**
             * @description How many are packed.
             * @example 1
             */
            quantity: number;
            /**
             * @description The price of one before discounts: major units of the order's currency. 0 in a delivery that was paid for before.
             * @example 39.95
             */
            price: number;
            /**
             * @description price × quantity, before discounts: major units of the order's currency.
             * @example 39.95
             */
            line_total: number;
            /**
             * @description What the plan's discount and discounts on lines take off it: major units of the order's currency.
             * @example 4
             */
            discount_amount: number;
            /** @description Whether the line is in this order only. */
            is_one_time: boolean;
            /** @description What a customer has put into a box; null for a plain product. */
            selection_items: components["schemas"]["OrderSelectionItem"][] | null;
        };
        /** @description An item of a box that is packed as one line. */
        OrderSelectionItem: {
            /**
             * @description Which place of the box the item fills, in the merchant's own terms.
             * @example slot-1
             */
            slot_id: string;
            /**
             * @description The product's id at the connected store.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store.
             * @example variant-1-small
             */
            store_variant_id: string;
            /**
             * @description The product's name.
             * @example Beef and carrot
             */
            product_title: string;
            /**
             * @description The variant's name; null for none.
             * @example Small
             */
            variant_title: string | null;
            /**
             * @description How many of it are in each box.
             * @example 2
             */
            quantity: number;
        };
        /** @description A subscription that an order belongs to. */
        OrderSubscription: {
            /**
             * Format: uuid
             * @description The id of the subscription.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            id: string;
            /**
             * @description The subscription's number, which people use: counted from 1001 in each account.
             * @example 1001
             */
            number: string;
            /** @description The subscription's state now. */
            status: components["schemas"]["SubscriptionStatus"];
            /**
             * @description How often it is billed, in English.
             * @example Every 2 weeks
             */
            frequency_label: string;
            /**
             * Format: uuid
             * @description The id of the entity that it is for; null for none.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            entity_id: string | null;
            /**
             * @description The entity's name when the subscription was made; null for none.
             * @example Biscuit
             */
            entity_label: string | null;
        };
        ProfileEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The record as its GET answers it when the event is sent; null if it is gone. Endpoints with `payload: thin` do not receive it. */
            object?: components["schemas"]["Profile"] | null;
        };
        PortalEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description A link that signs the customer in, made anew for each try and for thin endpoints too; null where the portal is off or the customer is gone. */
            object?: components["schemas"]["LoginLink"] | null;
        };
        LoginLink: {
            /**
             * @description Opens the portal once. Send it to this customer alone.
             * @example https://api.example.com/portal/demo-store.myshopify.com/enter?token=EXAMPLE
             */
            url: string;
            /**
             * Format: date-time
             * @description 15 minutes after this try was sent.
             * @example 2026-11-20T12:00:00.000Z
             */
            expires_at: string;
        };
        PlainEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        IntegrationEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description The record as its GET answers it when the event is sent; null if it is gone. Endpoints with `payload: thin` do not receive it. */
            object?: components["schemas"]["Subscription"] | components["schemas"]["Order"] | null;
        };
        TestEvent: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * @description Null: a test has no place in the stream.
             * @example null
             */
            sequence: null;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @example {
         *       "error": "Request is not valid: label: is required",
         *       "errorCode": "VALIDATION_FAILED",
         *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
         *       "details": [
         *         {
         *           "path": "label",
         *           "message": "is required"
         *         }
         *       ]
         *     }
         */
        Error: {
            /**
             * @description What is wrong, as a sentence for people. A text longer than 200 characters is cut and ends in an ellipsis.
             * @example Request is not valid: label: is required
             */
            error: string;
            /** @description What is wrong, as a code for programs. */
            errorCode: components["schemas"]["ErrorCode"];
            /**
             * @description The id of the request, as in the X-Request-Id header.
             * @example 0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10
             */
            request_id: string;
            /** @description What is wrong in each field: the first 100 faults. Absent where no field is at fault. */
            details?: components["schemas"]["ErrorDetail"][];
            /**
             * @description False where a billing operation failed; absent for other operations.
             * @enum {boolean}
             */
            success?: false;
        };
        /**
         * @description What is wrong, as a code for programs. The introduction of this document lists what each means.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_FAILED" | "INVALID_JSON" | "UNKNOWN_PROFILE" | "UNKNOWN_SELLING_PLAN" | "UNKNOWN_DELIVERY_DAY" | "UNKNOWN_DELIVERY_SLOT" | "UNKNOWN_DELIVERY_ADDRESS" | "UNKNOWN_ENTITY" | "UNKNOWN_SKIP_REASON" | "UNKNOWN_PAUSE_REASON" | "UNKNOWN_CANCELLATION_REASON" | "UNKNOWN_PAYMENT_METHOD" | "UNKNOWN_LOGGABLE" | "SKIP_REASON_REQUIRED" | "FREQUENCY_NOT_OFFERED" | "UNAUTHENTICATED" | "FORBIDDEN" | "ACCOUNT_MISMATCH" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_BILLABLE" | "BILLING_IN_PROGRESS" | "INVALID_STATE" | "EMAIL_TAKEN" | "PROFILE_IN_USE" | "IDEMPOTENCY_IN_PROGRESS" | "VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL" | "UNAVAILABLE";
        /** @description One fault of a request. */
        ErrorDetail: {
            /**
             * @description Where the fault is: a field of the body or a parameter; members of it follow after dots. Empty for the body as a whole.
             * @example lines.0.price
             */
            path: string;
            /**
             * @description What is wrong there.
             * @example is required
             */
            message: string;
        };
        /**
         * @description An error as RFC 9457 has it, for clients that ask for application/problem+json.
         * @example {
         *       "type": "about:blank",
         *       "title": "Bad Request",
         *       "status": 400,
         *       "detail": "Request is not valid: label: is required",
         *       "error": "Request is not valid: label: is required",
         *       "errorCode": "VALIDATION_FAILED",
         *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
         *       "details": [
         *         {
         *           "path": "label",
         *           "message": "is required"
         *         }
         *       ]
         *     }
         */
        Problem: {
            /**
             * @description Always about:blank: the status says what kind of problem it is.
             * @example about:blank
             */
            type: string;
            /**
             * @description The name of the status.
             * @example Bad Request
             */
            title: string;
            /**
             * @description The HTTP status.
             * @example 400
             */
            status: number;
            /**
             * @description The same as error.
             * @example Request is not valid: label: is required
             */
            detail: string;
            /**
             * @description What is wrong, as a sentence for people. A text longer than 200 characters is cut and ends in an ellipsis.
             * @example Request is not valid: label: is required
             */
            error: string;
            /** @description What is wrong, as a code for programs. */
            errorCode: components["schemas"]["ErrorCode"];
            /**
             * @description The id of the request, as in the X-Request-Id header.
             * @example 0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10
             */
            request_id: string;
            /** @description What is wrong in each field: the first 100 faults. Absent where no field is at fault. */
            details?: components["schemas"]["ErrorDetail"][];
            /**
             * @description False where a billing operation failed; absent for other operations.
             * @enum {boolean}
             */
            success?: false;
        };
        Token: {
            /**
             * @description The token, for the header `Authorization: Bearer`: a JWT.
             * @example eyJhbGciOiJFZERTQSJ9.eyJhY3Rvcl90eXBlIjoiYWRtaW4ifQ.c2lnbmF0dXJl
             */
            access_token: string;
            /**
             * @description Always Bearer.
             * @enum {string}
             */
            token_type: "Bearer";
            /**
             * @description For how many seconds it is valid.
             * @example 3600
             */
            expires_in: number;
        };
        /**
         * @example {
         *       "actor_type": "admin",
         *       "name": "Ada"
         *     }
         */
        TokenRequest: components["schemas"]["StaffTokenRequest"] | components["schemas"]["CustomerTokenRequest"];
        /** @description A token for a member of staff or a program. */
        StaffTokenRequest: {
            /**
             * @description Who acts. admin: a member of staff. api: a program. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            actor_type: "admin" | "api";
            /**
             * @description Who acts, shown as `actor_name` in the history: 1 to 255 characters. Absent: nobody is named.
             * @example Ada
             */
            name?: string;
            /**
             * @description For how many seconds the token is valid: 60 to 86,400, 3,600 by default.
             * @example 3600
             */
            expires_in?: number;
            /**
             * @description What the token may do: some of the key's scopes, at least one. By default it has all of them. One that the key lacks is refused.
             * @example [
             *       "subscriptions:read"
             *     ]
             */
            scopes?: components["schemas"]["Scope"][];
        };
        /**
         * @description A resource that a credential may read or change, such as `orders:read`. Each operation names the one that it needs.
         * @enum {string}
         */
        Scope: "account:read" | "account:write" | "profiles:read" | "profiles:write" | "entities:read" | "entities:write" | "subscriptions:read" | "subscriptions:write" | "billing:read" | "billing:write" | "plans:read" | "plans:write" | "delivery:read" | "delivery:write" | "orders:read" | "orders:write" | "activity:read" | "activity:write" | "reasons:read" | "reasons:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write" | "tokens:read" | "tokens:write" | "portal:read" | "portal:write";
        /** @description A token for a customer. */
        CustomerTokenRequest: {
            /**
             * @description customer: the token reaches the operations that are meant for customers. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            actor_type: "customer";
            /**
             * Format: uuid
             * @description The id of the customer's profile, the only one that it reaches.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description Who acts, shown as `actor_name` in the history: 1 to 255 characters. Absent: nobody is named.
             * @example Ada
             */
            name?: string;
            /**
             * @description For how many seconds the token is valid: 60 to 86,400, 3,600 by default.
             * @example 3600
             */
            expires_in?: number;
        };
        JsonWebKeySet: {
            /** @description The keys; the one that signs comes first. */
            keys: components["schemas"]["JsonWebKey"][];
        };
        /** @description A public key, with the further members of its type. */
        JsonWebKey: {
            /**
             * @description The type of the key (RFC 7517): OKP or EC.
             * @example OKP
             */
            kty: string;
            /**
             * @description The key's id, which tokens name in their header.
             * @example 2026-11
             */
            kid: string;
            /**
             * @description The algorithm of its signatures: EdDSA or ES256.
             * @example EdDSA
             */
            alg: string;
        } & {
            [key: string]: unknown;
        };
        AccountData: {
            /** @description The account. */
            data: components["schemas"]["Account"];
        };
        /** @description A merchant's store, and how its subscriptions are billed. */
        Account: {
            /**
             * Format: uuid
             * @description The account's id.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            id: string;
            /**
             * @description The merchant's name, 1 to 255 characters, not blank.
             * @example Demo Store
             */
            name: string;
            /**
             * @description The store's domain. Read only: the operator of the deployment renames an account.
             * @example demo-store.myshopify.com
             */
            shop: string;
            /**
             * @description The store platform. sandbox: the built-in one, which charges nobody. shopify: a Shopify store.
             * @enum {string}
             */
            store: "sandbox" | "shopify";
            /**
             * @description The IANA time zone of all calendar dates.
             * @example America/New_York
             */
            timezone: string;
            /**
             * @description The ISO 4217 code of all amounts. It cannot change once a plan, subscription or order is priced in it.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The ISO 4217 codes of the currencies in which the connected store sells, the account's first, as they were when it was connected. Null on the sandbox store. Contracts that customers conclude in another than the account's cannot be taken over (`/api/account/store/unsupported-contracts`).
             * @example null
             */
            store_currencies: string[] | null;
            /**
             * @description Days after the first failure on which a payment is tried again: 1 to 10 ascending whole numbers from 1 to 60. [1, 3, 7] for a new account.
             * @example [
             *       1,
             *       3,
             *       7
             *     ]
             */
            dunning_retry_days: number[];
            /** @description What happens to a subscription when its last retry has failed. `fail` for a new account. */
            dunning_final_action: components["schemas"]["DunningFinalAction"];
            /**
             * @description How many days before a billing its customer is reminded, 0 to 60. Null or 0: never. 3 for a new account.
             * @example 3
             */
            payment_reminder_days_before: number | null;
            /** @description What happens to a cycle whose goods are out of stock. `retry` for a new account. */
            out_of_stock_action: components["schemas"]["OutOfStockAction"];
            /** @description What happens to deliveries that are paid for when a subscription is cancelled. `deliver` for a new account. */
            prepaid_on_end: components["schemas"]["PrepaidOnEnd"];
            /**
             * @description Whether the store e-mails a customer whose payment was declined for good a link to another payment method: once for each dunning episode. The sandbox store sends no e-mail. A Shopify store sends its own, for which the app needs the scope `write_customers`. False for a new account.
             * @example false
             */
            notify_payment_update: boolean;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What happens to a subscription when its last retry has failed. fail: it is PAYMENT_FAILED. pause: it is PAUSED. cancel: it is CANCELLED.
         * @enum {string}
         */
        DunningFinalAction: "fail" | "pause" | "cancel";
        /**
         * @description What happens to a cycle that cannot be billed because its goods are out of stock. retry: it is tried again later, as often as it takes. skip: the next cycle is billed instead. bill_anyway: the goods are sold all the same if the store allows it, and tried again later if not.
         * @enum {string}
         */
        OutOfStockAction: "retry" | "skip" | "bill_anyway";
        /**
         * @description What happens to deliveries that are paid for when a subscription is cancelled. deliver: they are made on their dates. stop: no more are made.
         * @enum {string}
         */
        PrepaidOnEnd: "deliver" | "stop";
        /**
         * @description Fields that are absent stay as they are.
         * @example {
         *       "dunning_retry_days": [
         *         1,
         *         3,
         *         7
         *       ]
         *     }
         */
        AccountUpdate: {
            /**
             * @description The merchant's name, 1 to 255 characters, not blank.
             * @example Demo Store
             */
            name?: string;
            /**
             * @description The IANA time zone of all calendar dates.
             * @example America/New_York
             */
            timezone?: components["schemas"]["TimeZone"];
            /**
             * @description The ISO 4217 code of all amounts. It cannot change once a plan, subscription or order is priced in it.
             * @example USD
             */
            currency_code?: components["schemas"]["Currency"];
            /**
             * @description Days after the first failure on which a payment is tried again: 1 to 10 ascending whole numbers from 1 to 60. [1, 3, 7] for a new account.
             * @example [
             *       1,
             *       3,
             *       7
             *     ]
             */
            dunning_retry_days?: number[];
            /** @description What happens to a subscription when its last retry has failed. `fail` for a new account. */
            dunning_final_action?: components["schemas"]["DunningFinalAction"];
            /**
             * @description How many days before a billing its customer is reminded, 0 to 60. Null or 0: never. 3 for a new account.
             * @example 3
             */
            payment_reminder_days_before?: number | null;
            /** @description What happens to a cycle whose goods are out of stock. `retry` for a new account. */
            out_of_stock_action?: components["schemas"]["OutOfStockAction"];
            /** @description What happens to deliveries that are paid for when a subscription is cancelled. `deliver` for a new account. */
            prepaid_on_end?: components["schemas"]["PrepaidOnEnd"];
            /**
             * @description Whether the store e-mails a customer whose payment was declined for good a link to another payment method: once for each dunning episode. The sandbox store sends no e-mail. A Shopify store sends its own, for which the app needs the scope `write_customers`. False for a new account.
             * @example false
             */
            notify_payment_update?: boolean;
        };
        /**
         * @description A time zone of the IANA database. Aliases such as US/Eastern are read too.
         * @example America/New_York
         * @enum {string}
         */
        TimeZone: "Africa/Abidjan" | "Africa/Accra" | "Africa/Addis_Ababa" | "Africa/Algiers" | "Africa/Asmara" | "Africa/Asmera" | "Africa/Bamako" | "Africa/Bangui" | "Africa/Banjul" | "Africa/Bissau" | "Africa/Blantyre" | "Africa/Brazzaville" | "Africa/Bujumbura" | "Africa/Cairo" | "Africa/Casablanca" | "Africa/Ceuta" | "Africa/Conakry" | "Africa/Dakar" | "Africa/Dar_es_Salaam" | "Africa/Djibouti" | "Africa/Douala" | "Africa/El_Aaiun" | "Africa/Freetown" | "Africa/Gaborone" | "Africa/Harare" | "Africa/Johannesburg" | "Africa/Juba" | "Africa/Kampala" | "Africa/Khartoum" | "Africa/Kigali" | "Africa/Kinshasa" | "Africa/Lagos" | "Africa/Libreville" | "Africa/Lome" | "Africa/Luanda" | "Africa/Lubumbashi" | "Africa/Lusaka" | "Africa/Malabo" | "Africa/Maputo" | "Africa/Maseru" | "Africa/Mbabane" | "Africa/Mogadishu" | "Africa/Monrovia" | "Africa/Nairobi" | "Africa/Ndjamena" | "Africa/Niamey" | "Africa/Nouakchott" | "Africa/Ouagadougou" | "Africa/Porto-Novo" | "Africa/Sao_Tome" | "Africa/Tripoli" | "Africa/Tunis" | "Africa/Windhoek" | "America/Adak" | "America/Anchorage" | "America/Anguilla" | "America/Antigua" | "America/Araguaina" | "America/Argentina/Buenos_Aires" | "America/Argentina/Catamarca" | "America/Argentina/Cordoba" | "America/Argentina/Jujuy" | "America/Argentina/La_Rioja" | "America/Argentina/Mendoza" | "America/Argentina/Rio_Gallegos" | "America/Argentina/Salta" | "America/Argentina/San_Juan" | "America/Argentina/San_Luis" | "America/Argentina/Tucuman" | "America/Argentina/Ushuaia" | "America/Aruba" | "America/Asuncion" | "America/Atikokan" | "America/Bahia" | "America/Bahia_Banderas" | "America/Barbados" | "America/Belem" | "America/Belize" | "America/Blanc-Sablon" | "America/Boa_Vista" | "America/Bogota" | "America/Boise" | "America/Buenos_Aires" | "America/Cambridge_Bay" | "America/Campo_Grande" | "America/Cancun" | "America/Caracas" | "America/Catamarca" | "America/Cayenne" | "America/Cayman" | "America/Chicago" | "America/Chihuahua" | "America/Ciudad_Juarez" | "America/Coral_Harbour" | "America/Cordoba" | "America/Costa_Rica" | "America/Coyhaique" | "America/Creston" | "America/Cuiaba" | "America/Curacao" | "America/Danmarkshavn" | "America/Dawson" | "America/Dawson_Creek" | "America/Denver" | "America/Detroit" | "America/Dominica" | "America/Edmonton" | "America/Eirunepe" | "America/El_Salvador" | "America/Fort_Nelson" | "America/Fortaleza" | "America/Glace_Bay" | "America/Godthab" | "America/Goose_Bay" | "America/Grand_Turk" | "America/Grenada" | "America/Guadeloupe" | "America/Guatemala" | "America/Guayaquil" | "America/Guyana" | "America/Halifax" | "America/Havana" | "America/Hermosillo" | "America/Indiana/Indianapolis" | "America/Indiana/Knox" | "America/Indiana/Marengo" | "America/Indiana/Petersburg" | "America/Indiana/Tell_City" | "America/Indiana/Vevay" | "America/Indiana/Vincennes" | "America/Indiana/Winamac" | "America/Indianapolis" | "America/Inuvik" | "America/Iqaluit" | "America/Jamaica" | "America/Jujuy" | "America/Juneau" | "America/Kentucky/Louisville" | "America/Kentucky/Monticello" | "America/Kralendijk" | "America/La_Paz" | "America/Lima" | "America/Los_Angeles" | "America/Louisville" | "America/Lower_Princes" | "America/Maceio" | "America/Managua" | "America/Manaus" | "America/Marigot" | "America/Martinique" | "America/Matamoros" | "America/Mazatlan" | "America/Mendoza" | "America/Menominee" | "America/Merida" | "America/Metlakatla" | "America/Mexico_City" | "America/Miquelon" | "America/Moncton" | "America/Monterrey" | "America/Montevideo" | "America/Montserrat" | "America/Nassau" | "America/New_York" | "America/Nome" | "America/Noronha" | "America/North_Dakota/Beulah" | "America/North_Dakota/Center" | "America/North_Dakota/New_Salem" | "America/Nuuk" | "America/Ojinaga" | "America/Panama" | "America/Paramaribo" | "America/Phoenix" | "America/Port-au-Prince" | "America/Port_of_Spain" | "America/Porto_Velho" | "America/Puerto_Rico" | "America/Punta_Arenas" | "America/Rankin_Inlet" | "America/Recife" | "America/Regina" | "America/Resolute" | "America/Rio_Branco" | "America/Santarem" | "America/Santiago" | "America/Santo_Domingo" | "America/Sao_Paulo" | "America/Scoresbysund" | "America/Sitka" | "America/St_Barthelemy" | "America/St_Johns" | "America/St_Kitts" | "America/St_Lucia" | "America/St_Thomas" | "America/St_Vincent" | "America/Swift_Current" | "America/Tegucigalpa" | "America/Thule" | "America/Tijuana" | "America/Toronto" | "America/Tortola" | "America/Vancouver" | "America/Whitehorse" | "America/Winnipeg" | "America/Yakutat" | "Antarctica/Casey" | "Antarctica/Davis" | "Antarctica/DumontDUrville" | "Antarctica/Macquarie" | "Antarctica/Mawson" | "Antarctica/McMurdo" | "Antarctica/Palmer" | "Antarctica/Rothera" | "Antarctica/Syowa" | "Antarctica/Troll" | "Antarctica/Vostok" | "Arctic/Longyearbyen" | "Asia/Aden" | "Asia/Almaty" | "Asia/Amman" | "Asia/Anadyr" | "Asia/Aqtau" | "Asia/Aqtobe" | "Asia/Ashgabat" | "Asia/Atyrau" | "Asia/Baghdad" | "Asia/Bahrain" | "Asia/Baku" | "Asia/Bangkok" | "Asia/Barnaul" | "Asia/Beirut" | "Asia/Bishkek" | "Asia/Brunei" | "Asia/Calcutta" | "Asia/Chita" | "Asia/Colombo" | "Asia/Damascus" | "Asia/Dhaka" | "Asia/Dili" | "Asia/Dubai" | "Asia/Dushanbe" | "Asia/Famagusta" | "Asia/Gaza" | "Asia/Hebron" | "Asia/Ho_Chi_Minh" | "Asia/Hong_Kong" | "Asia/Hovd" | "Asia/Irkutsk" | "Asia/Jakarta" | "Asia/Jayapura" | "Asia/Jerusalem" | "Asia/Kabul" | "Asia/Kamchatka" | "Asia/Karachi" | "Asia/Kathmandu" | "Asia/Katmandu" | "Asia/Khandyga" | "Asia/Kolkata" | "Asia/Krasnoyarsk" | "Asia/Kuala_Lumpur" | "Asia/Kuching" | "Asia/Kuwait" | "Asia/Macau" | "Asia/Magadan" | "Asia/Makassar" | "Asia/Manila" | "Asia/Muscat" | "Asia/Nicosia" | "Asia/Novokuznetsk" | "Asia/Novosibirsk" | "Asia/Omsk" | "Asia/Oral" | "Asia/Phnom_Penh" | "Asia/Pontianak" | "Asia/Pyongyang" | "Asia/Qatar" | "Asia/Qostanay" | "Asia/Qyzylorda" | "Asia/Rangoon" | "Asia/Riyadh" | "Asia/Saigon" | "Asia/Sakhalin" | "Asia/Samarkand" | "Asia/Seoul" | "Asia/Shanghai" | "Asia/Singapore" | "Asia/Srednekolymsk" | "Asia/Taipei" | "Asia/Tashkent" | "Asia/Tbilisi" | "Asia/Tehran" | "Asia/Thimphu" | "Asia/Tokyo" | "Asia/Tomsk" | "Asia/Ulaanbaatar" | "Asia/Urumqi" | "Asia/Ust-Nera" | "Asia/Vientiane" | "Asia/Vladivostok" | "Asia/Yakutsk" | "Asia/Yangon" | "Asia/Yekaterinburg" | "Asia/Yerevan" | "Atlantic/Azores" | "Atlantic/Bermuda" | "Atlantic/Canary" | "Atlantic/Cape_Verde" | "Atlantic/Faeroe" | "Atlantic/Faroe" | "Atlantic/Madeira" | "Atlantic/Reykjavik" | "Atlantic/South_Georgia" | "Atlantic/St_Helena" | "Atlantic/Stanley" | "Australia/Adelaide" | "Australia/Brisbane" | "Australia/Broken_Hill" | "Australia/Darwin" | "Australia/Eucla" | "Australia/Hobart" | "Australia/Lindeman" | "Australia/Lord_Howe" | "Australia/Melbourne" | "Australia/Perth" | "Australia/Sydney" | "Europe/Amsterdam" | "Europe/Andorra" | "Europe/Astrakhan" | "Europe/Athens" | "Europe/Belgrade" | "Europe/Berlin" | "Europe/Bratislava" | "Europe/Brussels" | "Europe/Bucharest" | "Europe/Budapest" | "Europe/Busingen" | "Europe/Chisinau" | "Europe/Copenhagen" | "Europe/Dublin" | "Europe/Gibraltar" | "Europe/Guernsey" | "Europe/Helsinki" | "Europe/Isle_of_Man" | "Europe/Istanbul" | "Europe/Jersey" | "Europe/Kaliningrad" | "Europe/Kiev" | "Europe/Kirov" | "Europe/Kyiv" | "Europe/Lisbon" | "Europe/Ljubljana" | "Europe/London" | "Europe/Luxembourg" | "Europe/Madrid" | "Europe/Malta" | "Europe/Mariehamn" | "Europe/Minsk" | "Europe/Monaco" | "Europe/Moscow" | "Europe/Oslo" | "Europe/Paris" | "Europe/Podgorica" | "Europe/Prague" | "Europe/Riga" | "Europe/Rome" | "Europe/Samara" | "Europe/San_Marino" | "Europe/Sarajevo" | "Europe/Saratov" | "Europe/Simferopol" | "Europe/Skopje" | "Europe/Sofia" | "Europe/Stockholm" | "Europe/Tallinn" | "Europe/Tirane" | "Europe/Ulyanovsk" | "Europe/Vaduz" | "Europe/Vatican" | "Europe/Vienna" | "Europe/Vilnius" | "Europe/Volgograd" | "Europe/Warsaw" | "Europe/Zagreb" | "Europe/Zurich" | "Indian/Antananarivo" | "Indian/Chagos" | "Indian/Christmas" | "Indian/Cocos" | "Indian/Comoro" | "Indian/Kerguelen" | "Indian/Mahe" | "Indian/Maldives" | "Indian/Mauritius" | "Indian/Mayotte" | "Indian/Reunion" | "Pacific/Apia" | "Pacific/Auckland" | "Pacific/Bougainville" | "Pacific/Chatham" | "Pacific/Chuuk" | "Pacific/Easter" | "Pacific/Efate" | "Pacific/Enderbury" | "Pacific/Fakaofo" | "Pacific/Fiji" | "Pacific/Funafuti" | "Pacific/Galapagos" | "Pacific/Gambier" | "Pacific/Guadalcanal" | "Pacific/Guam" | "Pacific/Honolulu" | "Pacific/Kanton" | "Pacific/Kiritimati" | "Pacific/Kosrae" | "Pacific/Kwajalein" | "Pacific/Majuro" | "Pacific/Marquesas" | "Pacific/Midway" | "Pacific/Nauru" | "Pacific/Niue" | "Pacific/Norfolk" | "Pacific/Noumea" | "Pacific/Pago_Pago" | "Pacific/Palau" | "Pacific/Pitcairn" | "Pacific/Pohnpei" | "Pacific/Ponape" | "Pacific/Port_Moresby" | "Pacific/Rarotonga" | "Pacific/Saipan" | "Pacific/Tahiti" | "Pacific/Tarawa" | "Pacific/Tongatapu" | "Pacific/Truk" | "Pacific/Wake" | "Pacific/Wallis" | "UTC";
        /**
         * @description A currency of ISO 4217.
         * @example USD
         * @enum {string}
         */
        Currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HRK" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SLL" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XDR" | "XOF" | "XPF" | "XSU" | "YER" | "ZAR" | "ZMW" | "ZWG" | "ZWL";
        TestClockData: {
            /** @description The account's own time. */
            data: components["schemas"]["TestClock"];
        };
        /** @description The account's own time. */
        TestClock: {
            /**
             * Format: date-time
             * @description The account's own time: UTC.
             * @example 2026-11-20T12:00:00.000Z
             */
            now: string;
            /** @description Whether it is still moving to its target. */
            advancing: boolean;
        };
        TestClockRequest: {
            /**
             * Format: date-time
             * @description Where to move the account's time: a date-time with an offset, later than its time now and at most 400 days ahead.
             * @example 2030-01-15T12:00:00.000Z
             */
            advance_to: string;
        };
        UnsupportedContractList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["UnsupportedContract"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description A contract of the store's checkout that nobody bills, and why. */
        UnsupportedContract: {
            /**
             * Format: int64
             * @description The number of the contract at the connected store.
             * @example 1000001
             */
            store_contract_id: number;
            /** @description Why it cannot become a subscription. */
            reason: components["schemas"]["UnsupportedContractReason"];
            /**
             * @description The same in words, for people.
             * @example it is in EUR, and the account in USD
             */
            message: string;
            /**
             * @description The ISO 4217 code of the currency in which the customer subscribed.
             * @example EUR
             */
            currency_code: string;
            /**
             * @description The customer's plain id at the connected store; null where the contract has none, and once the customer's data is erased.
             * @example 6100000000001
             */
            store_customer_id: string | null;
            /**
             * Format: date-time
             * @description When it was first seen: UTC.
             * @example 2026-11-20T12:00:00.000Z
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description When it was last looked at: UTC. That is done with every webhook about it, and every night.
             * @example 2026-11-21T03:00:00.000Z
             */
            last_seen_at: string;
        };
        /**
         * @description Why a contract cannot become a subscription. CURRENCY: it is in another currency than the account. CUSTOMER: its customer has no e-mail address of their own. PAYMENT_METHOD: its payment method cannot be used. PRICES: its discounts or prices cannot be kept as they were promised. LINES: a line has no product, or no selling plan. INTERVALS: its deliveries do not divide its billings. LAST_CYCLE: its last cycle has been billed. ADDRESS: the country of its address is not known. OTHER: as `message` says.
         * @enum {string}
         */
        UnsupportedContractReason: "CURRENCY" | "CUSTOMER" | "PAYMENT_METHOD" | "PRICES" | "LINES" | "INTERVALS" | "LAST_CYCLE" | "ADDRESS" | "OTHER";
        Pagination: {
            /**
             * @description How many records match, on all pages together.
             * @example 60
             */
            total: number;
            /** @description Whether the request looked at as many records as one may (5,000 at most): `total` and `last_page` are then lower bounds, and the page may be short, or empty, with a `next_page_url` that leads on. */
            total_is_estimate: boolean;
            /**
             * @description The most records that a page has: the request's `limit`.
             * @example 25
             */
            per_page: number;
            /**
             * @description The page that this is, counted from 1; by a cursor, counted from where the walk began.
             * @example 1
             */
            current_page: number;
            /**
             * @description The last page; 1 where nothing matches.
             * @example 3
             */
            last_page: number;
            /**
             * @description The first page, always 1.
             * @example 1
             */
            first_page: number;
            /**
             * @description The absolute URL of the first page, with the filters of this request.
             * @example https://api.example.com/api/subscriptions?page=1&limit=25
             */
            first_page_url: string;
            /**
             * @description The absolute URL of the last page: by its number, or by a cursor where that is not known.
             * @example https://api.example.com/api/subscriptions?page=3&limit=25
             */
            last_page_url: string;
            /**
             * @description The absolute URL of the next page, by a cursor; null on the last. It costs no more however far it leads.
             * @example https://api.example.com/api/subscriptions?limit=25&cursor=WyIxYXV4cDNkIiwib24iLGZhbHNlLDIsNjAsZmFsc2UsIjIwMjYtMTEtMjBUMTI6MDA6MDAuMDAwWiIsNDJd
             */
            next_page_url: string | null;
            /**
             * @description The absolute URL of the previous page, by a cursor; null on the first.
             * @example null
             */
            previous_page_url: string | null;
        };
        ProfileList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["Profile"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        ProfileData: {
            /** @description The profile. */
            data: components["schemas"]["Profile"];
        };
        /**
         * @example {
         *       "email": "grace@example.com",
         *       "first_name": "Grace",
         *       "last_name": "Hopper",
         *       "email_status": "subscribed"
         *     }
         */
        ProfileCreate: {
            /**
             * Format: email
             * @description The e-mail address, as it was sent, at most 254 characters. No two profiles of an account have the same one, in any case.
             * @example ada@example.com
             */
            email: string;
            /** @description Whether the customer wants marketing e-mails; null if never asked. */
            email_status?: components["schemas"]["ConsentStatus"] | null;
            /** @description Whether the customer wants marketing text messages; null if never asked. */
            sms_status?: components["schemas"]["ConsentStatus"] | null;
            /**
             * @description The first name; null if not known. At most 10,000 characters.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The last name; null if not known. At most 10,000 characters.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description A form of address such as Dr. It is stored and not returned; null for none.
             * @example Dr
             */
            title?: string | null;
            /**
             * @description The phone number, as it was sent; null if not known.
             * @example +1 555 0000001
             */
            phone_number?: string | null;
            /**
             * @description The customer's id in a system of the merchant's; null for none.
             * @example crm-3
             */
            external_id?: string | null;
            /**
             * @description The street and house number; null if not known.
             * @example 12 Elm Street
             */
            address1?: string | null;
            /**
             * @description A second line of the address, such as the apartment; null for none.
             * @example Apartment 4
             */
            address2?: string | null;
            /**
             * @description The city; null if not known.
             * @example Brooklyn
             */
            city?: string | null;
            /**
             * @description The country's name, as it was sent; null if not known. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country?: string | null;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; without it a country that is known by its name has its code. Null in a request clears it; a response leaves it out while it is not known.
             * @example US
             */
            country_code?: components["schemas"]["CountryCode"] | null;
            /**
             * @description The state, province or region; null if not known.
             * @example New York
             */
            region?: string | null;
            /**
             * @description The postal code; null if not known.
             * @example 11201
             */
            postal_code?: string | null;
            /**
             * @description The customer's time zone, as it was sent; null if not known. Nothing is reckoned by it.
             * @example America/New_York
             */
            timezone?: string | null;
            /**
             * @description The IP address from which the customer signed up. It is stored and not returned; null for none.
             * @example null
             */
            ip?: string | null;
            /**
             * Format: date-time
             * @description When the customer was first known, for profiles that come from another system. Null or absent: now.
             * @example 2026-01-15T12:00:00.000Z
             */
            created_at?: string;
            /**
             * Format: date-time
             * @description When the profile last changed in that system. Null or absent: now.
             * @example 2026-01-15T12:00:00.000Z
             */
            updated_at?: string;
        };
        /**
         * @description The ISO 3166-1 alpha-2 code of a country. Requests may have it in any case; it is stored in capitals. XK is Kosovo.
         * @example US
         * @enum {string}
         */
        CountryCode: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "XK" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
        ProfileUploaded: {
            /**
             * @description The number of rows: profiles that were created, changed, or already so.
             * @example 2
             */
            imported: number;
        };
        /**
         * @example {
         *       "profiles": [
         *         {
         *           "email": "grace@example.com",
         *           "first_name": "Grace"
         *         },
         *         {
         *           "email": "alan@example.com"
         *         }
         *       ]
         *     }
         */
        ProfileUpload: {
            /** @description The profiles: at most 10000 rows, no two with the same e-mail address. */
            profiles: components["schemas"]["ProfileCreate"][];
        } | components["schemas"]["ProfileCreate"][];
        /**
         * @description Fields that are absent stay as they are; null clears one.
         * @example {
         *       "phone_number": "+1 202 555 0147"
         *     }
         */
        ProfileUpdate: {
            /**
             * Format: email
             * @description The e-mail address, as it was sent, at most 254 characters. No two profiles of an account have the same one, in any case.
             * @example ada@example.com
             */
            email?: string;
            /** @description Whether the customer wants marketing e-mails; null if never asked. */
            email_status?: components["schemas"]["ConsentStatus"] | null;
            /** @description Whether the customer wants marketing text messages; null if never asked. */
            sms_status?: components["schemas"]["ConsentStatus"] | null;
            /**
             * @description The first name; null if not known. At most 10,000 characters.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The last name; null if not known. At most 10,000 characters.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description A form of address such as Dr. It is stored and not returned; null for none.
             * @example Dr
             */
            title?: string | null;
            /**
             * @description The phone number, as it was sent; null if not known.
             * @example +1 555 0000001
             */
            phone_number?: string | null;
            /**
             * @description The customer's id in a system of the merchant's; null for none.
             * @example crm-3
             */
            external_id?: string | null;
            /**
             * @description The street and house number; null if not known.
             * @example 12 Elm Street
             */
            address1?: string | null;
            /**
             * @description A second line of the address, such as the apartment; null for none.
             * @example Apartment 4
             */
            address2?: string | null;
            /**
             * @description The city; null if not known.
             * @example Brooklyn
             */
            city?: string | null;
            /**
             * @description The country's name, as it was sent; null if not known. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country?: string | null;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; without it a country that is known by its name has its code. Null in a request clears it; a response leaves it out while it is not known.
             * @example US
             */
            country_code?: components["schemas"]["CountryCode"] | null;
            /**
             * @description The state, province or region; null if not known.
             * @example New York
             */
            region?: string | null;
            /**
             * @description The postal code; null if not known.
             * @example 11201
             */
            postal_code?: string | null;
            /**
             * @description The customer's time zone, as it was sent; null if not known. Nothing is reckoned by it.
             * @example America/New_York
             */
            timezone?: string | null;
            /**
             * @description The IP address from which the customer signed up. It is stored and not returned; null for none.
             * @example null
             */
            ip?: string | null;
        };
        DeliveryAddressList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["DeliveryAddress"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description An address to which a customer's deliveries can go. */
        DeliveryAddress: {
            /**
             * Format: uuid
             * @description The address's id.
             * @example 019a0000-0000-7000-8007-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description The street and house number.
             * @example 12 Elm Street
             */
            address1: string;
            /**
             * @description A second line, such as the apartment; null or absent for none.
             * @example Apartment 4
             */
            address2: string | null;
            /**
             * @description The city.
             * @example Brooklyn
             */
            city: string;
            /**
             * @description The postal code.
             * @example 11201
             */
            zip: string;
            /**
             * @description The state, province or region; null or absent where there is none.
             * @example New York
             */
            province: string | null;
            /**
             * @description The code of the province, such as NY; null or absent where there is none.
             * @example NY
             */
            province_code: string | null;
            /**
             * @description The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country: string;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; a store's own addresses are taken as they are.
             * @example US
             */
            country_code: string;
            /**
             * @description The recipient's first name; null or absent if not known.
             * @example Ada
             */
            first_name: string | null;
            /**
             * @description The recipient's last name; null or absent if not known.
             * @example Lovelace
             */
            last_name: string | null;
            /**
             * @description The recipient's company; null or absent for none.
             * @example Analytical Engines
             */
            company: string | null;
            /**
             * @description A phone number for the courier; null or absent for none.
             * @example +1 555 0000001
             */
            phone: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        DeliveryAddressData: {
            /** @description The address. */
            data: components["schemas"]["DeliveryAddress"];
        };
        /**
         * @example {
         *       "address1": "12 Elm Street",
         *       "city": "Brooklyn",
         *       "zip": "11201",
         *       "country": "United States",
         *       "country_code": "US"
         *     }
         */
        DeliveryAddressCreate: {
            /**
             * @description The street and house number.
             * @example 12 Elm Street
             */
            address1: string;
            /**
             * @description The city.
             * @example Brooklyn
             */
            city: string;
            /**
             * @description The postal code.
             * @example 11201
             */
            zip: string;
            /**
             * @description The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country?: string;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; a store's own addresses are taken as they are.
             * @example US
             */
            country_code: components["schemas"]["CountryCode"];
            /**
             * @description A second line, such as the apartment; null or absent for none.
             * @example Apartment 4
             */
            address2?: string | null;
            /**
             * @description A phone number for the courier; null or absent for none.
             * @example +1 555 0000001
             */
            phone?: string | null;
            /**
             * @description The recipient's first name; null or absent if not known.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The recipient's last name; null or absent if not known.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description The recipient's company; null or absent for none.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description The state, province or region; null or absent where there is none.
             * @example New York
             */
            province?: string | null;
            /**
             * @description The code of the province, such as NY; null or absent where there is none.
             * @example NY
             */
            province_code?: string | null;
        };
        /**
         * @description Fields that are absent stay as they are; null clears one.
         * @example {
         *       "zip": "11205"
         *     }
         */
        DeliveryAddressUpdate: {
            /**
             * @description The street and house number.
             * @example 12 Elm Street
             */
            address1?: string;
            /**
             * @description The city.
             * @example Brooklyn
             */
            city?: string;
            /**
             * @description The postal code.
             * @example 11201
             */
            zip?: string;
            /**
             * @description The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country?: string;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; a store's own addresses are taken as they are.
             * @example US
             */
            country_code?: components["schemas"]["CountryCode"];
            /**
             * @description A second line, such as the apartment; null or absent for none.
             * @example Apartment 4
             */
            address2?: string | null;
            /**
             * @description A phone number for the courier; null or absent for none.
             * @example +1 555 0000001
             */
            phone?: string | null;
            /**
             * @description The recipient's first name; null or absent if not known.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The recipient's last name; null or absent if not known.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description The recipient's company; null or absent for none.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description The state, province or region; null or absent where there is none.
             * @example New York
             */
            province?: string | null;
            /**
             * @description The code of the province, such as NY; null or absent where there is none.
             * @example NY
             */
            province_code?: string | null;
        };
        EntityList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["Entity"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /**
         * @description A boolean in a query: `true` or `1`, `false` or `0`.
         * @enum {string}
         */
        QueryBoolean: "true" | "false" | "1" | "0";
        /**
         * @description The direction of a sort. `asc`: smallest, oldest or first letter first. `desc`: the reverse.
         * @enum {string}
         */
        SortOrder: "asc" | "desc";
        EntityData: {
            /** @description The entity. */
            data: components["schemas"]["Entity"];
        };
        /**
         * @example {
         *       "profile_id": "019a0000-0000-7000-8006-000000000001",
         *       "entity_type": "dog",
         *       "name": "Biscuit",
         *       "attributes": {
         *         "breed": "Beagle"
         *       }
         *     }
         */
        EntityCreate: {
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description What kind of entity it is, in the merchant's own words, at most 100 characters.
             * @example dog
             */
            entity_type: string;
            /**
             * @description What the entity is called, at most 255 characters.
             * @example Biscuit
             */
            name: string;
            /**
             * @description What else is known of it: a free-form object, at most 20,000 characters as JSON. Empty by default.
             * @example {
             *       "breed": "Beagle"
             *     }
             */
            attributes?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description An https address of a picture; null for none.
             * @example https://cdn.example.com/biscuit.jpg
             */
            image_url?: string;
            /** @description Whether the merchant still counts it: a mark for lists, which changes nothing else. True by default. */
            is_active?: boolean;
        };
        /**
         * @description Fields that are absent stay as they are.
         * @example {
         *       "name": "Biscuit II"
         *     }
         */
        EntityUpdate: {
            /**
             * @description What the entity is called, at most 255 characters.
             * @example Biscuit
             */
            name?: string;
            /**
             * @description What else is known of it: a free-form object, at most 20,000 characters as JSON, which replaces the whole one.
             * @example {
             *       "breed": "Beagle"
             *     }
             */
            attributes?: {
                [key: string]: unknown;
            };
            /**
             * Format: uri
             * @description An https address of a picture; null for none.
             * @example https://cdn.example.com/biscuit.jpg
             */
            image_url?: string | null;
            /** @description Whether the merchant still counts it: a mark for lists, which changes nothing else. */
            is_active?: boolean;
        };
        SubscriptionList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["SubscriptionListItem"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description A subscription as lists show it: without its lines, but with its latest order. */
        SubscriptionListItem: {
            /**
             * @description The subscription's number, which people use: counted from 1001 in each account.
             * @example 1001
             */
            number: string;
            /**
             * Format: uuid
             * @description The subscription's id.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            id: string;
            /** @description The subscription's state. */
            status: components["schemas"]["SubscriptionStatus"];
            /** @description Whether the status is ACTIVE. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The lines' totals before discounts, of the next order: major units of currency_code.
             * @example 39.95
             */
            subtotal: number;
            /**
             * @description What all discounts take off the next order: major units of currency_code.
             * @example 4
             */
            discount_amount: number;
            /**
             * @description What the next billing charges: subtotal less discount_amount, with shipping_amount and tax_amount, and never below 0. Major units of currency_code.
             * @example 40.9
             */
            total: number;
            /** @description The unit of the interval at which the customer is charged. */
            billing_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two charges.
             * @example 1
             */
            billing_interval_count: number;
            /** @description Whether the delivery slot is still offered and the next delivery is on its day. True where there is no slot. */
            delivery_slot_valid: boolean;
            /**
             * @description The number of the cycle that the next billing pays for, counted from 1 in each life of the subscription.
             * @example 4
             */
            current_billing_cycle: number;
            /** @description Whether the caller can cancel it now. A customer cannot before the plan's min_cycles. */
            can_cancel: boolean;
            /** @description Whether the caller can pause it now. */
            can_pause: boolean;
            /** @description Whether the caller can resume it now. */
            can_resume: boolean;
            /** @description Whether the caller can reactivate it now. */
            can_reactivate: boolean;
            /** @description Whether a payment is owed, or billing waits: retry-payment tries it at once. */
            can_retry_payment: boolean;
            /** @description Whether retries of a failed payment run. The status is ACTIVE all the while. */
            is_in_dunning: boolean;
            /**
             * @description How often it is billed, in English.
             * @example Every month
             */
            frequency_label: string;
            /** @description How far the reminder of the next billing is. */
            payment_reminder_status: components["schemas"]["PaymentReminderStatus"];
            /**
             * Format: int64
             * @description The number of its contract at the connected store; null until the store has made it, within seconds of the creation.
             * @example 1000001
             */
            store_contract_id: number | null;
            /**
             * @description Why the store does not agree with the subscription; null where it does.
             * @example null
             */
            store_sync_error: string | null;
            /**
             * @description Why billing stands still: the error code of the billing attempt under REVIEW, or of what the merchant or the store has to put right, after which it is tried again by itself. Null while nothing stands in the way.
             * @example null
             */
            billing_blocked_reason: string | null;
            /**
             * Format: date
             * @description The calendar date of the next charge by its schedule, in the account's time zone; null if none is planned. A paused subscription keeps it: what will really be charged is in its upcoming deliveries.
             * @example 2026-11-21
             */
            next_billing_date: string | null;
            /**
             * Format: date
             * @description The calendar date of the next delivery, in the account's time zone; null if none is planned.
             * @example 2026-11-24
             */
            next_delivery_date: string | null;
            /**
             * Format: date
             * @description The calendar date on which the next delivery is packed, in the account's time zone; null if not planned.
             * @example 2026-11-23
             */
            next_production_date: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled: UTC. Null unless it is CANCELLED.
             * @example null
             */
            cancelled_at: string | null;
            /**
             * Format: date-time
             * @description When it was paused: UTC. Null unless it is PAUSED.
             * @example null
             */
            paused_at: string | null;
            /**
             * Format: date
             * @description The calendar date on which a pause ends by itself, in the account's time zone; nothing is charged before the day after it. Null for a pause that lasts until it is resumed, and unless it is PAUSED.
             * @example null
             */
            pause_until: string | null;
            /**
             * @description Why it was cancelled: the caller's words, or else the label of the reason. Null if nobody said, or unless it is CANCELLED.
             * @example null
             */
            cancellation_reason: string | null;
            /**
             * Format: uuid
             * @description The id of the cancellation reason that was given; null for none.
             * @example null
             */
            cancellation_reason_id: string | null;
            /**
             * @description Why it was paused: the caller's words, or else the label of the reason. Null if nobody said, or unless it is PAUSED.
             * @example null
             */
            pause_reason: string | null;
            /**
             * Format: uuid
             * @description The id of the pause reason that was given; null for none.
             * @example null
             */
            pause_reason_id: string | null;
            /**
             * @description The brand of the card that is charged; null if not known.
             * @example visa
             */
            payment_method_brand: string | null;
            /**
             * @description The last four digits of the card that is charged; null if not known.
             * @example 4242
             */
            payment_method_last4: string | null;
            /**
             * Format: uuid
             * @description The id of the delivery slot; null where deliveries have no slot.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id: string | null;
            /**
             * @description What the courier is told, at most 10,000 characters; null for nothing.
             * @example Ring twice
             */
            delivery_instructions: string | null;
            /** @description Where it delivers; null if the customer has given no whole address. */
            delivery_address: components["schemas"]["SubscriptionAddress"] | null;
            /**
             * @description The plain id of the store's order by which the customer subscribed at the store's checkout; null for others.
             * @example null
             */
            store_origin_order_id: string | null;
            /**
             * @description What the subscription was called in the system that it comes from, at most 255 characters; null for none.
             * @example legacy-4711
             */
            migration_source_ref: string | null;
            /**
             * @description A note of the merchant's, at most 10,000 characters; null for none.
             * @example null
             */
            note: string | null;
            /**
             * @description An object of the caller's own, stored as it is; null for none.
             * @example {
             *       "source": "quiz"
             *     }
             */
            custom_attributes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The day of the week of next_billing_date: 1 is Monday, 7 is Sunday (ISO 8601). Null where that is null.
             * @example 6
             */
            payment_day_of_week: number | null;
            /**
             * Format: date-time
             * @description When the last reminder was accepted: UTC. Null if never, or while the one that is shown is DUE.
             * @example null
             */
            last_payment_reminder_sent_at: string | null;
            /**
             * Format: date
             * @description The calendar date of the billing that the last reminder is about; null if there was none.
             * @example null
             */
            last_payment_reminder_billing_date: string | null;
            /** @description Every discount that was given to it, in the order in which they were applied. */
            discounts: components["schemas"]["SubscriptionDiscount"][];
            /**
             * @description The entity's name when the subscription was made; null for none.
             * @example Biscuit
             */
            entity_label: string | null;
            /**
             * Format: uuid
             * @description The id of the open dunning episode; null while no payment is owed.
             * @example null
             */
            current_dunning_episode: string | null;
            /** @description The customer. */
            profile: components["schemas"]["Profile"];
            /** @description The day of the delivery slot; null where deliveries have no slot. */
            delivery_day: components["schemas"]["DeliveryDay"] | null;
            /** @description The slot in which it delivers; null where deliveries have no slot. */
            delivery_slot: components["schemas"]["DeliverySlot"] | null;
            /** @description The entity that it is for, as a list of one; empty for none. */
            entities: components["schemas"]["Entity"][];
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
            /** @description Its latest order; null before the first. */
            last_order: components["schemas"]["PlainOrder"] | null;
            /** @description The entity that it is for; absent for none. */
            entity?: components["schemas"]["Entity"];
        };
        /** @description An order by itself, without the records that belong to it. */
        PlainOrder: {
            /**
             * Format: uuid
             * @description The order's id.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /** @description Whether the order is paid. */
            status: components["schemas"]["OrderStatus"];
            /** @description Whether the order was sent. */
            fulfillment_status: components["schemas"]["FulfillmentStatus"];
            /** @description What the order came from. */
            order_type: components["schemas"]["OrderType"];
            /** @description Whether a customer made the order at the store's checkout. */
            is_checkout_order: boolean;
            /**
             * @description The order's plain id at the connected store. While the store does not show the order of a charge, the charge's id stands in its place.
             * @example store-order-1
             */
            store_order_id: string;
            /**
             * @description The number that the store shows for the order; null if it has none.
             * @example D10001
             */
            store_order_number: string | null;
            /**
             * @description The order's id in another system, such as an ERP; null if it is in none.
             * @example null
             */
            external_order_id: string | null;
            /**
             * @description The order's number in that system; null if it has none.
             * @example ERP-2
             */
            external_order_number: string | null;
            /**
             * @description The name of that system; null if there is none.
             * @example erp
             */
            external_source: string | null;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The goods before discounts, in major units of currency_code.
             * @example 39.95
             */
            subtotal: number;
            /**
             * @description What all discounts take off, in major units of currency_code.
             * @example 4
             */
            discount_amount: number;
            /**
             * @description What the order costs, with shipping and tax: major units of currency_code. 0 for a delivery that was paid for before. Refunds do not change it.
             * @example 35.95
             */
            total: number;
            /**
             * Format: uuid
             * @description The id of the profile: the customer. Null if not known.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * Format: date
             * @description The calendar date on which the order is packed, in the account's time zone; null if not planned.
             * @example 2026-11-23
             */
            production_date: string | null;
            /**
             * Format: date
             * @description The calendar date for which the order was billed, in the account's time zone; null if it was not billed here.
             * @example 2026-11-21
             */
            billing_date: string | null;
            /**
             * Format: date
             * @description The calendar date of delivery, in the account's time zone; null if not planned.
             * @example 2026-11-24
             */
            delivery_date: string | null;
            /**
             * Format: date-time
             * @description When the order was placed: UTC. Null if not known.
             * @example 2026-11-21T12:00:00.000Z
             */
            order_created_at: string | null;
            /**
             * @description The parcel's tracking number; null until it is sent.
             * @example 1Z10000001
             */
            tracking_number: string | null;
            /**
             * @description The courier; null until the parcel is sent.
             * @example UPS
             */
            tracking_company: string | null;
            /**
             * @description Where the parcel can be followed; null until it is sent.
             * @example https://tracking.example.com/1Z10000001
             */
            tracking_url: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        SubscriptionsCreated: {
            /**
             * @description The ids of the new subscriptions; empty for a dry run.
             * @example [
             *       "019a0000-0000-7000-800b-000000000001"
             *     ]
             */
            ids: string[];
            /** @description For a dry run: the subscriptions as they would be. Absent otherwise. */
            data?: components["schemas"]["Subscription"][];
        };
        /**
         * @example {
         *       "profile_id": "019a0000-0000-7000-8006-000000000001",
         *       "store_payment_method_id": "pm_success",
         *       "next_delivery_date": "2030-01-15",
         *       "lines": [
         *         {
         *           "store_product_id": "product-1",
         *           "store_variant_id": "variant-1",
         *           "product_title": "Beef and carrot, 1.5 kg",
         *           "selling_plan_id": "plan-monthly",
         *           "price": 39.95,
         *           "quantity": 1
         *         }
         *       ]
         *     }
         */
        SubscriptionCreate: {
            /**
             * Format: uuid
             * @description The id of the profile: the customer.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description The id of the customer's payment method at the connected store, plain, such as 4a7b, or as gid://shopify/CustomerPaymentMethod/4a7b. The sandbox store takes any; `pm_success` is charged at once, others answer as test cards do.
             * @example pm_success
             */
            store_payment_method_id: string;
            /**
             * @description The date of the first delivery: today or later, on the slot's day if there is a slot. A calendar date, or a date-time, whose date in the account's time zone counts.
             * @example 2030-01-15
             */
            next_delivery_date: string | unknown | unknown;
            /** @description What is delivered: 1 to 250 lines. Those for different entities or intervals become several subscriptions. */
            lines: components["schemas"]["SubscriptionLineCreate"][];
            /**
             * Format: uuid
             * @description The id of an active delivery slot. Null or absent: deliveries have no slot, and are billed on their date.
             * @example null
             */
            delivery_slot_id?: string | null;
            /**
             * Format: uuid
             * @description The id of a saved delivery address of the profile. Null or absent: the profile's own address.
             * @example null
             */
            delivery_address_id?: string | null;
            /**
             * @description A note of the merchant's, at most 10,000 characters. Null or absent: none.
             * @example null
             */
            note?: string | null;
            /**
             * @description What the subscription was called in the system that it comes from, at most 255 characters. While a subscription with it is ACTIVE, PAUSED or PAYMENT_FAILED, a second creation is refused (INVALID_STATE, with the id of that one). Null, absent or empty: nothing.
             * @example legacy-4711
             */
            migration_source_ref?: string | null;
            /**
             * @description An object of the caller's own, stored as it is: at most 20,000 characters as JSON. Null or absent: none.
             * @example {
             *       "source": "quiz"
             *     }
             */
            custom_attributes?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A product to deliver.
         * @example {
         *       "store_product_id": "product-1",
         *       "store_variant_id": "variant-1",
         *       "product_title": "Beef and carrot, 1.5 kg",
         *       "selling_plan_id": "plan-monthly",
         *       "price": 39.95,
         *       "quantity": 1
         *     }
         */
        SubscriptionLineCreate: {
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-large
             */
            store_variant_id: string;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot, 1.5 kg
             */
            product_title: string;
            /**
             * @description The id of an active selling plan of the account.
             * @example plan-monthly
             */
            selling_plan_id: string;
            /**
             * @description The price of one before discounts: major units of the currency, 0 or more.
             * @example 39.95
             */
            price: number;
            /**
             * @description How many are in each delivery, 1 to 1,000,000.
             * @example 1
             */
            quantity: number;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Large
             */
            variant_title?: string | null;
            /**
             * @description The merchant's stock-keeping unit, at most 10,000 characters; null for none.
             * @example FOOD-1-L
             */
            sku?: string | null;
            /**
             * @description The id of a variant that is sold on subscription only, at most 255 characters; null for none.
             * @example null
             */
            subscription_variant_id?: string | null;
            /** @description What a customer has put into a box, at most 100 items; null for a plain product. */
            selection_items?: components["schemas"]["SelectionItem"][] | null;
            /**
             * Format: uuid
             * @description The id of an entity of the profile that the line is for. Null or absent: none.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            entity_id?: string | null;
        };
        /** @description An item of a box that is sold as one line. */
        SelectionItem: {
            /**
             * @description Which place of the box the item fills, in the merchant's own terms, 1 to 255 characters.
             * @example slot-1
             */
            slot_id: string;
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-small
             */
            store_variant_id: string;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot
             */
            product_title: string;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Small
             */
            variant_title?: string | null;
            /**
             * @description How many of it are in each box, 1 to 1,000,000.
             * @example 2
             */
            quantity: number;
            /**
             * @description The price of one, for information: major units of the currency. The line's price is charged.
             * @example 6.65
             */
            price: number;
        };
        SubscriptionData: {
            /** @description The subscription. */
            data: components["schemas"]["Subscription"];
        };
        SubscriptionPaymentMethods: {
            /** @description The payment method in use, and those that it could be switched to. */
            data: components["schemas"]["PaymentMethodChoice"];
        };
        PaymentMethodChoice: {
            /** @description The payment method that is charged; null if the store has named none. */
            current: components["schemas"]["PaymentMethod"] | null;
            /** @description The customer's other payment methods, without those that are REVOKED. */
            alternatives: components["schemas"]["PaymentMethod"][];
        };
        /** @description A way to pay that a customer has given to the store. Card numbers are never stored. */
        PaymentMethod: {
            /**
             * Format: uuid
             * @description The payment method's id.
             * @example 019a0000-0000-7000-800e-000000000001
             */
            id: string;
            /**
             * @description The payment method's plain id at the connected store.
             * @example pm_success
             */
            store_payment_method_id: string;
            /**
             * @description The card's brand; null if not known, or no card.
             * @example visa
             */
            brand: string | null;
            /**
             * @description The last four digits; null if not known, or no card.
             * @example 4242
             */
            last4: string | null;
            /**
             * @description The month in which the card expires, 1 to 12; null if not known, or no card.
             * @example 12
             */
            exp_month: number | null;
            /**
             * @description The year in which the card expires; null if not known, or no card.
             * @example 2030
             */
            exp_year: number | null;
            /** @description Whether the store prefers it for the customer. */
            is_default: boolean;
            /**
             * @description VALID: it can be charged. EXPIRED: the card is past its date. REVOKED: the customer or the store has taken it away.
             * @enum {string}
             */
            status: "VALID" | "EXPIRED" | "REVOKED";
        };
        SkipList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["Skip"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description A cycle that was put off by some weeks. */
        Skip: {
            /**
             * Format: uuid
             * @description The skip's id.
             * @example 019a0000-0000-7000-8011-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the subscription.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string;
            /**
             * @description The number of the cycle that was put off.
             * @example 4
             */
            cycle: number;
            /**
             * @description By how many weeks the dates were moved, 1 to 52.
             * @example 1
             */
            skip_weeks: number;
            /**
             * @description Why, in the caller's words; null if nothing was said.
             * @example null
             */
            reason: string | null;
            /**
             * Format: uuid
             * @description The id of the skip reason that was chosen; null for none.
             * @example 019a0000-0000-7000-8003-000000000001
             */
            skip_reason_id: string | null;
            /**
             * @description The reason's label at that time; null for none.
             * @example Going on holiday
             */
            skip_reason_label: string | null;
            /**
             * Format: date
             * @description The date of the charge before the skip; null if there was none.
             * @example 2026-11-21
             */
            previous_billing_date: string | null;
            /**
             * Format: date
             * @description The date of the delivery before the skip; null if there was none.
             * @example 2026-11-24
             */
            previous_delivery_date: string | null;
            /**
             * Format: date
             * @description The date of packing before the skip; null if there was none.
             * @example 2026-11-23
             */
            previous_production_date: string | null;
            /**
             * Format: date-time
             * @description When the skip was undone: UTC. Null if it stands.
             * @example null
             */
            undone_at: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
        };
        Upcoming: {
            /** @description The next deliveries in order; empty where none is planned. */
            data: components["schemas"]["UpcomingDelivery"][];
        };
        /** @description A delivery that will be made if nothing else happens. */
        UpcomingDelivery: {
            /**
             * @description The billing cycle of the subscription's current life, counted from 1.
             * @example 3
             */
            cycle: number;
            /**
             * Format: date
             * @description The calendar date on which the delivery is ordered, in the account's time zone: when it is charged, or tried next where a payment is owed; for one that is paid for, when it is packed, or delivered.
             * @example 2026-11-21
             */
            billing_date: string;
            /**
             * Format: date
             * @description The calendar date of the delivery, in the account's time zone.
             * @example 2026-11-24
             */
            delivery_date: string;
            /**
             * Format: date
             * @description The calendar date on which the delivery is packed, in the account's time zone; null where the slot's day has no packing day, or there is no slot.
             * @example 2026-11-23
             */
            production_date: string | null;
            /**
             * Format: uuid
             * @description The id of the delivery slot; null where deliveries have no slot.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id: string | null;
            /** @description Whether this delivery is charged; false for one that an earlier billing has paid for. */
            is_billed: boolean;
            /** @description Whether the delivery may not come, as it depends on a payment in doubt: that of the cycle that is owed, or any while billing stands still (billing_blocked_reason). False for a delivery that is paid for. */
            is_at_risk: boolean;
            /** @description What is delivered. */
            lines: components["schemas"]["SubscriptionLine"][];
            /**
             * @description The lines' totals before discounts: major units of currency_code.
             * @example 39.95
             */
            subtotal: number;
            /**
             * @description What all discounts take off: major units of currency_code.
             * @example 4
             */
            discount_amount: number;
            /**
             * @description What shipping costs before discounts: major units of currency_code.
             * @example 4.95
             */
            shipping_amount: number;
            /**
             * @description Tax in the total: 0, because the store adds tax itself when it charges.
             * @example 0
             */
            tax_amount: number;
            /**
             * @description What will be charged: major units of currency_code.
             * @example 40.9
             */
            total: number;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
        };
        /**
         * @example {
         *       "pause_reason_id": "019a0000-0000-7000-8004-000000000001"
         *     }
         */
        PauseRequest: {
            /**
             * @description The date on which it resumes by itself, tomorrow or later: a calendar date, or a date-time, whose date in the account's time zone counts. Null or absent: it stays paused until it is resumed.
             * @example 2030-01-15
             */
            pause_until?: ((string | unknown | unknown) | null) | unknown | unknown;
            /**
             * @description Why, in the caller's words, at most 10,000 characters. Null or absent: nothing is said.
             * @example null
             */
            reason?: string | null;
            /**
             * Format: uuid
             * @description The id of an active pause reason. Null or absent: none.
             * @example 019a0000-0000-7000-8004-000000000001
             */
            pause_reason_id?: string | null;
        };
        /** @example {} */
        RestartRequest: {
            /**
             * @description The date of the next delivery, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Tomorrow or later to resume, today or later to reactivate. Absent: the first date of its schedule from tomorrow on.
             * @example 2030-01-15
             */
            next_delivery_date?: string | unknown | unknown;
        };
        /**
         * @example {
         *       "cancellation_reason_id": "019a0000-0000-7000-8005-000000000001"
         *     }
         */
        CancelRequest: {
            /**
             * @description Why, in the caller's words, at most 10,000 characters. Null or absent: nothing is said.
             * @example null
             */
            reason?: string | null;
            /**
             * Format: uuid
             * @description The id of an active cancellation reason. Null or absent: none.
             * @example 019a0000-0000-7000-8005-000000000001
             */
            cancellation_reason_id?: string | null;
        };
        /**
         * @example {
         *       "skip_weeks": 1,
         *       "skip_reason_id": "019a0000-0000-7000-8003-000000000001"
         *     }
         */
        SkipRequest: {
            /**
             * @description By how many weeks the next dates are moved, 1 to 52.
             * @example 1
             */
            skip_weeks: number;
            /**
             * @description Why, in the caller's words, at most 10,000 characters. Null or absent: nothing is said.
             * @example null
             */
            reason?: string | null;
            /**
             * Format: uuid
             * @description The id of an active skip reason. Staff may leave it out; others must choose one while the account has any.
             * @example 019a0000-0000-7000-8003-000000000001
             */
            skip_reason_id?: string | null;
        };
        /**
         * @description An object without fields. The body may be left out.
         * @example {}
         */
        NoFields: Record<string, never>;
        /**
         * @example {
         *       "interval": "WEEK",
         *       "interval_count": 2
         *     }
         */
        FrequencyChange: {
            /** @description The unit of the new interval between two charges. */
            interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units: at most 365 days, 52 weeks, 24 months or 3 years.
             * @example 2
             */
            interval_count: number;
        };
        DeliveryInstructionsChanged: {
            /** @description The subscription; with update_all_active the ids of those that were changed. */
            data: components["schemas"]["Subscription"] | components["schemas"]["DeliveryInstructionsOfAll"];
        };
        /** @description The subscriptions of a customer that were changed together. */
        DeliveryInstructionsOfAll: {
            /**
             * @description How many subscriptions were changed.
             * @example 1
             */
            updated: number;
            /**
             * @description The ids of those that were changed.
             * @example [
             *       "019a0000-0000-7000-800b-000000000001"
             *     ]
             */
            subscription_ids: string[];
        };
        /**
         * @example {
         *       "delivery_instructions": "Leave it with the neighbour"
         *     }
         */
        DeliveryInstructionsChange: {
            /**
             * @description What the courier is told, at most 10,000 characters; an empty text for nothing.
             * @example Leave it with the neighbour
             */
            delivery_instructions: string;
            /** @description Whether to change every active subscription of the customer. False by default. */
            update_all_active?: boolean;
        };
        /**
         * @example {
         *       "next_delivery_date": "2030-01-15",
         *       "delivery_slot_id": null
         *     }
         */
        ScheduleChange: {
            /**
             * @description The new date of the next delivery, today or later, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: it stays.
             * @example 2030-01-15
             */
            next_delivery_date?: string | unknown | unknown;
            /**
             * Format: uuid
             * @description The id of an active delivery slot. Null: no slot. Absent: it stays.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id?: string | null;
        };
        /**
         * @example {
         *       "delivery_address_id": "019a0000-0000-7000-8007-000000000001"
         *     }
         */
        AddressChange: components["schemas"]["SavedAddressReference"] | components["schemas"]["SubscriptionAddressInput"];
        /** @description An address that the customer has saved. */
        SavedAddressReference: {
            /**
             * Format: uuid
             * @description The id of a saved delivery address of the customer.
             * @example 019a0000-0000-7000-8007-000000000001
             */
            delivery_address_id: string;
        };
        /** @description An address as it is written, for this subscription alone. */
        SubscriptionAddressInput: {
            /**
             * @description The street and house number.
             * @example 12 Elm Street
             */
            address1: string;
            /**
             * @description The city.
             * @example Brooklyn
             */
            city: string;
            /**
             * @description The postal code.
             * @example 11201
             */
            zip: string;
            /**
             * @description The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.
             * @example United States
             */
            country?: string;
            /**
             * @description The country's ISO 3166-1 alpha-2 code. It decides where it is sent; a store's own addresses are taken as they are.
             * @example US
             */
            country_code: components["schemas"]["CountryCode"];
            /**
             * @description A second line, such as the apartment; null or absent for none.
             * @example Apartment 4
             */
            address2?: string | null;
            /**
             * @description A phone number for the courier; null or absent for none.
             * @example +1 555 0000001
             */
            phone?: string | null;
            /**
             * @description The recipient's first name; null or absent if not known.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The recipient's last name; null or absent if not known.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description The recipient's company; null or absent for none.
             * @example Analytical Engines
             */
            company?: string | null;
            /**
             * @description The state, province or region; null or absent where there is none.
             * @example New York
             */
            province?: string | null;
            /**
             * @description The code of the province, such as NY; null or absent where there is none.
             * @example NY
             */
            province_code?: string | null;
        };
        /**
         * @description A product to add.
         * @example {
         *       "store_product_id": "product-1",
         *       "store_variant_id": "variant-1",
         *       "product_title": "Beef and carrot, 1.5 kg",
         *       "selling_plan_id": "plan-monthly",
         *       "price": 39.95,
         *       "quantity": 1,
         *       "is_one_time": true
         *     }
         */
        SubscriptionLineAdd: {
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-large
             */
            store_variant_id: string;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot, 1.5 kg
             */
            product_title: string;
            /**
             * @description The id of an active selling plan of the account.
             * @example plan-monthly
             */
            selling_plan_id: string;
            /**
             * @description The price of one before discounts: major units of the currency, 0 or more.
             * @example 39.95
             */
            price: number;
            /**
             * @description How many are in each delivery, 1 to 1,000,000.
             * @example 1
             */
            quantity: number;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Large
             */
            variant_title?: string | null;
            /**
             * @description The merchant's stock-keeping unit, at most 10,000 characters; null for none.
             * @example FOOD-1-L
             */
            sku?: string | null;
            /**
             * @description The id of a variant that is sold on subscription only, at most 255 characters; null for none.
             * @example null
             */
            subscription_variant_id?: string | null;
            /** @description What a customer has put into a box, at most 100 items; null for a plain product. */
            selection_items?: components["schemas"]["SelectionItem"][] | null;
            /**
             * Format: uuid
             * @description The subscription's own entity, or absent: all lines of a subscription are for one. Null where it has none.
             * @example 019a0000-0000-7000-8008-000000000001
             */
            entity_id?: string | null;
            /** @description Whether the line is in the next order only. False by default. */
            is_one_time?: boolean;
        };
        /**
         * @description Fields that are absent stay as they are; null clears one.
         * @example {
         *       "quantity": 2
         *     }
         */
        SubscriptionLineUpdate: {
            /**
             * @description The product's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Product/123 too.
             * @example product-1
             */
            store_product_id?: string;
            /**
             * @description The variant's id at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/ProductVariant/123 too.
             * @example variant-1-large
             */
            store_variant_id?: string;
            /**
             * @description The product's name, 1 to 10,000 characters.
             * @example Beef and carrot, 1.5 kg
             */
            product_title?: string;
            /**
             * @description The id of an active selling plan, whose discount and shipping the line takes. The subscription's intervals stay.
             * @example plan-monthly
             */
            selling_plan_id?: string;
            /**
             * @description The price of one before discounts: major units of the currency, 0 or more.
             * @example 39.95
             */
            price?: number;
            /**
             * @description How many are in each delivery, 1 to 1,000,000.
             * @example 1
             */
            quantity?: number;
            /**
             * @description The variant's name, at most 10,000 characters; null for none.
             * @example Large
             */
            variant_title?: string | null;
            /**
             * @description The merchant's stock-keeping unit, at most 10,000 characters; null for none.
             * @example FOOD-1-L
             */
            sku?: string | null;
            /**
             * @description The id of a variant that is sold on subscription only, at most 255 characters; null for none.
             * @example null
             */
            subscription_variant_id?: string | null;
            /** @description What a customer has put into a box, at most 100 items; null for a plain product. */
            selection_items?: components["schemas"]["SelectionItem"][] | null;
        };
        /**
         * @example {
         *       "title": "Thank you",
         *       "value": 10,
         *       "value_type": "PERCENTAGE",
         *       "target_type": "ORDER",
         *       "recurring_cycle_limit": 3
         *     }
         */
        SubscriptionDiscountCreate: {
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Welcome
             */
            title: string;
            /**
             * @description How much it takes off: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the currency for FIXED_AMOUNT.
             * @example 10
             */
            value: number;
            /** @description Whether value is a percentage or an amount. */
            value_type: components["schemas"]["DiscountType"];
            /** @description What the discount reduces. */
            target_type: components["schemas"]["DiscountTarget"];
            /**
             * @description For how many billed cycles it counts, 1 to 10,000; null: for as long as the subscription lasts.
             * @example 6
             */
            recurring_cycle_limit?: number | null;
            /**
             * @description The code that the customer entered, at most 255 characters; null for none.
             * @example WELCOME10
             */
            discount_code?: string | null;
        };
        BillingStarted: {
            /**
             * @description Always true: a request that cannot be billed is an error.
             * @enum {boolean}
             */
            success: true;
            /**
             * @description The state of the billing attempt, in a sentence for people.
             * @example The billing attempt has started
             */
            message: string;
            /**
             * Format: uuid
             * @description The id of the attempt that was started, or that answers the request; absent for a dry run.
             * @example 019a0000-0000-7000-8012-000000000001
             */
            billing_attempt_id?: string;
            /** @description The state of the attempt that was started before, and answers the request; absent where a new one is started. */
            status?: components["schemas"]["BillingAttemptStatus"];
            /** @description For a dry run: what would be billed and delivered, and when; null where no attempt would be started, as the one of `status` answers. Absent otherwise. */
            dry_run?: components["schemas"]["BillingPreview"] | null;
        };
        /**
         * @description The state of a billing attempt. QUEUED: not sent to the store yet. PROCESSING: sent, the outcome is open. ACTION_REQUIRED: the customer has to confirm the payment. REVIEW: the outcome has been open for too long, people have to look. SUCCEEDED, FAILED and CANCELLED (nothing was charged) are final.
         * @enum {string}
         */
        BillingAttemptStatus: "QUEUED" | "PROCESSING" | "ACTION_REQUIRED" | "REVIEW" | "SUCCEEDED" | "FAILED" | "CANCELLED";
        /** @description What a billing attempt would charge and deliver, and when. */
        BillingPreview: {
            /**
             * @description The number of the cycle that is paid for, counted from 1 in each life of the subscription.
             * @example 4
             */
            cycle: number;
            /**
             * @description What would be charged: major units of currency_code.
             * @example 40.9
             */
            amount: number;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * Format: date
             * @description The calendar date for which the cycle is billed, in the account's time zone.
             * @example 2026-11-21
             */
            billing_date: string;
            /**
             * Format: date
             * @description The calendar date of the delivery that is billed, in the account's time zone.
             * @example 2026-11-24
             */
            delivery_date: string;
            /**
             * Format: date
             * @description The calendar date on which the delivery is packed, in the account's time zone; null where the slot's day has no packing day, or there is no slot.
             * @example 2026-11-23
             */
            production_date: string | null;
            /**
             * Format: uuid
             * @description The id of the delivery slot; null where deliveries have no slot.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id: string | null;
        };
        /** @example {} */
        ShipNowRequest: {
            /**
             * @description The date of the delivery, today or later, on the slot's day if there is a slot: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: the earliest that is possible.
             * @example 2030-01-15
             */
            delivery_date?: string | unknown | unknown;
            /**
             * Format: uuid
             * @description The id of an active delivery slot for this delivery. Absent: the subscription's own.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            slot_id?: string;
            /**
             * @description The date of packing, from today to the delivery: a calendar date, or a date-time, whose date in the account's time zone counts. Absent: what follows from the slot's day.
             * @example 2030-01-14
             */
            production_date?: string | unknown | unknown;
            /** @description Whether to bill the next cycle even if an attempt was started less than ten minutes ago. False by default: such a request answers that attempt, so that a double click never charges twice. */
            allow_repeat?: boolean;
        };
        PaymentMethodChanged: {
            /** @description The subscription, with its new payment method. */
            data: components["schemas"]["Subscription"];
            /**
             * Format: uuid
             * @description The id of the billing attempt that this has started; null where it has started none. Absent for a dry run.
             * @example 019a0000-0000-7000-8012-000000000001
             */
            billing_attempt_id?: string | null;
            /** @description For a dry run: what would be charged at once; null where nothing would be. Absent otherwise. */
            dry_run?: components["schemas"]["ChargePreview"] | null;
        };
        /** @description What an operation would charge at once. */
        ChargePreview: {
            /**
             * @description The number of the cycle that is paid for, counted from 1 in each life of the subscription.
             * @example 4
             */
            cycle: number;
            /**
             * @description What would be charged: major units of currency_code.
             * @example 40.9
             */
            amount: number;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * Format: date
             * @description The calendar date for which the cycle is billed, in the account's time zone.
             * @example 2026-11-21
             */
            billing_date: string;
        };
        /**
         * @example {
         *       "store_payment_method_id": "pm_success"
         *     }
         */
        PaymentMethodChange: components["schemas"]["PaymentMethodReference"] | components["schemas"]["StorePaymentMethodReference"];
        /** @description A payment method that is known here. */
        PaymentMethodReference: {
            /**
             * Format: uuid
             * @description The id of a payment method of the customer.
             * @example 019a0000-0000-7000-800e-000000000001
             */
            payment_method_id: string;
        };
        /** @description A payment method of the store's, which is looked up there. */
        StorePaymentMethodReference: {
            /**
             * @description The id of the customer's payment method at the connected store, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/CustomerPaymentMethod/123 too.
             * @example pm_success
             */
            store_payment_method_id: string;
        };
        BillingAttemptList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["BillingAttempt"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description An attempt to charge the customer for one cycle. What it charges is frozen when it starts. */
        BillingAttempt: {
            /**
             * Format: uuid
             * @description The billing attempt's id.
             * @example 019a0000-0000-7000-8012-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the subscription.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string;
            /**
             * @description The number of the cycle that is paid for, counted from 1 in each life of the subscription.
             * @example 4
             */
            cycle: number;
            /**
             * @description The number of the attempt among those of its cycle, counted from 1.
             * @example 1
             */
            attempt_number: number;
            /** @description What started the attempt. */
            trigger: components["schemas"]["BillingAttemptTrigger"];
            /** @description The state of the attempt. */
            status: components["schemas"]["BillingAttemptStatus"];
            /**
             * @description What is charged, without tax that the store adds; after a settled review, what was charged. Major units of currency_code.
             * @example 40.9
             */
            amount: number;
            /**
             * @description The ISO 4217 code of the currency of every amount here.
             * @example USD
             */
            currency_code: string;
            /**
             * Format: date
             * @description The calendar date for which the cycle is billed, in the account's time zone.
             * @example 2026-11-21
             */
            billing_date: string;
            /**
             * Format: date
             * @description The calendar date of the delivery that is billed, in the account's time zone.
             * @example 2026-11-24
             */
            delivery_date: string;
            /**
             * Format: date
             * @description The calendar date on which the delivery is packed, in the account's time zone; null where the slot's day has no packing day, or there is no slot.
             * @example 2026-11-23
             */
            production_date: string | null;
            /**
             * Format: uuid
             * @description The id of the delivery slot; null where deliveries have no slot.
             * @example 019a0000-0000-7000-800a-000000000001
             */
            delivery_slot_id: string | null;
            /**
             * @description Why it failed, or why it is under review, as the store's or the service's code; null while nothing is wrong.
             * @example null
             */
            error_code: string | null;
            /**
             * @description The same as a sentence; null while nothing is wrong.
             * @example null
             */
            error_message: string | null;
            /**
             * @description Where the customer has to confirm the payment; null unless that is asked of them.
             * @example null
             */
            next_action_url: string | null;
            /**
             * Format: date-time
             * @description Until when the customer can confirm the payment: UTC, 72 hours after that was first asked of them. Then the attempt has FAILED. Null unless it is ACTION_REQUIRED.
             * @example null
             */
            next_action_expires_at: string | null;
            /**
             * Format: uuid
             * @description The id of the order that was paid for; null before it SUCCEEDED.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            order_id: string | null;
            /**
             * Format: date-time
             * @description When its outcome was known: UTC. Null while it is open.
             * @example 2026-11-21T12:00:03.000Z
             */
            settled_at: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What started a billing attempt. SHIP_NOW: a request to ship now. RECURRING: the schedule, or the end of a wait. DUNNING: a retry of a failed payment, or a new payment method. RETRY: a request to try the payment again.
         * @enum {string}
         */
        BillingAttemptTrigger: "SHIP_NOW" | "RECURRING" | "DUNNING" | "RETRY";
        BillingAttemptData: {
            /** @description The billing attempt. */
            data: components["schemas"]["BillingAttempt"];
        };
        DunningEpisodeList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["DunningEpisode"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description What followed a failed payment: retries, or a wait for the customer. */
        DunningEpisode: {
            /**
             * Format: uuid
             * @description The episode's id.
             * @example 019a0000-0000-7000-8013-000000000007
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the subscription.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string;
            /**
             * @description The number of the cycle whose payment failed.
             * @example 4
             */
            cycle: number;
            /**
             * @description OPEN: the payment is tried again on set days. AWAITING_CUSTOMER: it was declined for good, and waits for another payment method. RECOVERED: it was paid. EXHAUSTED: nothing helped. CLOSED: it ended with a pause, a cancellation or the like.
             * @enum {string}
             */
            status: "OPEN" | "AWAITING_CUSTOMER" | "RECOVERED" | "EXHAUSTED" | "CLOSED";
            /**
             * @description How many payments have failed, the first included.
             * @example 2
             */
            attempt_count: number;
            /**
             * @description How many payments are tried at most, the first included.
             * @example 4
             */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the payment is tried again: UTC. Null unless the episode is OPEN.
             * @example 2026-11-24T12:00:00.000Z
             */
            next_retry_at: string | null;
            /**
             * @description Why the latest payment failed, as a code; null if not known.
             * @example insufficient_funds
             */
            last_error_code: string | null;
            /**
             * @description The same as a sentence; null if not known.
             * @example The card has insufficient funds
             */
            last_error_message: string | null;
            /**
             * Format: date-time
             * @description When the first payment failed: UTC, in the account's own time.
             * @example 2026-11-21T12:00:00.000Z
             */
            opened_at: string;
            /**
             * Format: date-time
             * @description When the episode ended: UTC, in the account's own time. Null while it has not.
             * @example null
             */
            closed_at: string | null;
        };
        BillingAttemptSettled: {
            /** @description The settled attempt. */
            data: components["schemas"]["BillingAttempt"];
            /**
             * Format: uuid
             * @description The id of the billing attempt that this has started; null where it has started none. Absent for a dry run.
             * @example 019a0000-0000-7000-8012-000000000001
             */
            billing_attempt_id?: string | null;
            /** @description For a dry run: what would be charged at once; null where nothing would be. Absent otherwise. */
            dry_run?: components["schemas"]["ChargePreview"] | null;
        };
        /**
         * @example {
         *       "charged": false
         *     }
         */
        BillingAttemptSettle: components["schemas"]["BillingAttemptWasCharged"] | components["schemas"]["BillingAttemptWasNotCharged"];
        /** @description What a person found at the store: a charge. */
        BillingAttemptWasCharged: {
            /**
             * @description true: the store has charged the customer.
             * @enum {boolean}
             */
            charged: true;
            /**
             * @description The store's id of the order that it made for the charge, 1 to 255 characters. Responses have the plain id, such as 123; requests may have it as gid://shopify/Order/123 too.
             * @example 5001
             */
            store_order_id: string;
            /**
             * @description The amount that was charged, in major units of the attempt's currency. By default what the store says; if it cannot say, the amount of the attempt.
             * @example 25
             */
            amount?: number;
        };
        /** @description What a person found at the store: no charge. */
        BillingAttemptWasNotCharged: {
            /**
             * @description false: the store has not charged the customer.
             * @enum {boolean}
             */
            charged: false;
        };
        SellingPlanList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["SellingPlan"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description How a product is sold on subscription: how often, at what discount, for how long. */
        SellingPlan: {
            /**
             * @description The plan's id, 1 to 255 characters, unique in the account: one of yours, or the store's own id of a plan that the store has. Responses have the plain id, such as 123; requests may have it as gid://shopify/SellingPlan/123 too.
             * @example plan-monthly
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Every month
             */
            name: string;
            /** @description The unit of the interval at which customers are charged. */
            billing_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two charges: at most 365 days, 52 weeks, 24 months or 3 years.
             * @example 1
             */
            billing_interval_count: number;
            /** @description The unit of the interval at which deliveries are made. By default that of the billing. */
            delivery_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two deliveries. By default that of the billing. The billing interval has to be a whole multiple of the delivery interval; a larger one is a prepaid plan.
             * @example 1
             */
            delivery_interval_count: number;
            /** @description What discount_value is; null together with it: the plan gives no discount. */
            discount_type: components["schemas"]["DiscountType"] | null;
            /**
             * @description What the plan takes off each unit: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the account's currency for FIXED_AMOUNT. Null, with discount_type, for no discount.
             * @example 10
             */
            discount_value: number | null;
            /**
             * @description What a delivery costs: major units of the account's currency. 0 by default.
             * @example 4.95
             */
            shipping_amount: number;
            /**
             * @description How many cycles a customer agrees to before they can cancel, 1 to 10,000. Null: none.
             * @example 2
             */
            min_cycles: number | null;
            /**
             * @description After how many billed cycles a subscription expires, 1 to 10,000. Null: it goes on until it is cancelled.
             * @example null
             */
            max_cycles: number | null;
            /** @description Whether new lines can be sold on the plan. True by default. */
            is_active: boolean;
            /**
             * @description The store's ids of the products that the store offers the plan for: exactly these, at most 250, none of them while the plan is not active. Null: that is decided at the store alone. Plans that the store has made itself ignore it. Responses have the plain ids, such as 123; requests may have them as gid://shopify/Product/123 too.
             * @example [
             *       "8044010537025"
             *     ]
             */
            product_ids: string[] | null;
            /**
             * @description The store's id of a plan that was created here. Null until the store has it, and on the sandbox store.
             * @example 3200000001
             */
            store_plan_id: string | null;
            /**
             * @description Why the store has refused the plan, which is sent again later; or what of the price of the store's own plan is not kept here. Null where there is nothing to say.
             * @example null
             */
            store_sync_error: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        SellingPlanData: {
            /** @description The selling plan. */
            data: components["schemas"]["SellingPlan"];
        };
        /**
         * @example {
         *       "id": "plan-every-2-months",
         *       "name": "Every 2 months",
         *       "billing_interval": "MONTH",
         *       "billing_interval_count": 2,
         *       "discount_type": "PERCENTAGE",
         *       "discount_value": 5
         *     }
         */
        SellingPlanCreate: {
            /**
             * @description The plan's id, 1 to 255 characters, unique in the account: one of yours, or the store's own id of a plan that the store has. Responses have the plain id, such as 123; requests may have it as gid://shopify/SellingPlan/123 too.
             * @example plan-monthly
             */
            id: string;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Every month
             */
            name: string;
            /** @description The unit of the interval at which customers are charged. */
            billing_interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two charges: at most 365 days, 52 weeks, 24 months or 3 years.
             * @example 1
             */
            billing_interval_count: number;
            /**
             * @description The store's ids of the products that the store offers the plan for: exactly these, at most 250, none of them while the plan is not active. Null: that is decided at the store alone. Plans that the store has made itself ignore it. Responses have the plain ids, such as 123; requests may have them as gid://shopify/Product/123 too.
             * @example [
             *       "8044010537025"
             *     ]
             */
            product_ids?: string[] | null;
            /** @description The unit of the interval at which deliveries are made. By default that of the billing. */
            delivery_interval?: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two deliveries. By default that of the billing. The billing interval has to be a whole multiple of the delivery interval; a larger one is a prepaid plan.
             * @example 1
             */
            delivery_interval_count?: number;
            /** @description What discount_value is; null together with it: the plan gives no discount. */
            discount_type?: components["schemas"]["DiscountType"] | null;
            /**
             * @description What the plan takes off each unit: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the account's currency for FIXED_AMOUNT. Null, with discount_type, for no discount.
             * @example 10
             */
            discount_value?: number | null;
            /**
             * @description What a delivery costs: major units of the account's currency. 0 by default.
             * @example 4.95
             */
            shipping_amount?: number;
            /**
             * @description How many cycles a customer agrees to before they can cancel, 1 to 10,000. Null: none.
             * @example 2
             */
            min_cycles?: number | null;
            /**
             * @description After how many billed cycles a subscription expires, 1 to 10,000. Null: it goes on until it is cancelled.
             * @example null
             */
            max_cycles?: number | null;
            /** @description Whether new lines can be sold on the plan. True by default. */
            is_active?: boolean;
        };
        /**
         * @description Fields that are absent stay as they are; null clears one.
         * @example {
         *       "name": "Monthly, 10 % off"
         *     }
         */
        SellingPlanUpdate: {
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Every month
             */
            name?: string;
            /** @description The unit of the interval at which customers are charged. */
            billing_interval?: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two charges: at most 365 days, 52 weeks, 24 months or 3 years.
             * @example 1
             */
            billing_interval_count?: number;
            /**
             * @description The store's ids of the products that the store offers the plan for: exactly these, at most 250, none of them while the plan is not active. Null: that is decided at the store alone. Plans that the store has made itself ignore it. Responses have the plain ids, such as 123; requests may have them as gid://shopify/Product/123 too.
             * @example [
             *       "8044010537025"
             *     ]
             */
            product_ids?: string[] | null;
            /** @description The unit of the interval at which deliveries are made. One that equals the billing's follows it. */
            delivery_interval?: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of these units lie between two deliveries. The billing interval has to be a whole multiple of the delivery interval.
             * @example 1
             */
            delivery_interval_count?: number;
            /** @description What discount_value is; null together with it: the plan gives no discount. */
            discount_type?: components["schemas"]["DiscountType"] | null;
            /**
             * @description What the plan takes off each unit: percent (0 to 100, at most 2 decimals) for PERCENTAGE, major units of the account's currency for FIXED_AMOUNT. Null, with discount_type, for no discount.
             * @example 10
             */
            discount_value?: number | null;
            /**
             * @description What a delivery costs: major units of the account's currency.
             * @example 4.95
             */
            shipping_amount?: number;
            /**
             * @description How many cycles a customer agrees to before they can cancel, 1 to 10,000. Null: none.
             * @example 2
             */
            min_cycles?: number | null;
            /**
             * @description After how many billed cycles a subscription expires, 1 to 10,000. Null: it goes on until it is cancelled.
             * @example null
             */
            max_cycles?: number | null;
            /** @description Whether new lines can be sold on the plan. */
            is_active?: boolean;
        };
        DeliveryDayList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["DeliveryDay"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        DeliveryDayData: {
            /** @description The delivery day. */
            data: components["schemas"]["DeliveryDay"];
        };
        /**
         * @example {
         *       "day_of_week": 4,
         *       "packing_day_of_week": 3,
         *       "billing_day_of_week": 1,
         *       "courier_lead_time_days": 1
         *     }
         */
        DeliveryDayCreate: {
            /**
             * @description The day on which deliveries are made: 1 is Monday, 7 is Sunday (ISO 8601).
             * @example 2
             */
            day_of_week: number;
            /**
             * @description The day on which deliveries are packed, 1 to 7: the last such day that leaves the courier's lead time. Null: no packing day is planned.
             * @example 1
             */
            packing_day_of_week?: number | null;
            /**
             * @description The day on which customers are charged, 1 to 7: the last such day on or before packing, or before delivery where nothing is packed. Null: on that date itself.
             * @example 6
             */
            billing_day_of_week?: number | null;
            /**
             * @description How many days the courier needs at least between packing and delivery, 0 to 365. Null: 0.
             * @example 1
             */
            courier_lead_time_days?: number | null;
            /** @description Whether the store delivers on the day; the slots of an inactive day cannot be chosen. True by default. */
            is_active?: boolean;
        };
        /**
         * @description Fields that are absent stay as they are; null clears one.
         * @example {
         *       "courier_lead_time_days": 2
         *     }
         */
        DeliveryDayUpdate: {
            /**
             * @description The day on which deliveries are made: 1 is Monday, 7 is Sunday (ISO 8601).
             * @example 2
             */
            day_of_week?: number;
            /**
             * @description The day on which deliveries are packed, 1 to 7: the last such day that leaves the courier's lead time. Null: no packing day is planned.
             * @example 1
             */
            packing_day_of_week?: number | null;
            /**
             * @description The day on which customers are charged, 1 to 7: the last such day on or before packing, or before delivery where nothing is packed. Null: on that date itself.
             * @example 6
             */
            billing_day_of_week?: number | null;
            /**
             * @description How many days the courier needs at least between packing and delivery, 0 to 365. Null: 0.
             * @example 1
             */
            courier_lead_time_days?: number | null;
            /** @description Whether the store delivers on the day; the slots of an inactive day cannot be chosen. */
            is_active?: boolean;
        };
        DeliverySlotList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["DeliverySlot"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        DeliverySlotData: {
            /** @description The delivery slot. */
            data: components["schemas"]["DeliverySlot"];
        };
        /**
         * @example {
         *       "delivery_day_id": "019a0000-0000-7000-8009-000000000001",
         *       "label": "Evening",
         *       "start_time": "17:00",
         *       "end_time": "21:00"
         *     }
         */
        DeliverySlotCreate: {
            /**
             * Format: uuid
             * @description The id of the delivery day that the slot is on.
             * @example 019a0000-0000-7000-8009-000000000001
             */
            delivery_day_id: string;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Morning
             */
            label: string;
            /**
             * @description When the slot begins, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 08:00
             */
            start_time: string;
            /**
             * @description When the slot ends, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 12:00
             */
            end_time: string;
            /** @description Whether the slot is the whole day, whatever its times say. False by default. */
            is_all_day?: boolean;
            /**
             * @description The slot's place where it is shown with others, smallest first. 0 by default.
             * @example 1
             */
            position?: number;
            /** @description Whether subscriptions can choose the slot. True by default. */
            is_active?: boolean;
        };
        /**
         * @description Fields that are absent stay as they are.
         * @example {
         *       "label": "Early morning"
         *     }
         */
        DeliverySlotUpdate: {
            /**
             * Format: uuid
             * @description The id of the delivery day that the slot is on.
             * @example 019a0000-0000-7000-8009-000000000001
             */
            delivery_day_id?: string;
            /**
             * @description What customers see, 1 to 255 characters.
             * @example Morning
             */
            label?: string;
            /**
             * @description When the slot begins, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 08:00
             */
            start_time?: string;
            /**
             * @description When the slot ends, in the account's time zone: HH:MM, 00:00 to 23:59.
             * @example 12:00
             */
            end_time?: string;
            /** @description Whether the slot is the whole day, whatever its times say. */
            is_all_day?: boolean;
            /**
             * @description The slot's place where it is shown with others, smallest first.
             * @example 1
             */
            position?: number;
            /** @description Whether subscriptions can choose the slot. */
            is_active?: boolean;
        };
        OrderList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["Order"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        OrderData: {
            /** @description The order. */
            data: components["schemas"]["Order"];
        };
        ActivityFeed: {
            /** @description The entries of this page, newest first. */
            data: components["schemas"]["ActivityLog"][];
            /** @description Where this page is in the feed. */
            metadata: components["schemas"]["ActivityFeedMeta"];
        };
        /** @description An entry of the history of a subscription or an order. */
        ActivityLog: {
            /**
             * Format: uuid
             * @description The entry's id.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * @description What happened: a verb of the service's own such as subscription_paused, or `integration_` and an integration's own name.
             * @example integration_label_printed
             */
            action: string;
            /**
             * @description More about it, at most 2,000 characters; null for nothing.
             * @example Shipping label printed
             */
            description: string | null;
            /**
             * @description What changed, by field: `{from, to}`. Null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know: a free-form object. Null for nothing.
             * @example {
             *       "carrier": "UPS"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Who did it; null where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            /** @description What the entry is about. */
            loggable_type: components["schemas"]["LoggableType"];
            /**
             * Format: uuid
             * @description The id of the subscription or order that it is about.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            loggable_id: string;
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null if not known.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description The subscription's number; null for none.
             * @example 1001
             */
            subscription_number: string | null;
            /**
             * @description The order's number at the store; null for none.
             * @example D10001
             */
            order_number: string | null;
            /**
             * @description The customer's name now; null if not known.
             * @example Ada Lovelace
             */
            customer_name: string | null;
            /**
             * @description The customer's e-mail address now; null if not known.
             * @example ada@example.com
             */
            customer_email: string | null;
            /**
             * Format: date-time
             * @description When it happened: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * @description What an entry of the history is about: a subscription or an order.
         * @enum {string}
         */
        LoggableType: "subscription" | "order";
        /** @description Where a page is in the feed. */
        ActivityFeedMeta: {
            /**
             * @description How many entries match, on all pages together.
             * @example 60
             */
            total: number;
            /**
             * @description The most entries that a page has: the request's `limit`.
             * @example 25
             */
            per_page: number;
            /**
             * @description The page that this is, counted from 1.
             * @example 1
             */
            current_page: number;
            /**
             * @description The last page; 1 where nothing matches.
             * @example 3
             */
            last_page: number;
            /** @description True where the request looked at as many entries as one may: `total` and `last_page` are then lower bounds, and the page may be short, or empty, while the header `Link` has a `next`. Absent otherwise. */
            total_is_estimate?: boolean;
        };
        /** @description An entry that an integration has added. */
        ActivityLogCreated: {
            /**
             * Format: uuid
             * @description The entry's id.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /** @description What the entry is about. */
            loggable_type: components["schemas"]["LoggableType"];
            /**
             * Format: uuid
             * @description The id of the subscription or order that it is about.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            loggable_id: string;
            /**
             * @description What happened: a verb of the service's own such as subscription_paused, or `integration_` and an integration's own name.
             * @example integration_label_printed
             */
            action: string;
            /**
             * @description More about it, at most 2,000 characters; null for nothing.
             * @example Shipping label printed
             */
            description: string | null;
            /**
             * @description What else there is to know: a free-form object. Null for nothing.
             * @example {
             *       "carrier": "UPS"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** @description Who did it; null where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            /**
             * Format: date-time
             * @description When it happened: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
        };
        /**
         * @example {
         *       "loggable_type": "order",
         *       "loggable_id": "019a0000-0000-7000-800c-000000000001",
         *       "action": "integration_label_printed",
         *       "description": "Shipping label printed",
         *       "metadata": {
         *         "carrier": "UPS"
         *       }
         *     }
         */
        ActivityLogCreate: {
            /** @description What the entry is about. */
            loggable_type: components["schemas"]["LoggableType"];
            /**
             * Format: uuid
             * @description The id of the subscription or order that it is about.
             * @example 019a0000-0000-7000-800c-000000000001
             */
            loggable_id: string;
            /**
             * @description What happened: `integration_` and a name of the integration's own, at most 255 characters in all.
             * @example integration_label_printed
             */
            action: string;
            /**
             * @description More about it, at most 2,000 characters. Absent: nothing.
             * @example Shipping label printed
             */
            description?: string;
            /**
             * @description What else there is to know: a free-form object, at most 20,000 characters as JSON. Absent: nothing.
             * @example {
             *       "carrier": "UPS"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        Names: {
            /**
             * @description The names in alphabetical order.
             * @example [
             *       "Ada Operator",
             *       "Sam Support"
             *     ]
             */
            data: string[];
        };
        EventList: {
            /** @description Events in ascending order of `sequence`. */
            data: components["schemas"]["Event"][];
            /** @description Where to go on reading. */
            meta: components["schemas"]["EventListMeta"];
        };
        /** @description Something that has happened to a record of the account. */
        Event: {
            /**
             * Format: uuid
             * @description Names the event everywhere: in this list, and in each try to deliver it.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            id: string;
            /**
             * Format: int64
             * @description The event's place among the account's: it grows in the order in which the changes were committed. Numbers may be left out.
             * @example 1042
             */
            sequence: number;
            /**
             * @description What happened: subscription.created, subscription.paused, subscription.resumed, subscription.cancelled, subscription.reactivated, subscription.expired, subscription.skipped, subscription.unskipped, subscription.frequency_changed, subscription.delivery_instructions_updated, subscription.delivery_rescheduled, subscription.delivery_address_changed, subscription.lines_changed, subscription.payment_method_changed, subscription.discount_applied, subscription.discount_removed, subscription.payment_reminder_due, subscription.store_contract_linked, subscription.store_sync_refused, subscription.store_sync_agreed, billing.ship_now_requested, billing.started, billing.succeeded, billing.failed, billing.action_required, billing.review_required, billing.waiting, billing.wait_ended, order.placed, order.updated, order.fulfilled, order.cancelled, order.refunded, dunning.started, dunning.recovered, dunning.exhausted, dunning.customer_notified, dunning.notice_refused, profile.created, profile.updated, profile.deleted, portal.login_requested, account.updated, api_key.created, api_key.revoked, or `integration.` and the name of an integration's own event.
             * @example subscription.paused
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /** @description Who did it; null or `system` where nobody did. */
            actor_type: components["schemas"]["ActorType"] | null;
            /**
             * @description The actor's name: a member of staff, or the name of a key. Null if not known.
             * @example Ada Operator
             */
            actor_name: string | null;
            subject: components["schemas"]["EventSubject"];
            /**
             * Format: uuid
             * @description The id of the subscription concerned; null for none.
             * @example 019a0000-0000-7000-800b-000000000001
             */
            subscription_id: string | null;
            /**
             * Format: uuid
             * @description The id of the order concerned; null for none.
             * @example null
             */
            order_id: string | null;
            /**
             * Format: uuid
             * @description The id of the customer concerned; null for none.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string | null;
            /**
             * @description What changed, by field: `{from, to}`; null where nothing is to be told.
             * @example {
             *       "status": {
             *         "from": "ACTIVE",
             *         "to": "PAUSED"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What else there is to know of the event; null where there is nothing.
             * @example null
             */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Where to go on reading. */
        EventListMeta: {
            /**
             * Format: int64
             * @description What `after` is to be in the next request: the last sequence of this page, or the `after` of this request where the page is empty.
             * @example 1042
             */
            next_after: number;
            /** @description Whether events that match come after this page now. */
            has_more: boolean;
        };
        EventData: {
            /** @description The event. */
            data: components["schemas"]["Event"];
        };
        WebhookEndpointList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description An address of the merchant's to which events are sent. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description The endpoint's id.
             * @example 019a0000-0000-7000-8014-000000000001
             */
            id: string;
            /**
             * Format: uri
             * @description Where events are sent by POST: https, on port 443 or 8443, with a public host name, at most 2,048 characters; no user, no fragment. A local deployment also takes http and loopback addresses.
             * @example https://hooks.example.com/perennial
             */
            url: string;
            /**
             * @description What the endpoint is for, in the merchant's own words, at most 255 characters; null for nothing.
             * @example Warehouse
             */
            description: string | null;
            /**
             * @description Which events are sent: types, kinds such as `subscription.*`, or `*` for all.
             * @example [
             *       "*"
             *     ]
             */
            event_types: string[];
            payload: components["schemas"]["WebhookPayload"];
            /**
             * @description Whether events are sent, true by default. While it is false none are kept for the endpoint.
             * @example true
             */
            is_enabled: boolean;
            /** @description Why nothing is sent; null while it is enabled. */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /**
             * Format: date-time
             * @description When it first failed after it last succeeded; null while it does not fail.
             * @example 2026-11-20T12:00:00.000Z
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When it last accepted an event; null if never.
             * @example 2026-11-20T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, by whomever.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @description What an endpoint is sent. full, the default: the event, and the subscription, order or profile as it is when the event is sent. thin: the event alone.
         * @example full
         * @enum {string}
         */
        WebhookPayload: "full" | "thin";
        /**
         * @description Why nothing is sent to an endpoint. gone: it answered 410. failing: it has failed for five days. by_hand: somebody disabled it.
         * @enum {string}
         */
        WebhookDisabledReason: "gone" | "failing" | "by_hand";
        WebhookEndpointWithSecret: {
            /** @description The endpoint, with its secret. */
            data: components["schemas"]["WebhookEndpointWithSecretBody"];
        };
        /** @description An endpoint, with its secret. */
        WebhookEndpointWithSecretBody: {
            /**
             * Format: uuid
             * @description The endpoint's id.
             * @example 019a0000-0000-7000-8014-000000000001
             */
            id: string;
            /**
             * Format: uri
             * @description Where events are sent by POST: https, on port 443 or 8443, with a public host name, at most 2,048 characters; no user, no fragment. A local deployment also takes http and loopback addresses.
             * @example https://hooks.example.com/perennial
             */
            url: string;
            /**
             * @description What the endpoint is for, in the merchant's own words, at most 255 characters; null for nothing.
             * @example Warehouse
             */
            description: string | null;
            /**
             * @description Which events are sent: types, kinds such as `subscription.*`, or `*` for all.
             * @example [
             *       "*"
             *     ]
             */
            event_types: string[];
            payload: components["schemas"]["WebhookPayload"];
            /**
             * @description Whether events are sent, true by default. While it is false none are kept for the endpoint.
             * @example true
             */
            is_enabled: boolean;
            /** @description Why nothing is sent; null while it is enabled. */
            disabled_reason: components["schemas"]["WebhookDisabledReason"] | null;
            /**
             * Format: date-time
             * @description When it first failed after it last succeeded; null while it does not fail.
             * @example 2026-11-20T12:00:00.000Z
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When it last accepted an event; null if never.
             * @example 2026-11-20T12:00:00.000Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, by whomever.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
            /**
             * @description What deliveries are signed with (Standard Webhooks). It is shown here only: keep it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1QJzq3o5TrA=
             */
            secret: string;
        };
        /**
         * @example {
         *       "url": "https://hooks.example.com/perennial",
         *       "description": "Warehouse",
         *       "event_types": [
         *         "order.*",
         *         "subscription.cancelled"
         *       ]
         *     }
         */
        WebhookEndpointCreate: {
            /**
             * Format: uri
             * @description Where events are sent by POST: https, on port 443 or 8443, with a public host name, at most 2,048 characters; no user, no fragment. A local deployment also takes http and loopback addresses.
             * @example https://hooks.example.com/perennial
             */
            url: string;
            /**
             * @description What the endpoint is for, in the merchant's own words, at most 255 characters; null for nothing.
             * @example Warehouse
             */
            description?: string | null;
            /**
             * @description Which events are sent: 1 to 100 types, kinds such as `subscription.*`, or `*` for all, also those of types to come. `*` by default.
             * @example [
             *       "subscription.*",
             *       "billing.failed"
             *     ]
             */
            event_types?: string[];
            payload?: components["schemas"]["WebhookPayload"];
            /**
             * @description Whether events are sent, true by default. While it is false none are kept for the endpoint.
             * @example true
             */
            is_enabled?: boolean;
        };
        WebhookEndpointData: {
            /** @description The endpoint. */
            data: components["schemas"]["WebhookEndpoint"];
        };
        /**
         * @example {
         *       "is_enabled": false
         *     }
         */
        WebhookEndpointUpdate: {
            /**
             * Format: uri
             * @description Where events are sent by POST: https, on port 443 or 8443, with a public host name, at most 2,048 characters; no user, no fragment. A local deployment also takes http and loopback addresses.
             * @example https://hooks.example.com/perennial
             */
            url?: string;
            /**
             * @description What the endpoint is for, in the merchant's own words, at most 255 characters; null for nothing.
             * @example Warehouse
             */
            description?: string | null;
            /**
             * @description Which events are sent: 1 to 100 types, kinds such as `subscription.*`, or `*` for all, also those of types to come. `*` by default.
             * @example [
             *       "subscription.*",
             *       "billing.failed"
             *     ]
             */
            event_types?: string[];
            payload?: components["schemas"]["WebhookPayload"];
            /**
             * @description Whether events are sent, true by default. While it is false none are kept for the endpoint.
             * @example true
             */
            is_enabled?: boolean;
        };
        EventDeliveryData: {
            /** @description The delivery. */
            data: components["schemas"]["EventDelivery"];
        };
        EventDelivery: {
            /**
             * Format: uuid
             * @description The delivery's id.
             * @example 019a0000-0000-7000-8015-000000000001
             */
            id: string;
            /**
             * Format: uuid
             * @description The event's id, which the receiver gets as `webhook-id` with each try.
             * @example 019a0000-0000-7000-800d-000000000008
             */
            event_id: string;
            /**
             * @description The event's type.
             * @example order.placed
             */
            event_type: string;
            /**
             * Format: int64
             * @description The event's place in the stream; null for a test.
             * @example 1042
             */
            sequence: number | null;
            status: components["schemas"]["EventDeliveryStatus"];
            /**
             * @description How many tries were made; a resend begins anew.
             * @example 1
             */
            attempt_count: number;
            /**
             * Format: date-time
             * @description When it is tried next at the earliest; null unless it is PENDING.
             * @example 2026-11-20T12:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * @description The HTTP status that the last try was answered with; null for none.
             * @example 503
             */
            last_status: number | null;
            /**
             * @description Why the last try failed; null where it did not.
             * @example answered 503
             */
            last_error: string | null;
            /**
             * @description How long the last try took, in milliseconds; null before the first.
             * @example 120
             */
            last_duration_ms: number | null;
            /**
             * Format: date-time
             * @description When the event came to be, in real time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint last accepted it; null if never.
             * @example 2026-11-20T12:00:00.000Z
             */
            delivered_at: string | null;
        };
        /**
         * @description PENDING: to be tried; DELIVERED: accepted; FAILED: ten tries failed; CANCELLED: the endpoint was disabled or deleted first.
         * @enum {string}
         */
        EventDeliveryStatus: "PENDING" | "DELIVERED" | "FAILED" | "CANCELLED";
        RecoveryData: {
            /** @description The recovery that has begun. */
            data: components["schemas"]["RecoveryStarted"];
        };
        RecoveryStarted: {
            /**
             * Format: date-time
             * @description Events since then are being sent: UTC.
             * @example 2026-11-20T12:00:00.000Z
             */
            since: string;
        };
        Recovery: {
            /**
             * Format: date-time
             * @description Events since then, in the account's own time, are sent: a date-time with an offset, at most 30 days ago.
             * @example 2026-11-20T12:00:00.000Z
             */
            since: string;
        };
        EventDeliveryList: {
            /** @description The records of this page, in the order of the list. */
            data: components["schemas"]["EventDelivery"][];
            /** @description Where this page is in the list. */
            meta: components["schemas"]["Pagination"];
        };
        /** @description All reasons by position, without pages. Each is an object with the reason in `data`. */
        ReasonList: components["schemas"]["ReasonData"][];
        ReasonData: {
            /** @description The reason. */
            data: components["schemas"]["Reason"];
        };
        /** @description A reason that customers can give for a skip, a pause or a cancellation. */
        Reason: {
            /**
             * Format: uuid
             * @description The reason's id.
             * @example 019a0000-0000-7000-8003-000000000001
             */
            id: string;
            /** @description Whether the reason can be chosen. True by default. */
            is_active: boolean;
            /**
             * Format: uuid
             * @description The id of the account that the record belongs to.
             * @example 019a0000-0000-7000-8001-000000000001
             */
            account_id: string;
            /**
             * Format: int64
             * @description The reason's place in the list, smallest first; of the same position the older one comes first. By default it goes last.
             * @example 0
             */
            position: number;
            /**
             * @description What customers choose, 1 to 255 characters.
             * @example Going on holiday
             */
            label: string;
            /**
             * @description More about the reason, at most 1,000 characters; null for nothing.
             * @example null
             */
            description: string | null;
            /**
             * Format: date-time
             * @description When the record was created: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the record last changed: UTC, in the account's own time.
             * @example 2026-11-20T12:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * @example {
         *       "label": "Going on holiday",
         *       "description": null,
         *       "is_active": true
         *     }
         */
        ReasonCreate: {
            /**
             * @description What customers choose, 1 to 255 characters.
             * @example Going on holiday
             */
            label: string;
            /**
             * @description More about the reason, at most 1,000 characters; null for nothing.
             * @example null
             */
            description?: string | null;
            /** @description Whether the reason can be chosen. True by default. */
            is_active?: boolean;
            /**
             * Format: int64
             * @description The reason's place in the list, smallest first; of the same position the older one comes first. By default it goes last.
             * @example 0
             */
            position?: number;
        };
        /**
         * @description Fields that are absent stay as they are. A description of null clears it.
         * @example {
         *       "label": "On holiday"
         *     }
         */
        ReasonUpdate: {
            /**
             * @description What customers choose, 1 to 255 characters.
             * @example Going on holiday
             */
            label?: string;
            /**
             * @description More about the reason, at most 1,000 characters; null for nothing.
             * @example null
             */
            description?: string | null;
            /** @description Whether the reason can be chosen. */
            is_active?: boolean;
            /**
             * Format: int64
             * @description The reason's place in the list, smallest first.
             * @example 0
             */
            position?: number;
        };
        ReasonReordered: {
            /** @description Always true: a list that cannot be applied is an error. */
            success: boolean;
        };
        /**
         * @example {
         *       "ordered_ids": [
         *         "019a0000-0000-7000-8003-000000000001",
         *         "019a0000-0000-7000-8003-000000000002",
         *         "019a0000-0000-7000-8003-000000000003",
         *         "019a0000-0000-7000-8003-000000000004",
         *         "019a0000-0000-7000-8003-000000000005"
         *       ]
         *     }
         */
        SkipReasonReorder: {
            /**
             * @description The id of every reason that is not deleted, once, in the new order.
             * @example [
             *       "019a0000-0000-7000-8003-000000000001",
             *       "019a0000-0000-7000-8003-000000000002",
             *       "019a0000-0000-7000-8003-000000000003",
             *       "019a0000-0000-7000-8003-000000000004",
             *       "019a0000-0000-7000-8003-000000000005"
             *     ]
             */
            ordered_ids: string[];
        };
        /**
         * @example {
         *       "ordered_ids": [
         *         "019a0000-0000-7000-8004-000000000001",
         *         "019a0000-0000-7000-8004-000000000002",
         *         "019a0000-0000-7000-8004-000000000003",
         *         "019a0000-0000-7000-8004-000000000004"
         *       ]
         *     }
         */
        PauseReasonReorder: {
            /**
             * @description The id of every reason that is not deleted, once, in the new order.
             * @example [
             *       "019a0000-0000-7000-8004-000000000001",
             *       "019a0000-0000-7000-8004-000000000002",
             *       "019a0000-0000-7000-8004-000000000003",
             *       "019a0000-0000-7000-8004-000000000004"
             *     ]
             */
            ordered_ids: string[];
        };
        /**
         * @example {
         *       "ordered_ids": [
         *         "019a0000-0000-7000-8005-000000000001",
         *         "019a0000-0000-7000-8005-000000000002",
         *         "019a0000-0000-7000-8005-000000000003",
         *         "019a0000-0000-7000-8005-000000000004",
         *         "019a0000-0000-7000-8005-000000000005"
         *       ]
         *     }
         */
        CancellationReasonReorder: {
            /**
             * @description The id of every reason that is not deleted, once, in the new order.
             * @example [
             *       "019a0000-0000-7000-8005-000000000001",
             *       "019a0000-0000-7000-8005-000000000002",
             *       "019a0000-0000-7000-8005-000000000003",
             *       "019a0000-0000-7000-8005-000000000004",
             *       "019a0000-0000-7000-8005-000000000005"
             *     ]
             */
            ordered_ids: string[];
        };
        PortalSettingsData: {
            /** @description The settings. */
            data: components["schemas"]["PortalSettings"];
        };
        PortalSettings: {
            /** @description Whether there is a portal. False for a new account. */
            is_enabled: boolean;
            /**
             * @description The origin of the portal at a domain of the merchant's own, which the operator has bound to this deployment: links, mails and the portal's pages are there. Null: the deployment's own address.
             * @example https://account.example.com
             */
            base_url: string | null;
            /**
             * @description Where a link may lead back to: the scheme, host and port of one of these, and a path that begins with its path.
             * @example [
             *       "https://shop.example.com/account"
             *     ]
             */
            return_urls: string[];
            /**
             * @description The address of the shop's logo, shown at the top of each page. Null: the shop's name.
             * @example https://cdn.example.com/logo.svg
             */
            logo_url: string | null;
            /**
             * @description The shop's colour, `#` and six hexadecimal digits. Pages darken or lighten it until text on it can be read. Null: a neutral one.
             * @example #0a6c4b
             */
            accent_color: string | null;
            /**
             * @description Where customers are told to write for help. Null: nowhere.
             * @example help@example.com
             */
            support_email: string | null;
            default_locale: components["schemas"]["PortalLocale"];
            /** @description How often customers may have it delivered. Empty in the settings: as often as the account's active plans bill. */
            frequencies: components["schemas"]["OfferedFrequency"][];
            /** @description Whether customers may pause. They may always resume. */
            can_pause: boolean;
            /** @description Whether customers may cancel. They may always reactivate. */
            can_cancel: boolean;
            /** @description Whether customers may skip, and undo a skip. */
            can_skip: boolean;
            /** @description Whether customers may move the next delivery. */
            can_reschedule: boolean;
            /** @description Whether customers may change how often it is delivered. */
            can_change_frequency: boolean;
            /** @description Whether customers may change where a subscription is delivered. */
            can_change_address: boolean;
            /** @description Whether customers may switch the payment method. */
            can_change_payment_method: boolean;
            /** @description Whether customers may have the next delivery charged and sent at once. */
            can_ship_now: boolean;
            /**
             * @description How many days customers may pause at most; they must then name the day. Null: as long as they like.
             * @example 90
             */
            max_pause_days: number | null;
        };
        /**
         * @description The language of the portal's pages. `en`: English. `de`: German. `fr`: French. `es`: Spanish.
         * @enum {string}
         */
        PortalLocale: "en" | "de" | "fr" | "es";
        /**
         * @example {
         *       "interval": "WEEK",
         *       "interval_count": 2
         *     }
         */
        OfferedFrequency: {
            interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of the unit lie between two deliveries.
             * @example 2
             */
            interval_count: number;
        };
        /**
         * @example {
         *       "is_enabled": true,
         *       "accent_color": "#0a6c4b"
         *     }
         */
        PortalSettingsUpdate: {
            /** @description Whether there is a portal. */
            is_enabled?: boolean;
            /**
             * @description The origin of the portal at a domain of the merchant's own, which the operator has bound to this deployment: links, mails and the portal's pages are there. Null: the deployment's own address.
             * @example https://account.example.com
             */
            base_url?: string | null;
            /**
             * @description Where a link may lead back to: the scheme, host and port of one of these, and a path that begins with its path.
             * @example [
             *       "https://shop.example.com/account"
             *     ]
             */
            return_urls?: string[];
            /**
             * @description The address of the shop's logo, shown at the top of each page. Null: the shop's name.
             * @example https://cdn.example.com/logo.svg
             */
            logo_url?: string | null;
            /**
             * @description The shop's colour, `#` and six hexadecimal digits. Pages darken or lighten it until text on it can be read. Null: a neutral one.
             * @example #0a6c4b
             */
            accent_color?: string | null;
            /**
             * @description Where customers are told to write for help. Null: nowhere.
             * @example help@example.com
             */
            support_email?: string | null;
            default_locale?: components["schemas"]["PortalLocale"];
            /** @description How often customers may have it delivered. Empty in the settings: as often as the account's active plans bill. */
            frequencies?: components["schemas"]["OfferedFrequencyIn"][];
            /** @description Whether customers may pause. They may always resume. */
            can_pause?: boolean;
            /** @description Whether customers may cancel. They may always reactivate. */
            can_cancel?: boolean;
            /** @description Whether customers may skip, and undo a skip. */
            can_skip?: boolean;
            /** @description Whether customers may move the next delivery. */
            can_reschedule?: boolean;
            /** @description Whether customers may change how often it is delivered. */
            can_change_frequency?: boolean;
            /** @description Whether customers may change where a subscription is delivered. */
            can_change_address?: boolean;
            /** @description Whether customers may switch the payment method. */
            can_change_payment_method?: boolean;
            /** @description Whether customers may have the next delivery charged and sent at once. */
            can_ship_now?: boolean;
            /**
             * @description How many days customers may pause at most; they must then name the day. Null: as long as they like.
             * @example 90
             */
            max_pause_days?: number | null;
        };
        /**
         * @example {
         *       "interval": "WEEK",
         *       "interval_count": 2
         *     }
         */
        OfferedFrequencyIn: {
            interval: components["schemas"]["IntervalUnit"];
            /**
             * @description How many of the unit lie between two deliveries.
             * @example 2
             */
            interval_count: number;
        };
        PortalShopData: {
            /** @description The shop. */
            data: components["schemas"]["PortalShop"];
        };
        PortalShop: {
            /**
             * @description The shop's name.
             * @example Demo Store
             */
            name: string;
            /**
             * @description The shop's domain.
             * @example demo-store.myshopify.com
             */
            shop: string;
            /**
             * @description The IANA time zone of all calendar dates.
             * @example America/New_York
             */
            timezone: string;
            /**
             * @description The ISO 4217 code of all amounts.
             * @example USD
             */
            currency_code: string;
            /**
             * @description The address of the shop's logo, shown at the top of each page. Null: the shop's name.
             * @example https://cdn.example.com/logo.svg
             */
            logo_url: string | null;
            /**
             * @description The shop's colour, `#` and six hexadecimal digits. Pages darken or lighten it until text on it can be read. Null: a neutral one.
             * @example #0a6c4b
             */
            accent_color: string | null;
            /**
             * @description Where customers are told to write for help. Null: nowhere.
             * @example help@example.com
             */
            support_email: string | null;
            default_locale: components["schemas"]["PortalLocale"];
            /** @description How often customers may have it delivered. Others are refused. */
            frequencies: components["schemas"]["OfferedFrequency"][];
            /** @description Whether customers may pause. They may always resume. */
            can_pause: boolean;
            /** @description Whether customers may cancel. They may always reactivate. */
            can_cancel: boolean;
            /** @description Whether customers may skip, and undo a skip. */
            can_skip: boolean;
            /** @description Whether customers may move the next delivery. */
            can_reschedule: boolean;
            /** @description Whether customers may change how often it is delivered. */
            can_change_frequency: boolean;
            /** @description Whether customers may change where a subscription is delivered. */
            can_change_address: boolean;
            /** @description Whether customers may switch the payment method. */
            can_change_payment_method: boolean;
            /** @description Whether customers may have the next delivery charged and sent at once. */
            can_ship_now: boolean;
            /**
             * @description How many days customers may pause at most; they must then name the day. Null: as long as they like.
             * @example 90
             */
            max_pause_days: number | null;
        };
        PortalSessionLink: {
            /**
             * @description Opens the portal once. Give it to this customer alone.
             * @example https://api.example.com/portal/demo-store.myshopify.com/enter?token=EXAMPLE
             */
            url: string;
            /**
             * Format: date-time
             * @description When the link expires: 15 minutes after it was made.
             * @example 2026-11-20T12:00:00.000Z
             */
            expires_at: string;
        };
        /**
         * @example {
         *       "profile_id": "019a0000-0000-7000-8006-000000000001",
         *       "locale": "en"
         *     }
         */
        PortalSessionRequest: {
            /**
             * Format: uuid
             * @description The customer whom the link signs in.
             * @example 019a0000-0000-7000-8006-000000000001
             */
            profile_id: string;
            /**
             * @description Where the portal leads back to. One of the settings' return_urls allows it.
             * @example https://shop.example.com/account/orders
             */
            return_url?: string;
            locale?: components["schemas"]["PortalLocale"];
        };
        /**
         * @example {
         *       "phone_number": "+1 202 555 0147"
         *     }
         */
        OwnProfileUpdate: {
            /**
             * @description The first name; null for none.
             * @example Ada
             */
            first_name?: string | null;
            /**
             * @description The last name; null for none.
             * @example Lovelace
             */
            last_name?: string | null;
            /**
             * @description The phone number; null for none.
             * @example +1 202 555 0147
             */
            phone_number?: string | null;
        };
        /**
         * @example {
         *       "admin_graphql_api_id": "gid://shopify/Order/5400000000001"
         *     }
         */
        ShopifyPayload: {
            [key: string]: unknown;
        };
        Health: {
            /**
             * @description ok: the deployment can serve requests.
             * @enum {string}
             */
            status: "ok";
            /**
             * @description ok: the database has answered.
             * @enum {string}
             */
            storage: "ok";
            /**
             * @description ok: the queue has answered.
             * @enum {string}
             */
            queue: "ok";
        };
        JsonRpcMessage: {
            /**
             * @description The version of JSON-RPC: 2.0.
             * @enum {string}
             */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "error": {
         *         "code": -32000,
         *         "message": "Too many requests, try again in a minute",
         *         "data": {
         *           "errorCode": "RATE_LIMITED",
         *           "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
         *         }
         *       }
         *     }
         */
        JsonRpcError: {
            /**
             * @description The version of JSON-RPC: 2.0.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description The id of the request; null where the request could not be read.
             * @example 1
             */
            id: string | number | null;
            /** @description The failure. */
            error: {
                /**
                 * @description A code of JSON-RPC; -32000 for what it has no code for.
                 * @example -32000
                 */
                code: number;
                /**
                 * @description What is wrong, for people.
                 * @example Too many requests, try again in a minute
                 */
                message: string;
                /** @description The API's own errorCode, request_id and details. */
                data?: {
                    /**
                     * @description The API's own error code.
                     * @example RATE_LIMITED
                     */
                    errorCode?: string;
                    /**
                     * @description The id of the request in the logs.
                     * @example 0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10
                     */
                    request_id?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        /**
         * @description Where a result's data is: `structured` content, or `text` for clients that show their model nothing else. By default it is structured content, for protocol versions that have it (2025-06-18 and later).
         * @enum {string}
         */
        McpResultForm: "structured" | "text";
        /**
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        JsonRpcRequest: {
            /**
             * @description The version of JSON-RPC: 2.0.
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description Names the request in its answer. Absent in a notification.
             * @example 1
             */
            id?: string | number;
            /**
             * @description The method of the protocol.
             * @example tools/list
             */
            method: string;
            /**
             * @description The method's parameters. Absent where it needs none.
             * @example {}
             */
            params?: {
                [key: string]: unknown;
            };
        };
        ProtectedResource: {
            /**
             * @description The URL of the MCP endpoint.
             * @example https://api.example.com/mcp
             */
            resource: string;
            /**
             * @description Its name for people.
             * @example Perennial
             */
            resource_name: string;
            /**
             * @description The identity providers whose tokens it takes; absent where only its own are taken.
             * @example [
             *       "https://login.example.com"
             *     ]
             */
            authorization_servers?: string[];
            /**
             * @description Where the public keys of tokens are.
             * @example https://api.example.com/.well-known/jwks.json
             */
            jwks_uri: string;
            /**
             * @description The scopes that a token can have.
             * @example [
             *       "subscriptions:read",
             *       "subscriptions:write"
             *     ]
             */
            scopes_supported: string[];
            /**
             * @description How a token is sent: in the header Authorization.
             * @example [
             *       "header"
             *     ]
             */
            bearer_methods_supported: string[];
        };
        ApiDescription: {
            /**
             * @description The version of the OpenAPI Specification.
             * @example 3.1.0
             */
            openapi: string;
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description The request is not valid. */
        BadRequest: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Request is not valid: page: must be a whole number",
                 *       "errorCode": "VALIDATION_FAILED",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
                 *       "details": [
                 *         {
                 *           "path": "page",
                 *           "message": "must be a whole number"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A credential is missing or not valid. */
        Unauthorized: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                /** @description The accepted schemes. */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A credential is missing or not valid",
                 *       "errorCode": "UNAUTHENTICATED",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential does not allow this. */
        Forbidden: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The credential does not allow this",
                 *       "errorCode": "FORBIDDEN",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No such record. */
        NotFound: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "No such record",
                 *       "errorCode": "NOT_FOUND",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The current state does not allow this. */
        Conflict: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The current state does not allow this",
                 *       "errorCode": "INVALID_STATE",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is too large. */
        ContentTooLarge: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body is too large",
                 *       "errorCode": "PAYLOAD_TOO_LARGE",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The media type or encoding is not supported. */
        UnsupportedMediaType: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The media type or encoding is not supported",
                 *       "errorCode": "UNSUPPORTED_MEDIA_TYPE",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used for another request. */
        UnprocessableContent: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The Idempotency-Key was used for another request",
                 *       "errorCode": "IDEMPOTENCY_KEY_REUSED",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. */
        TooManyRequests: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                /** @description Seconds to wait before the next try. */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many requests",
                 *       "errorCode": "RATE_LIMITED",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An internal error. */
        InternalServerError: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "An internal error",
                 *       "errorCode": "INTERNAL",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Temporarily unavailable. */
        ServiceUnavailable: {
            headers: {
                /** @description The id of this request in logs and errors. */
                "X-Request-Id": string;
                /** @description Seconds to wait before the next try. */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Temporarily unavailable",
                 *       "errorCode": "UNAVAILABLE",
                 *       "request_id": "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A bearer token. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PROFILE. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPublicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set (RFC 7517). */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSecurityTxt: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact, and until when it is valid. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AccountUpdate"];
            };
        };
        responses: {
            /** @description The account as it now is. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time, and whether it is moving. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClockData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "advance_to": "2026-01-31T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["TestClockRequest"];
            };
        };
        responses: {
            /** @description The time, and whether it is moving. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClockData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUnsupportedContracts: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contracts. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsupportedContractList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProfiles: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Part of the e-mail, full name, phone number, external id or store customer id, in any case: 1 to 256 characters. */
                search?: string;
                /** @description Only the profile with this e-mail address, the whole of it, in any case. */
                email?: string;
                /** @description Only profiles with this consent to e-mails. */
                email_status?: components["schemas"]["ConsentStatus"];
                /** @description Only the profile with this id at the connected store: plain, such as 123, or gid://shopify/Customer/123. */
                store_customer_id?: string;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of profiles. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileCreate"];
            };
        };
        responses: {
            /** @description The new profile. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, EMAIL_TAKEN. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadProfiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileUpload"];
                "text/csv": string;
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A CSV or JSON file with the profiles.
                     * @example email,first_name
                     *     grace@example.com,Grace
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The number of rows. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileUploaded"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description The changed profile. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: EMAIL_TAKEN, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: PROFILE_IN_USE. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveryAddresses: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addresses. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDeliveryAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryAddressCreate"];
            };
        };
        responses: {
            /** @description The new address. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDeliveryAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
                /** @description The id of the delivery address: a UUID. */
                addressId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeliveryAddressUpdate"];
            };
        };
        responses: {
            /** @description The changed address. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDeliveryAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
                /** @description The id of the delivery address: a UUID. */
                addressId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEntities: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Only entities of this profile. */
                profile_id?: string;
                /** @description Only entities of exactly this type. */
                entity_type?: string;
                /** @description Only active entities, or only inactive ones. */
                is_active?: components["schemas"]["QueryBoolean"];
                /** @description What the list is sorted by: `created_at` (the default), `name` or `entity_type`. */
                sort_by?: "created_at" | "name" | "entity_type";
                /** @description The direction: `desc` by default, `asc` for `name` and `entity_type`. */
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entities. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEntity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityCreate"];
            };
        };
        responses: {
            /** @description The new entity. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PROFILE. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEntity: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the entity: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entity. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the entity: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EntityUpdate"];
            };
        };
        responses: {
            /** @description The changed entity. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntityData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEntity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the entity: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Only these: one or more of ACTIVE, PAUSED, CANCELLED, EXPIRED, PAYMENT_FAILED, separated by commas. */
                status?: string;
                /** @description Only subscriptions of this profile. */
                profile_id?: string;
                /** @description Only subscriptions for this entity. */
                entity_id?: string;
                /** @description Only subscriptions that were cancelled for this reason. */
                cancellation_reason_id?: string;
                /** @description Only the subscription with this contract at the connected store: its number, such as 123, or gid://shopify/SubscriptionContract/123. */
                store_contract_id?: string;
                /** @description Only subscriptions with exactly this migration_source_ref: 1 to 255 characters. */
                migration_source_ref?: string;
                /** @description Part of the number, the store's contract id, or the customer's e-mail or name, in any case: 1 to 256 characters. */
                search?: string;
                /** @description Only subscriptions whose payment has failed (in dunning, or PAYMENT_FAILED), or only others. */
                failed_payment?: components["schemas"]["QueryBoolean"];
                /** @description Only subscriptions with this payment_reminder_status: NONE, DUE (the reminder of the next billing is due, and nobody has accepted it yet) or SENT. */
                payment_reminder_status?: components["schemas"]["PaymentReminderStatus"];
                /** @description Only subscriptions billed next before this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_billing_before?: string | unknown | unknown;
                /** @description Only subscriptions billed next after this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_billing_after?: string | unknown | unknown;
                /** @description Only subscriptions delivered next before this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_delivery_before?: string | unknown | unknown;
                /** @description Only subscriptions delivered next after this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_delivery_after?: string | unknown | unknown;
                /** @description Only subscriptions packed next before this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_production_before?: string | unknown | unknown;
                /** @description Only subscriptions packed next after this date: a calendar date, or a date-time, whose date in the account's time zone counts. */
                next_production_after?: string | unknown | unknown;
                /** @description Only subscriptions created before this: a date-time, or a calendar date, which is its whole day in the account's time zone. */
                created_before?: string | unknown | unknown;
                /** @description Only subscriptions created after this: a date-time, or a calendar date, which is its whole day in the account's time zone. */
                created_after?: string | unknown | unknown;
                /** @description What the list is sorted by: `created_at` (the default), `next_billing_date`, `next_delivery_date`, `next_production_date`, `total` or `status`. */
                sort_by?: "created_at" | "next_billing_date" | "next_delivery_date" | "next_production_date" | "total" | "status";
                /** @description The direction: `desc` by default, `asc` for `status`. */
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSubscriptions: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionCreate"];
            };
        };
        responses: {
            /** @description A dry run: what would be created. */
            200: {
                headers: {
                    /** @description `true` for a dry run. */
                    "Dry-Run": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionsCreated"];
                };
            };
            /** @description The ids of every subscription created. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionsCreated"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PROFILE, UNKNOWN_SELLING_PLAN, UNKNOWN_ENTITY, UNKNOWN_DELIVERY_SLOT, UNKNOWN_DELIVERY_ADDRESS, UNKNOWN_PAYMENT_METHOD. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscriptionPaymentMethods: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The methods. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionPaymentMethods"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePaymentMethod: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentMethodChange"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodChanged"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PAYMENT_METHOD. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSkips: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of skips. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkipList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUpcomingDeliveries: {
        parameters: {
            query?: {
                /** @description How many deliveries to list: 1 to 24, 6 by default. */
                count?: number;
                /** @description Shows the deliveries as if the subscription were paused now until this date, to preview pauseSubscription; nothing is changed. Tomorrow or later: a calendar date, or a date-time, whose date in the account's time zone counts. Refused where the subscription is neither ACTIVE nor PAUSED. */
                pause_until?: string | unknown | unknown;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next deliveries. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upcoming"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pauseSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PAUSE_REASON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestartRequest"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_CANCELLATION_REASON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reactivateSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestartRequest"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    skipSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkipRequest"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, SKIP_REASON_REQUIRED, UNKNOWN_SKIP_REASON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT, BILLING_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unskipSubscription: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT, BILLING_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeFrequency: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FrequencyChange"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, FREQUENCY_NOT_OFFERED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeDeliveryInstructions: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryInstructionsChange"];
            };
        };
        responses: {
            /** @description The subscription, or the ids of those that were changed. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryInstructionsChanged"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reschedule: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ScheduleChange"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_DELIVERY_SLOT. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT, BILLING_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeDeliveryAddress: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressChange"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_DELIVERY_ADDRESS. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addLine: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionLineAdd"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_SELLING_PLAN. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeLine: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
                /** @description The id of the line: a UUID. */
                lineId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscriptionLineUpdate"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_SELLING_PLAN. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeLine: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
                /** @description The id of the line: a UUID. */
                lineId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applyDiscount: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionDiscountCreate"];
            };
        };
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeDiscount: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
                /** @description The id of the discount: a UUID. */
                discountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed subscription. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shipNow: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShipNowRequest"];
            };
        };
        responses: {
            /** @description The billing attempt, started now or before; for a dry run what would be billed. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    /** @description The billing attempt. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingStarted"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_DELIVERY_SLOT. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT, NOT_BILLABLE, BILLING_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryPayment: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NoFields"];
            };
        };
        responses: {
            /** @description The billing attempt, started now or before; for a dry run what would be billed. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    /** @description The billing attempt. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingStarted"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT, NOT_BILLABLE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBillingAttempts: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAttemptList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBillingAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
                /** @description The id of the billing attempt: a UUID. */
                attemptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAttemptData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDunningEpisodes: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the subscription: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of episodes. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DunningEpisodeList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllBillingAttempts: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Only these: one or more of QUEUED, PROCESSING, ACTION_REQUIRED, REVIEW, SUCCEEDED, FAILED, CANCELLED, separated by commas. */
                status?: string;
                /** @description Only attempts that were started by this. */
                trigger?: components["schemas"]["BillingAttemptTrigger"];
                /** @description Only attempts that were started at this time or later: a date-time, or a date, which is its whole day in the account's time zone. */
                from?: string | unknown | unknown;
                /** @description Only attempts that were started at this time or earlier: a date-time, or a date, which is its whole day in the account's time zone. */
                to?: string | unknown | unknown;
                /** @description Only the attempts of this subscription. */
                subscription_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAttemptList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    settleBillingAttempt: {
        parameters: {
            query?: {
                /** @description Whether this is a dry run: it checks and answers the same, but writes nothing, charges nothing and sends nothing. False by default. */
                dry_run?: components["schemas"]["QueryBoolean"];
            };
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the billing attempt: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingAttemptSettle"];
            };
        };
        responses: {
            /** @description The settled attempt. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description `true` for a dry run. */
                    "Dry-Run"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingAttemptSettled"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE, VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSellingPlans: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellingPlanList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSellingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SellingPlanCreate"];
            };
        };
        responses: {
            /** @description The new plan. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellingPlanData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSellingPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id that the plan was created with. A store's own id may be plain, such as 123, or gid://shopify/SellingPlan/123. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellingPlanData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSellingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the plan was created with. A store's own id may be plain, such as 123, or gid://shopify/SellingPlan/123. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SellingPlanUpdate"];
            };
        };
        responses: {
            /** @description The changed plan. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellingPlanData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSellingPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id that the plan was created with. A store's own id may be plain, such as 123, or gid://shopify/SellingPlan/123. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveryDays: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of days. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDayList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDeliveryDay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryDayCreate"];
            };
        };
        responses: {
            /** @description The new day. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDayData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeliveryDay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the delivery day: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The day. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDayData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDeliveryDay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery day: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeliveryDayUpdate"];
            };
        };
        responses: {
            /** @description The changed day. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDayData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDeliveryDay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery day: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliverySlots: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of slots. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverySlotList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDeliverySlot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliverySlotCreate"];
            };
        };
        responses: {
            /** @description The new slot. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverySlotData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_DELIVERY_DAY. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDeliverySlot: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the delivery slot: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The slot. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverySlotData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDeliverySlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery slot: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeliverySlotUpdate"];
            };
        };
        responses: {
            /** @description The changed slot. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverySlotData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_DELIVERY_DAY. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDeliverySlot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery slot: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Only these: one or more of PENDING, PAID, PARTIALLY_REFUNDED, REFUNDED, CANCELLED, separated by commas. */
                status?: string;
                /** @description Only orders shipped this far. */
                fulfillment_status?: components["schemas"]["FulfillmentStatus"];
                /** @description Only orders of this subscription. */
                subscription_id?: string;
                /** @description Only orders of this profile. */
                profile_id?: string;
                /** @description Only orders of subscriptions for this entity. */
                entity_id?: string;
                /** @description Part of an order id, order number or tracking number, or of the customer's e-mail or name, in any case: 1 to 256 characters. */
                search?: string;
                /** @description Only orders with exactly this tracking number. */
                tracking_number?: string;
                /** @description Only orders with a subscription, or only those without. */
                has_subscription?: components["schemas"]["QueryBoolean"];
                /** @description Only orders made at the store's checkout, or only the others. */
                is_checkout_order?: components["schemas"]["QueryBoolean"];
                /** @description Only orders delivered on this date or later: a calendar date, or a date-time, whose date in the account's time zone counts. */
                delivery_date_from?: string | unknown | unknown;
                /** @description Only orders delivered on this date or earlier: a calendar date, or a date-time, whose date in the account's time zone counts. */
                delivery_date_to?: string | unknown | unknown;
                /** @description Only orders billed on this date or later: a calendar date, or a date-time, whose date in the account's time zone counts. */
                billing_date_from?: string | unknown | unknown;
                /** @description Only orders billed on this date or earlier: a calendar date, or a date-time, whose date in the account's time zone counts. */
                billing_date_to?: string | unknown | unknown;
                /** @description Only orders packed on this date or later: a calendar date, or a date-time, whose date in the account's time zone counts. */
                production_date_from?: string | unknown | unknown;
                /** @description Only orders packed on this date or earlier: a calendar date, or a date-time, whose date in the account's time zone counts. */
                production_date_to?: string | unknown | unknown;
                /** @description What the list is sorted by: `created_at` (the default), `delivery_date`, `billing_date`, `total` or `status`. */
                sort_by?: "created_at" | "delivery_date" | "billing_date" | "total" | "status";
                /** @description The direction: `desc` by default, `asc` for `status`. */
                sort_order?: components["schemas"]["SortOrder"];
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the order: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listActivityLogs: {
        parameters: {
            query: {
                /** @description First day, inclusive, in the account's time zone. */
                start_date: string | unknown | unknown;
                /** @description Last day, inclusive, in the account's time zone. */
                end_date: string | unknown | unknown;
                /** @description Only entries about this subscription itself. */
                subscription_id?: string;
                /** @description Only entries about this order itself. It takes precedence over subscription_id. */
                order_id?: string;
                /** @description Only entries of this kind of actor. `system` includes entries without an actor. */
                actor_type?: components["schemas"]["ActorType"];
                /** @description Only entries of this member of staff. Ignored unless actor_type is `admin`. */
                actor_name?: string;
                /** @description Only entries with one of these actions, separated by commas. `integration_` stands for the actions of all integrations. */
                action?: string;
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityFeed"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createActivityLog: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActivityLogCreate"];
            };
        };
        responses: {
            /** @description The new entry. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityLogCreated"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_LOGGABLE. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listIntegrationActions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Distinct names in alphabetical order. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Names"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listActors: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Distinct names in alphabetical order. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Names"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProfileActivity: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the profile: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityFeed"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this sequence: the last one that was read. 0, the default, begins with the first event. */
                after?: number;
                /** @description Only events of these types, at most 100, separated by commas; `subscription.*` stands for all of its kind. */
                types?: string;
                /** @description How many events a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the event: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointCreate"];
            };
        };
        responses: {
            /** @description The new endpoint, with its secret. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is being sent. */
            202: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveryData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recoverWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2025-12-31T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["Recovery"];
            };
        };
        responses: {
            /** @description They are being sent. */
            202: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
                /** @description Only these: one or more of PENDING, DELIVERED, FAILED, CANCELLED, separated by commas. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveryList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendEventDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint: a UUID. */
                id: string;
                /** @description The id of the delivery: a UUID. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is being sent. */
            202: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveryData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS, INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSkipReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skip reasons. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSkipReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonCreate"];
            };
        };
        responses: {
            /** @description The new skip reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSkipReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the skip reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skip reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSkipReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the skip reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonUpdate"];
            };
        };
        responses: {
            /** @description The changed skip reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSkipReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the skip reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reorderSkipReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkipReasonReorder"];
            };
        };
        responses: {
            /** @description Reordered. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonReordered"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPauseReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pause reasons. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPauseReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonCreate"];
            };
        };
        responses: {
            /** @description The new pause reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPauseReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the pause reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pause reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePauseReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the pause reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonUpdate"];
            };
        };
        responses: {
            /** @description The changed pause reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deletePauseReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the pause reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reorderPauseReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseReasonReorder"];
            };
        };
        responses: {
            /** @description Reordered. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonReordered"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCancellationReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancellation reasons. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCancellationReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonCreate"];
            };
        };
        responses: {
            /** @description The new cancellation reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCancellationReason: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the deployment reads from replicas: the bookmark of an earlier response, whose state this one does not fall behind. Elsewhere it makes no difference. Any other text is refused. */
                "X-D1-Bookmark"?: string;
            };
            path: {
                /** @description The id of the cancellation reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancellation reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCancellationReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the cancellation reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReasonUpdate"];
            };
        };
        responses: {
            /** @description The changed cancellation reason. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCancellationReason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the cancellation reason: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reorderCancellationReasons: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationReasonReorder"];
            };
        };
        responses: {
            /** @description Reordered. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonReordered"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPublicSkipReasons: {
        parameters: {
            query: {
                /** @description The store domain, with or without https://. */
                shop: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active skip reasons, by position. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Names this version of the content. */
                    ETag: string;
                    /** @description How long caches may keep it. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReasonList"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPortalSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSettingsData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePortalSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PortalSettingsUpdate"];
            };
        };
        responses: {
            /** @description The settings as they now are. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSettingsData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnShop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shop, as its customers see it. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalShopData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortalSessionRequest"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalSessionLink"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON, UNKNOWN_PROFILE. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: INVALID_STATE. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endPortalSessions: {
        parameters: {
            query: {
                /** @description The customer to sign out everywhere. */
                profile_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer has no session. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer's profile. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OwnProfileUpdate"];
            };
        };
        responses: {
            /** @description The changed profile. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProfileData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: VERSION_CONFLICT. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOwnAddresses: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addresses. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOwnAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat, 1 to 255 visible ASCII characters, bare or in quotes: for 24 hours the same key with the same request takes effect once and returns the same response. A response that was lost, or is longer than 64 KiB, is made again from the current records. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryAddressCreate"];
            };
        };
        responses: {
            /** @description The new address. */
            201: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description The current state does not allow this: IDEMPOTENCY_IN_PROGRESS. */
            409: components["responses"]["Conflict"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The Idempotency-Key was used for another request: IDEMPOTENCY_KEY_REUSED. */
            422: components["responses"]["UnprocessableContent"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery address: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeliveryAddressUpdate"];
            };
        };
        responses: {
            /** @description The changed address. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAddressData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery address: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description How far this response has seen the database, where the deployment reads from replicas. Sent back with a read, it sees at least that. */
                    "X-D1-Bookmark"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOwnOrders: {
        parameters: {
            query?: {
                /** @description The page to read; the first is 1, the default. A page past the end is empty. One far from both ends of a long list is refused: `cursor` leads there. */
                page?: number;
                /** @description Where the page begins, as `next_page_url` and `previous_page_url` of an answer to the same query say it; opaque. It never expires, and is sent without `page`. */
                cursor?: string;
                /** @description How many records a page has: 1 to 100, 25 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Links to the first, previous, next and last page (RFC 8288), as many as fit into 4 KiB. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOwnOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the order: a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderData"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: components["responses"]["Forbidden"];
            /** @description No such record: NOT_FOUND. */
            404: components["responses"]["NotFound"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveShopifyWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ShopifyPayload"];
            };
        };
        responses: {
            /** @description The webhook is stored, now or earlier, or its topic is ignored. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: components["responses"]["BadRequest"];
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: components["responses"]["Unauthorized"];
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: components["responses"]["ContentTooLarge"];
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: components["responses"]["UnsupportedMediaType"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both are reachable. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    mcp: {
        parameters: {
            query?: {
                /** @description Which tools are offered: one or more of default, all, account, profiles, entities, subscriptions, billing, plans, delivery, orders, activity, reasons, events, webhooks, portal, separated by commas. `default` is what is needed every day. The header `X-MCP-Toolsets` says the same where this is absent. */
                toolsets?: string;
                /** @description Where a result's data is: `structured` content, or `text` for clients that show their model nothing else. By default it is structured content, for protocol versions that have it (2025-06-18 and later). */
                results?: components["schemas"]["McpResultForm"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JsonRpcRequest"];
            };
        };
        responses: {
            /** @description A JSON-RPC answer. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcMessage"];
                };
            };
            /** @description A notification was accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description No such record: NOT_FOUND. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description Too many requests: RATE_LIMITED. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description An internal error: INTERNAL. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
        };
    };
    mcpReadonly: {
        parameters: {
            query?: {
                /** @description Which tools are offered: one or more of default, all, account, profiles, entities, subscriptions, billing, plans, delivery, orders, activity, reasons, events, webhooks, portal, separated by commas. `default` is what is needed every day. The header `X-MCP-Toolsets` says the same where this is absent. */
                toolsets?: string;
                /** @description Where a result's data is: `structured` content, or `text` for clients that show their model nothing else. By default it is structured content, for protocol versions that have it (2025-06-18 and later). */
                results?: components["schemas"]["McpResultForm"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JsonRpcRequest"];
            };
        };
        responses: {
            /** @description A JSON-RPC answer. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcMessage"];
                };
            };
            /** @description A notification was accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED, INVALID_JSON. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description A credential is missing or not valid: UNAUTHENTICATED. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The credential does not allow this: FORBIDDEN, ACCOUNT_MISMATCH. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description No such record: NOT_FOUND. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The body is too large: PAYLOAD_TOO_LARGE. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description The media type or encoding is not supported: UNSUPPORTED_MEDIA_TYPE. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description Too many requests: RATE_LIMITED. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description An internal error: INTERNAL. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
        };
    };
    getProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Protected resource metadata. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProtectedResourceOfMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Protected resource metadata. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProtectedResource"];
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocumentationPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Swagger UI. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocumentationJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI document. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Names this version of the content. */
                    ETag: string;
                    /** @description How long caches may keep it. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiDescription"];
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocumentationYaml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI document. */
            200: {
                headers: {
                    /** @description The id of this request in logs and errors. */
                    "X-Request-Id": string;
                    /** @description Names this version of the content. */
                    ETag: string;
                    /** @description How long caches may keep it. */
                    "Cache-Control": string;
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            /** @description Not modified since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is not valid: VALIDATION_FAILED. */
            400: components["responses"]["BadRequest"];
            /** @description Too many requests: RATE_LIMITED. */
            429: components["responses"]["TooManyRequests"];
            /** @description An internal error: INTERNAL. */
            500: components["responses"]["InternalServerError"];
            /** @description Temporarily unavailable: UNAVAILABLE. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receive_subscription_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.created";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_paused: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.paused";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_resumed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.resumed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_cancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.cancelled";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_reactivated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.reactivated";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_expired: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.expired";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_skipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.skipped";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_unskipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.unskipped";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_frequency_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.frequency_changed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_delivery_instructions_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.delivery_instructions_updated";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_delivery_rescheduled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.delivery_rescheduled";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_delivery_address_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.delivery_address_changed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_lines_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.lines_changed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_payment_method_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.payment_method_changed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_discount_applied: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.discount_applied";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_discount_removed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.discount_removed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_payment_reminder_due: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.payment_reminder_due";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_store_contract_linked: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.store_contract_linked";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_store_sync_refused: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.store_sync_refused";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_subscription_store_sync_agreed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "subscription.store_sync_agreed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_ship_now_requested: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.ship_now_requested";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_started: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.started";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_succeeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.succeeded";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_failed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.failed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_action_required: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.action_required";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_review_required: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.review_required";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_waiting: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.waiting";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_billing_wait_ended: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "billing.wait_ended";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_order_placed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "order.placed";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["OrderEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_order_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "order.updated";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["OrderEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_order_fulfilled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "order.fulfilled";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["OrderEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_order_cancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "order.cancelled";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["OrderEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_order_refunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "order.refunded";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["OrderEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_dunning_started: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "dunning.started";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_dunning_recovered: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "dunning.recovered";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_dunning_exhausted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "dunning.exhausted";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_dunning_customer_notified: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "dunning.customer_notified";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_dunning_notice_refused: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "dunning.notice_refused";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_profile_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "profile.created";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ProfileEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_profile_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "profile.updated";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ProfileEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_profile_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "profile.deleted";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["ProfileEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_portal_login_requested: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "portal.login_requested";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["PortalEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_account_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "account.updated";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["PlainEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_api_key_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "api_key.created";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["PlainEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_api_key_revoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "api_key.revoked";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["PlainEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_integration_: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The event's type. */
                    type: string;
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["IntegrationEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receive_webhook_test: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same with every try. */
                "webhook-id": string;
                /** @description When this try was sent: seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of id, timestamp and body, in base64 (Standard Webhooks); several divided by spaces while a secret is rotated. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The event's type.
                     * @enum {string}
                     */
                    type: "webhook.test";
                    /**
                     * Format: date-time
                     * @description When the event happened, in the account's own time.
                     * @example 2026-11-20T12:00:00.000Z
                     */
                    timestamp: string;
                    data: components["schemas"]["TestEvent"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again; 410 disables the endpoint. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted: it is tried again. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The paths whose POST takes an Idempotency-Key. */
export const keyedPaths: ReadonlySet<string> = new Set([
  "/api/account/test-clock",
  "/api/profiles",
  "/api/profiles/bulk-upload",
  "/api/profiles/{id}/addresses",
  "/api/subscriptions/entities",
  "/api/subscriptions",
  "/api/subscriptions/{id}/pause",
  "/api/subscriptions/{id}/resume",
  "/api/subscriptions/{id}/cancel",
  "/api/subscriptions/{id}/reactivate",
  "/api/subscriptions/{id}/skip",
  "/api/subscriptions/{id}/unskip",
  "/api/subscriptions/{id}/lines",
  "/api/subscriptions/{id}/discounts",
  "/api/subscriptions/{id}/ship-now",
  "/api/subscriptions/{id}/retry-payment",
  "/api/billing-attempts/{id}/settle",
  "/api/subscriptions/selling-plans",
  "/api/subscriptions/delivery-days",
  "/api/subscriptions/delivery-slots",
  "/api/activity-logs",
  "/api/webhook-endpoints",
  "/api/webhook-endpoints/{id}/rotate-secret",
  "/api/webhook-endpoints/{id}/test",
  "/api/webhook-endpoints/{id}/recover",
  "/api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend",
  "/api/subscriptions/skip-reasons",
  "/api/subscriptions/skip-reasons/reorder",
  "/api/subscriptions/pause-reasons",
  "/api/subscriptions/pause-reasons/reorder",
  "/api/subscriptions/cancellation-reasons",
  "/api/subscriptions/cancellation-reasons/reorder",
  "/api/portal/me/addresses"
]);

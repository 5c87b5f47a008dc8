/** A mail server that misbehaves at any step keeps nobody waiting, and the mail's state says what is known. */
import { startOnRuntime } from "./mailing.ts";
import { sessionsSuite } from "./suite.ts";

sessionsSuite(startOnRuntime);

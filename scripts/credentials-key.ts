// `npm run --silent credentials-key`: a new key for STORE_CREDENTIALS_KEY, in base64. With --add or --prune: the next value of
// the setting while its key is replaced, from the present one on standard input.
import { runKeyCommand } from "./key-command.ts";
import { credentialsKeySteps, newCredentialsKey } from "./keys.ts";

await runKeyCommand(newCredentialsKey, credentialsKeySteps);

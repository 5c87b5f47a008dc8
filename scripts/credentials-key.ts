// `npm run --silent credentials-key`: a new key for STORE_CREDENTIALS_KEY, in base64. With --add or --prune: the next value of
// the setting while its key is replaced, from the present one on standard input.
import { runKeyCommand } from "./key-command.ts";
import { credentialsKeySteps, newCredentialsKey } from "./keys.ts";

const usage = `Usage: npm run --silent credentials-key [-- --add|--prune]

Prints a new key for STORE_CREDENTIALS_KEY, in base64. To replace one, give the present setting on standard input:

    --add    prints the setting with a new key in front, which seals from then on
  --prune  prints only its first key`;

await runKeyCommand(usage, newCredentialsKey, credentialsKeySteps);

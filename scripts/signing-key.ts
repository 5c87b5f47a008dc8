// `npm run --silent signing-key`: a new private key for JWT_PRIVATE_JWK, as JSON. With --add, --promote or --prune: the next
// value of the setting while its key is replaced, from the present one on standard input.
import { runKeyCommand } from "./key-command.ts";
import { newSigningKey, signingKeySteps } from "./keys.ts";

const usage = `Usage: npm run --silent signing-key [-- --add|--promote|--prune]

Prints a new private key for JWT_PRIVATE_JWK, as JSON. To replace one, give the present setting on standard input:

  --add      the setting with a fresh key last: published and accepted, not signing yet
  --promote  the last key first: it signs from then on
  --prune    the first key alone`;

await runKeyCommand(usage, newSigningKey, signingKeySteps);

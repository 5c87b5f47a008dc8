// `npm run --silent signing-key`: a new private key for JWT_PRIVATE_JWK, as JSON. With --add, --promote or --prune: the next
// value of the setting while its key is replaced, from the present one on standard input.
import { runKeyCommand } from "./key-command.ts";
import { newSigningKey, signingKeySteps } from "./keys.ts";

const usage = `Usage: npm run --silent signing-key [-- --add|--promote|--prune]

Prints a new private key for JWT_PRIVATE_JWK, as JSON. To replace one, give the present setting on standard input:

    --add      prints the setting with a new key at the end: published and accepted, not signing yet
  --promote  prints it with the last key in front, which signs from then on
  --prune    prints only its first key`;

await runKeyCommand(usage, newSigningKey, signingKeySteps);

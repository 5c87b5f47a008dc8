// `npm run --silent signing-key`: a new private key for JWT_PRIVATE_JWK, as JSON. With --add, --promote or --prune: the next
// value of the setting while its key is replaced, from the present one on standard input.
import { runKeyCommand } from "./key-command.ts";
import { newSigningKey, signingKeySteps } from "./keys.ts";

await runKeyCommand(newSigningKey, signingKeySteps);

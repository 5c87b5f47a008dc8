// Stands in for "@modelcontextprotocol/server/_shims" in the Worker's bundle (`alias` in wrangler.toml): without the validator of JSON Schema, a
// hundredth of the script. It checks what clients answer when a server asks their users for something, and this one asks for nothing.

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("Nothing is validated by JSON Schema here");
  }
}

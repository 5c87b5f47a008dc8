/** A file's text, as Vite gives it. */
declare module "*.graphql?raw" {
  const text: string;
  export default text;
}

/** The text of a file, which Vite imports with `?raw`. */
declare module "*.graphql?raw" {
  const text: string;
  export default text;
}

/** The text of a page of docs/, which Vite imports with `?raw`. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}

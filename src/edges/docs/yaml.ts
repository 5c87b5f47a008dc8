/** Alone in its file, which is loaded when it is first asked for: the bundler leaves out the rest of the package. */
export { dump as writeYaml } from "js-yaml";

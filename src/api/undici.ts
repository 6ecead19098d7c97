/**
 * What is used of undici, to be loaded with import() when the first request is made. The bundler gives a CommonJS
 * package that is imported so directly no named exports.
 */

export { Client, getGlobalDispatcher } from "undici";

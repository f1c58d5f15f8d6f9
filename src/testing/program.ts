import { fileURLToPath } from 'node:url';

/** The command line, beside this module in the package; that of CommonJS is one folder deeper. */
export const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('/commonjs/testing.js') ? '../cli.js' : './cli.js', import.meta.url),
);

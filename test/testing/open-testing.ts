import { pathToFileURL } from 'node:url';
import type * as testing from '../../src/testing/testing.js';
import { builtScript } from '../support/program.js';

/** Loads the module `pipit/testing` of the test run's build, which finds the program beside it. */
export async function openTesting(): Promise<typeof testing> {
  return (await import(pathToFileURL(builtScript('testing.ts')).href)) as typeof testing;
}

import { foundation } from './0001-foundation.js';
import { jobs } from './0002-jobs.js';
import type { Migration } from './migration.js';

/** Every step of the schema, in order. New ones go to the end. */
export const migrations: readonly Migration[] = [foundation, jobs];

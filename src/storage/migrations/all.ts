import { foundation } from './0001-foundation.js';
import type { Migration } from './migration.js';

/** Every step of the schema, in order. New ones go to the end. */
export const migrations: readonly Migration[] = [foundation];

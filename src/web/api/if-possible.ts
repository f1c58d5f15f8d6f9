import { PipitError } from '../../core/errors.js';

/** Returns undefined for what the API refuses, for parts that a page is worth showing without. */
export async function ifPossible<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PipitError) return undefined;
    throw error;
  }
}

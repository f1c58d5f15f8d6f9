import { findOwnPackage } from '../core/package-folder.js';

/** Returns the version in Pipit's package.json. */
export function pipitVersion(): string {
  return findOwnPackage()?.manifest.version ?? 'unknown';
}

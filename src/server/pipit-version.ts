import { findOwnPackage } from '../core/package-folder.js';

const version = findOwnPackage()?.manifest.version ?? 'unknown';

/** Returns the version in Pipit's package.json. */
export function pipitVersion(): string {
  return version;
}

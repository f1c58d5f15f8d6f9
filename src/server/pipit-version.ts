import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** Returns the version in Pipit's package.json, which is in the folder of the running code or above. */
export function pipitVersion(folder = import.meta.dirname): string {
  const { name, version } = manifestIn(folder);
  if (name === 'pipit' && version !== undefined) return version;
  return dirname(folder) === folder ? 'unknown' : pipitVersion(dirname(folder));
}

function manifestIn(folder: string): Manifest {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

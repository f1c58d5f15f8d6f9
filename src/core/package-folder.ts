import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The members of its package.json that Pipit reads. */
interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** Pipit's package: the folder of its package.json, which is that of the running code or above. */
export interface OwnPackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Returns Pipit's package; undefined when the code runs outside it. */
export function findOwnPackage(folder = import.meta.dirname): OwnPackage | undefined {
  const manifest = manifestIn(folder);
  if (manifest.name === 'pipit') return { folder, manifest };
  return dirname(folder) === folder ? undefined : findOwnPackage(dirname(folder));
}

function manifestIn(folder: string): Manifest {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
}

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../scripts/build.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache');

const run = promisify(execFile);

/** What a checkout has: the part that is packed, and some that must not be. */
const COPIED = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'Dockerfile',
  'docs',
  'examples',
  'scripts',
  'test/support',
];

/** A packed and unpacked package, in a folder from which it finds its dependencies. */
export interface StagedPackage extends AsyncDisposable {
  /** The folder of the project that has the package installed. */
  readonly project: string;
  /** The folder of the package. */
  readonly folder: string;
  /** The packed files. */
  readonly files: readonly string[];
}

/** Builds the sources, packs them as `npm pack` does, and unpacks the result in a project of its own. */
export async function stagePackage(): Promise<StagedPackage> {
  await mkdir(CACHE, { recursive: true });
  const project = await mkdtemp(join(CACHE, 'pipit-package-'));
  const checkout = join(project, 'checkout');
  for (const name of COPIED) await cp(join(ROOT, name), join(checkout, name), { recursive: true });
  await buildPackage(join(checkout, 'dist'));
  // Scripts are off: the build has happened, and `prepare` would look for the tools of a checkout.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: checkout });
  const [packed] = JSON.parse(stdout) as readonly { filename: string; files: readonly { path: string }[] }[];
  if (!packed) throw new Error('npm packed nothing');
  const folder = join(project, 'node_modules', 'pipit');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(checkout, packed.filename), '-C', folder, '--strip-components=1']);
  return {
    project,
    folder,
    files: packed.files.map(({ path }) => path),
    [Symbol.asyncDispose]: () => rm(project, { recursive: true, force: true }),
  };
}

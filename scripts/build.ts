import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

/** Files that led programs load (src/lead/), which stay as they are. */
const COPIED = /\.(?:cjs|py)$/;
const COPY = { '.cjs': 'copy', '.py': 'copy' } as const;

/**
 * Bundles the program and the scripts of its threads and child processes into one folder, and `more` scripts if there
 * are any: loading its hundreds of modules one by one takes longer than everything else at start. Packages stay
 * outside.
 */
export async function bundle(folder: string, more: readonly string[] = []): Promise<void> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const scripts = names.filter((name) => name.endsWith('.js'));
  const copies = names.filter((name) => COPIED.test(name));
  await build({
    absWorkingDir: ROOT,
    // A module refers to a script as its neighbour (`./count-worker.js`): all of them are put side by side.
    entryPoints: [
      ...[...['cli.ts', ...scripts].map((name) => join('src', name)), ...more].map((file) => ({
        in: file,
        out: nameOf(file),
      })),
      ...copies.map((name) => ({ in: join('src', name), out: outOfCopy(name) })),
    ],
    loader: COPY,
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  });
}

/** Translates each module of the sources, except tests, into a folder. */
export async function translate(folder: string): Promise<void> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const modules = names.filter(
    (name) => (/\.[jt]s$/.test(name) || COPIED.test(name)) && !name.endsWith('.test.ts'),
  );
  await build({
    absWorkingDir: ROOT,
    entryPoints: modules.map((name) => join('src', name)),
    outdir: folder,
    outbase: 'src',
    loader: COPY,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

/** Returns the place of a copy: beside the bundle, in its own folder if that is below one of `src/`. */
function outOfCopy(name: string): string {
  return join(...dirname(name).split(sep).slice(1), basename(name, extname(name)));
}

function nameOf(file: string): string {
  return basename(file).replace(/\.[jt]s$/, '');
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(ROOT, 'dist');
  await rm(folder, { recursive: true, force: true });
  await bundle(folder);
}

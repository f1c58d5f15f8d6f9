import { execFile } from 'node:child_process';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { build, type BuildOptions } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import { PROGRAM_FILE, PROGRAM_PARAMETERS } from '../src/compiled-program.js';

const ROOT = join(import.meta.dirname, '..');

/** Files that led programs load (src/lead/), which stay as they are. */
const COPIED = /\.(?:cjs|py)$/;
const COPY = { '.cjs': 'copy', '.py': 'copy' } as const;

/** The options of all bundles for Node. Packages stay outside. */
const FOR_NODE: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};

/** Bundles the program with its launcher and the scripts of its threads and child processes, and `more` scripts. */
export async function bundle(folder: string, more: readonly string[] = []): Promise<void> {
  await Promise.all([bundleScripts(folder, more), bundleProgram(folder)]);
  await promisify(execFile)(process.execPath, [...RUN_SOURCE, join(ROOT, 'scripts', 'warm-up.ts'), folder]);
}

const RUN_SOURCE = ['--import', join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs')];

/** The packages that the program requires; the others are only for modules, which not every version of Node requires. */
const packagesOutside = Object.keys(manifest.dependencies).filter(
  (name) => !['file-type', 'eld'].includes(name),
);

/** Bundles the program into one script, which src/compiled-program.ts runs. */
async function bundleProgram(folder: string): Promise<void> {
  const contents = ['process-io', 'program'].map((name) => `export * from './commands/${name}.ts';`).join('');
  await build({
    ...FOR_NODE,
    stdin: { contents, resolveDir: join(ROOT, 'src') },
    outfile: join(folder, PROGRAM_FILE),
    format: 'cjs',
    define: { 'import.meta': 'ownMeta' },
    // Only modules can import.
    supported: { 'dynamic-import': false },
    packages: 'bundle',
    external: packagesOutside,
    banner: { js: `(function (${PROGRAM_PARAMETERS.join(', ')}) {` },
    footer: { js: '})' },
  });
}

/**
 * Bundles the scripts that run by themselves: loading hundreds of modules one by one takes longer than everything else
 * at start.
 */
async function bundleScripts(folder: string, more: readonly string[]): Promise<void> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const scripts = names.filter((name) => name.endsWith('.js'));
  const copies = names.filter((name) => COPIED.test(name));
  await build({
    ...FOR_NODE,
    // A module refers to a script as its neighbour (`./count-worker.js`): all of them are put side by side.
    entryPoints: [
      { in: join('src', 'launcher.ts'), out: 'cli' },
      ...[...['testing/testing.ts', ...scripts].map((name) => join('src', name)), ...more].map((file) => ({
        in: file,
        out: nameOf(file),
      })),
      ...copies.map((name) => ({ in: join('src', name), out: outOfCopy(name) })),
    ],
    loader: COPY,
    outdir: folder,
    splitting: true,
    format: 'esm',
  });
}

/** Builds `pipit/testing` for `require`, which jest uses, in a folder whose package.json says so. */
export async function bundleCommonJs(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join('src', 'testing', 'testing.ts')],
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'ownUrl' },
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

/** Writes the types of `pipit/testing` into folders. Those of CommonJS differ only in the package.json beside them. */
export async function declareTesting(...folders: readonly string[]): Promise<void> {
  const compiler = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  const project = join(ROOT, 'src', 'testing', 'tsconfig.json');
  const [first = '', ...others] = folders;
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', first]);
  for (const folder of others) await cp(first, folder, { recursive: true });
}

/** Bundles the script of the web client, which browsers run. */
export async function bundleClient(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: join('src', 'web', 'client', 'main.ts'), out: 'web-client' }],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    alias: { 'node:url': join(ROOT, 'src', 'web', 'client', 'node-url.ts') },
    target: ['chrome109', 'firefox115', 'safari16'],
    logLevel: 'warning',
  });
}

/** Builds what the package contains: the program, the script of its pages and `pipit/testing`. */
export async function buildPackage(folder: string): Promise<void> {
  const commonJs = join(folder, 'commonjs');
  await Promise.all([bundle(folder), bundleClient(folder), bundleCommonJs(commonJs)]);
  await declareTesting(join(folder, 'testing'), commonJs);
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
  await buildPackage(folder);
}

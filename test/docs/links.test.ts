import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

function filesOf(...patterns: string[]): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Returns the anchors of a page’s headings, as GitHub generates them. */
function anchorsOf(page: string): Set<string> {
  const headings = textOf(page).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

/** Returns what is wrong with a reference to a page, with or without an anchor; undefined if it is valid. */
function faultOf(page: string, anchor: string | undefined): string | undefined {
  if (!existsSync(join(ROOT, page))) return `there is no ${page}`;
  return anchor === undefined || anchorsOf(page).has(anchor)
    ? undefined
    : `${page} has no heading #${anchor}`;
}

test('links in documents lead to existing files and headings', () => {
  const faults: string[] = [];
  let links = 0;
  for (const page of filesOf('*.md')) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      links += 1;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
      const fault = faultOf(file, anchor);
      if (fault !== undefined) faults.push(`${page}: ${fault}`);
    }
  }
  expect(links).toBeGreaterThan(30);
  expect(faults).toEqual([]);
});

test('comments cite existing documents and headings', () => {
  const faults: string[] = [];
  let citations = 0;
  for (const file of filesOf('src', 'test', 'bench')) {
    if (!/\.(ts|js|py)$/.test(file)) continue;
    for (const [, page = '', anchor] of textOf(file).matchAll(/\b(docs\/[a-z/-]+\.md)(?:#([a-z0-9-]+))?/g)) {
      citations += 1;
      const fault = faultOf(page, anchor);
      if (fault !== undefined) faults.push(`${file}: ${fault}`);
    }
  }
  expect(citations).toBeGreaterThan(300);
  expect(faults).toEqual([]);
});

/** Returns the names in a code span without `src/` and `.ts`: two for `views/{post,user}`. */
function namesIn(span: string): string[] {
  const [, start = '', middle = span, end = ''] = /^([^{]*)\{(.+)\}(.*)$/.exec(span) ?? [];
  const names = start === '' ? [middle] : middle.split(',').map((part) => start + part + end);
  return names.map((name) => name.replace(/^src\//, ''));
}

test('documents of the design name existing files of src', () => {
  const files = filesOf('src').map((file) => file.slice('src/'.length));
  const folders = new Set(files.map((file) => file.split('/')[0]));
  const faults: string[] = [];
  let named = 0;
  for (const page of filesOf('ARCHITECTURE.md', 'docs/design/*.md')) {
    const spans = [...textOf(page).matchAll(/`([\w/.{},*-]+)`/g)].flatMap(([, span = '']) => namesIn(span));
    for (const name of spans) {
      // A path from `src/`, or the name of a file that the text places. A folder ends with a slash or an asterisk.
      if (name.includes('/') ? !folders.has(name.split('/')[0]) : !name.endsWith('.ts')) continue;
      named += 1;
      const [path = '', ...rest] = name.replace(/\.ts$/, '').split('*');
      const exists = files.some((file) => {
        if (rest.length > 0 || path.endsWith('/')) return file.startsWith(path);
        return path.includes('/') ? file === `${path}.ts` : `/${file}`.endsWith(`/${path}.ts`);
      });
      if (!exists) faults.push(`${page}: there is no ${name}`);
    }
  }
  expect(named).toBeGreaterThan(250);
  expect(faults).toEqual([]);
});

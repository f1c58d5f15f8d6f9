import { expect, test } from 'vitest';
import { readingFile, UnreadableFile } from './unreadable-file.js';

const failing = (code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code}: words of the system, open 'x'`), { code }));

test.each([
  ['ENOENT', 'cannot read x.json: there is no such file'],
  ['ENOTDIR', 'cannot read x.json: there is no such file'],
  ['EISDIR', 'cannot read x.json: it is a folder'],
  ['EACCES', 'cannot read x.json: permission denied'],
  ['EIO', 'cannot read x.json: EIO'],
])('the system error %s is reported as "%s"', async (code, message) => {
  const error: unknown = await readingFile('x.json', failing(code)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableFile);
  expect(error).toMatchObject({ file: 'x.json', message });
});

test('other errors are rethrown unchanged', async () => {
  const error = Object.assign(new Error('another'), { code: 'ERR_OTHER' });
  await expect(readingFile('x.json', () => Promise.reject(error))).rejects.toBe(error);
  expect(await readingFile('x.json', () => Promise.resolve(5))).toBe(5);
});

import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRecordingLog, RecordingLog, type LogLine } from '../../src/recording/recording-log.js';
import { temporaryFolder } from '../support/cli.js';

/** The log that keeps a recording on disk as it goes. */

const sighting = (key: string): LogLine => ({ sighting: { kind: 'users', key, object: { id: key } } });

async function linesOf(file: string): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of readRecordingLog(file)) lines.push(line);
  return lines;
}

test('has its summary and then what is appended', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('log');
  const summary = () => [sighting('1')];
  const log = await RecordingLog.begin({ file, summary, onFailure: (error) => expect.fail(String(error)) });
  for (const key of ['2', '3']) log.append(sighting(key));
  await log.close();
  expect(await linesOf(file)).toEqual(['1', '2', '3'].map(sighting));
});

test('becomes short again when it repeats much', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('log');
  const options = { file, summary: () => [sighting('1')], maxSurplusBytes: 1_000 };
  const log = await RecordingLog.begin({ ...options, onFailure: (error) => expect.fail(String(error)) });
  for (let n = 0; n < 500; n += 1) log.append(sighting('1'));
  await log.close();
  expect((await readFile(file)).length).toBeLessThan(1_100);
});

test('reports the first error of the disk, and takes no more', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('log');
  const errors: unknown[] = [];
  let appended = 0;
  const log = await RecordingLog.begin({
    file,
    // A summary that cannot be written stands for a full disk.
    summary: function* () {
      if (errors.length === 0 && appended > 0) throw new Error('no space');
      yield sighting('1');
    },
    onFailure: (error) => errors.push(error.message),
    maxSurplusBytes: 1,
  });
  appended += 1;
  log.append(sighting('2'));
  await log.close();
  log.append(sighting('3'));
  await log.close();
  expect(errors).toEqual(['no space']);
});

test('is read without lines that are cut or damaged', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('log'), `${JSON.stringify(sighting('1'))}\nnull\n[]\n\xff{"\n{"sighting":{"ki`);
  expect(await linesOf(folder.file('log'))).toEqual([sighting('1')]);
  expect(await linesOf(folder.file('none'))).toEqual([]);
});

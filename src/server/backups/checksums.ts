import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileExists } from '../../database/private-file.js';
import { BackupRefused } from './backup-refused.js';
import { SUMS } from './manifest.js';

/** The checksum of a file of a backup; `name` is its path in the folder. */
export interface FileSum {
  readonly name: string;
  readonly sha256: string;
}

/** A line of `SHA256SUMS`, which `sha256sum --check` reads too. */
const LINE =
  /^([0-9a-f]{64}) {2}(backup\.json|pipit\.(?:db|dump|key)|media\/[0-9]{2}\/[0-9]{1,19}\/[A-Za-z0-9_-]+(?:\.[a-z0-9]+)?)$/;

export function lineOf({ name, sha256 }: FileSum): string {
  return `${sha256}  ${name}\n`;
}

/** Reads the checksums of a backup in their order. Throws BackupRefused for anything else in the file. */
export async function* readSums(folder: string): AsyncGenerator<FileSum> {
  let rest = '';
  const file = join(folder, SUMS);
  if (!(await fileExists(file))) throw damaged(folder);
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield sumIn(line, folder);
  }
  // A file that was cut off does not end with its last line.
  if (rest !== '') throw damaged(folder);
}

function sumIn(line: string, folder: string): FileSum {
  const [, sha256, name] = LINE.exec(line) ?? [];
  if (sha256 === undefined || name === undefined) throw damaged(folder);
  return { name, sha256 };
}

function damaged(folder: string): BackupRefused {
  return new BackupRefused(`${join(folder, SUMS)} is missing or damaged`);
}

/** Returns the checksum and size of a file. Throws system errors. */
export async function sumOf(file: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { sha256: hash.digest('hex'), bytes };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';

const SETTINGS = join(import.meta.dirname, '..', '..', '.oxfmtrc.json');

/** Returns a generated document as `npm run format` writes it. */
export async function formatted(file: string, text: string): Promise<string> {
  return (await format(file, text, JSON.parse(await readFile(SETTINGS, 'utf8')))).code;
}

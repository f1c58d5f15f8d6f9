import { importTwarc } from '../../src/archive/import-twarc.js';
import { fileSource } from '../../src/archive/source.js';
import { openEngine } from '../../src/database/open-engine.js';

/**
 * A process that imports a file and prints a line after each batch, for the test that kills it. It stops in the
 * middle of its third batch.
 */
const [database = '', file = ''] = process.argv.slice(2);
const engine = await openEngine(`sqlite:${database}`, { durability: 'full' });
let batches = 0;
const indexPosts = (): Promise<void> => {
  batches += 1;
  // A pending timer keeps the process alive.
  return batches < 3 ? Promise.resolve() : new Promise(() => setInterval(() => undefined, 1_000));
};
await importTwarc({ engine, indexPosts }, [await fileSource(file)], {
  onProgress: ({ lines }) => process.stdout.write(`${lines}\n`),
});
await engine.close();

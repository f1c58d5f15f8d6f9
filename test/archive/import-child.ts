import { importTwarc } from '../../src/archive/import-twarc.js';
import { fileSource } from '../../src/archive/source.js';
import { openEngine } from '../../src/storage/open-engine.js';

/** A process of its own that imports a file and says a word after each batch, for the test that kills it. */
const [database = '', file = ''] = process.argv.slice(2);
const engine = await openEngine(`sqlite:${database}`, { durability: 'full' });
await importTwarc({ engine, indexPosts: () => Promise.resolve() }, [await fileSource(file)], {
  onProgress: ({ lines }) => process.stdout.write(`${lines}\n`),
});
await engine.close();

/**
 * The worker of snapshot-source.ts: reads a copied database on a separate thread. Plain JavaScript, so that a worker
 * thread can load it both from the sources and from the build. Posts what it found.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { describeFile } from './describe-rows.js';

/** @type {{ file: string, names: string }} */
const { file, names } = workerData;
try {
  parentPort?.postMessage(await describeFile(file, names));
} catch (error) {
  // Error classes lose their members between threads.
  throw new Error(error instanceof Error ? error.message : String(error));
}

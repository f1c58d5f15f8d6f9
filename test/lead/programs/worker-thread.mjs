import { Worker } from 'node:worker_threads';

new Worker(new URL('./fetch.mjs', import.meta.url));

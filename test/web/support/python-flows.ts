import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ConsentDesk } from './consent-desk.js';
import { CALLBACK, NATIVE_APP, WEB_APP } from './web-world.js';

/** A Python that has the module. The distribution's interpreter knows its packages; others may come first in the path. */
export const pythonWith = (module: string): string | undefined =>
  ['/usr/bin/python3', 'python3'].find(
    (candidate) => spawnSync(candidate, ['-c', `import ${module}`]).status === 0,
  );

/** Runs a Python script that has addresses opened at the desk between its steps; resolves to its results. */
export async function runFlows(interpreter: string, file: string, desk: ConsentDesk): Promise<unknown> {
  const script = spawn(interpreter, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const say = (line: string) => script.stdin.write(`${line}\n`);
  say(
    JSON.stringify({
      port: desk.port,
      apiKey: WEB_APP.api_key,
      apiSecret: WEB_APP.api_secret,
      clientId: WEB_APP.client_id,
      clientSecret: WEB_APP.client_secret,
      publicClientId: NATIVE_APP.client_id,
      callback: CALLBACK,
    }),
  );
  let results: unknown;
  for await (const line of createInterface({ input: script.stdout })) {
    const told = JSON.parse(line) as { open?: string; results?: unknown };
    if (told.open !== undefined) say(await desk.allowAt(told.open));
    results = told.results;
  }
  return results;
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ConsentServer } from './consent-server.js';
import { CALLBACK, NATIVE_APP, WEB_APP } from './web-world.js';

/** Runs a Python script that has addresses opened between its steps; returns its results. */
export async function runFlows(
  interpreter: string,
  file: string,
  consentServer: ConsentServer,
): Promise<unknown> {
  const script = spawn(interpreter, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const say = (line: string) => script.stdin.write(`${line}\n`);
  say(
    JSON.stringify({
      port: consentServer.port,
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
    const message = JSON.parse(line) as { open?: string; results?: unknown };
    if (message.open !== undefined) say(await consentServer.allowAt(message.open));
    results = message.results;
  }
  return results;
}

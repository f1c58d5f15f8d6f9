import type { LedBrowser } from '../lead/browser.js';
import { isLedHost } from '../lead/hosts.js';
import type { Lead } from '../lead/lead.js';
import type { CommandIo } from './command.js';

interface Run {
  readonly lead: Pick<Lead, 'refusals'>;
  /** Added to the environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly command: readonly [string, ...string[]] | undefined;
  readonly browser: LedBrowser | undefined;
}

/**
 * Runs a program to its end, with a browser beside it if there is one, or else the browser alone, and reports what was
 * refused. Returns the exit status.
 */
export async function runLed(io: CommandIo, { lead, variables, command, browser }: Run): Promise<number> {
  const { runProgram, startBeside } = await import('../lead/led-program.js');
  const main = command ?? browser?.command;
  if (!main) return 0;
  const env = { ...io.env, ...variables };
  const beside = command && browser ? startBeside(browser.command, env) : undefined;
  const outcome = await runProgram({
    command: main,
    env,
    onSignal: (listener) => io.onSignal(listener),
    isTerminal: io.isTerminal,
  });
  await beside?.end();
  for (const [host, count] of await lead.refusals()) {
    // A browser also requests hosts of its maker.
    if (!browser || isLedHost(host)) io.note(`pipit: ${describeRefusals(host, count)}`);
  }
  if (typeof outcome === 'number') return outcome;
  io.note(`pipit: ${outcome.reason}`);
  return outcome.status;
}

function describeRefusals(host: string, count: number): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return isLedHost(host)
    ? `refused ${times}: a connection to ${host} that did not end at Pipit`
    : `refused ${times}: a request to ${host}, which is not a host of X; --allow ${host} permits it`;
}

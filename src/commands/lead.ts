import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { systemClock } from '../core/clock.js';
import { isLedHost } from '../lead/hosts.js';
import { CommandRefused, type CommandIo } from './command.js';
import type { LeadServer } from './lead-server.js';
import { collect } from './setting-options.js';

interface LeadFlags {
  readonly url?: string;
  readonly load?: readonly string[];
  readonly allow?: readonly string[];
  readonly authority?: string;
  readonly verbose?: true;
}

/** Adds `pipit lead`, which calls `end` with the status of the program that it runs. */
export function addLeadCommand(program: Command, io: CommandIo, end: (status: number) => void): void {
  program
    .command('lead')
    .usage('[options] -- COMMAND...')
    .description("run a program whose requests to X's hosts arrive at Pipit; everything else stays as it is")
    .argument('<command...>', 'the program and its arguments')
    .option('--url <url>', 'lead to this running server; default: to a new one in memory')
    .addOption(
      new Option('--load <file>', 'a world file for the new server (repeatable; default demo)').argParser(
        collect,
      ),
    )
    .addOption(
      new Option(
        '--allow <host>',
        'another host that programs without a preload may reach (repeatable; *.HOST for its names, * for every host)',
      ).argParser(collect),
    )
    .option('--authority <folder>', 'the folder of the certificate authority (default data/lead)')
    .option('--verbose', 'report the server and its log on standard error')
    .action(async (command: [string, ...string[]], flags: LeadFlags) =>
      end(await leadProgram(io, command, flags)),
    );
}

async function leadProgram(
  io: CommandIo,
  command: readonly [string, ...string[]],
  flags: LeadFlags,
): Promise<number> {
  const { openLead } = await import('../lead/lead.js');
  const { runProgram } = await import('../lead/led-program.js');
  await using server = await openServer(io, flags);
  await using lead = await openLead({
    pipit: server.address,
    env: io.env,
    allow: flags.allow ?? [],
    authorityFolder: flags.authority ?? join(io.folder, 'data', 'lead'),
    clock: systemClock,
  });
  if (flags.verbose) io.note(`pipit: leading to ${server.url}`);
  const outcome = await runProgram({
    command,
    env: { ...io.env, ...lead.variables, ...server.variables },
    onSignal: (listener) => io.onSignal(listener),
    isTerminal: io.isTerminal,
  });
  for (const [host, count] of await lead.refusals()) io.note(`pipit: ${describeRefusals(host, count)}`);
  if (typeof outcome === 'number') return outcome;
  io.note(`pipit: ${outcome.reason}`);
  return outcome.status;
}

async function openServer(io: CommandIo, { url, load, verbose }: LeadFlags): Promise<LeadServer> {
  const { startServer, useServer } = await import('./lead-server.js');
  if (url === undefined) return startServer(io, load ?? ['demo'], verbose === true);
  if (load) throw new CommandRefused('--load is for a new server: leave it out, or leave --url out', 2);
  return useServer(url);
}

function describeRefusals(host: string, count: number): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return isLedHost(host)
    ? `refused ${times}: a connection to ${host} that did not end at Pipit`
    : `refused ${times}: a request to ${host}, which is not a host of X; --allow ${host} permits it`;
}

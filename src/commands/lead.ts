import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { systemClock } from '../core/clock.js';
import type { LedBrowser } from '../lead/browser.js';
import { hostsFileCommand } from '../lead/hosts-file-command.js';
import { isLedHost } from '../lead/hosts.js';
import type { Lead } from '../lead/lead.js';
import { CommandRefused, type CommandIo } from './command.js';
import { describeFailure } from './failures.js';
import { FORMATS, hold, printEnvironment, type Format } from './lead-environment.js';
import type { LeadServer } from './lead-server.js';
import { collect } from './setting-options.js';

type CommandLine = readonly [string, ...string[]];

interface LeadFlags {
  readonly url?: string;
  readonly load?: readonly string[];
  readonly allow?: readonly string[];
  readonly authority?: string;
  readonly verbose?: true;
  readonly printEnv?: true | Format;
  readonly browser?: true | string;
  readonly hold?: true;
  readonly hostsFile?: true;
}

/** Adds `pipit lead`, which calls `end` with the status of the program that it runs. */
export function addLeadCommand(program: Command, io: CommandIo, end: (status: number) => void): void {
  const repeatable = (flags: string, help: string) => new Option(flags, help).argParser(collect);
  program
    .command('lead')
    .usage('[options] -- COMMAND...')
    .description("run a program whose requests to X's hosts arrive at Pipit; everything else stays as it is")
    .argument('[command...]', 'the program and its arguments')
    .option('--url <url>', 'lead to this running server; default: to a new one in memory')
    .addOption(repeatable('--load <file>', 'a world file for the new server (repeatable; default demo)'))
    .addOption(
      repeatable(
        '--allow <host>',
        'another host that programs without a preload may reach (repeatable; *.HOST for its names, * for every host)',
      ),
    )
    .option('--authority <folder>', 'the folder of the certificate authority (default data/lead)')
    .option('--hosts-file', 'lead by a hosts file too, which only the program sees (root on Linux)')
    .option('--browser [program]', 'open a Chromium that is led, beside the program or alone')
    .addOption(
      new Option(
        '--print-env [format]',
        'lead in the background and print the variables for programs, as shell or github',
      ).choices(FORMATS),
    )
    .addOption(new Option('--hold').hideHelp())
    .option('--verbose', 'report the server and its log on standard error')
    .action((command: readonly string[], flags: LeadFlags) => lead(io, command, flags, end));
}

async function lead(
  io: CommandIo,
  command: readonly string[],
  flags: LeadFlags,
  end: (status: number) => void,
): Promise<void> {
  if (flags.printEnv) {
    if (command.length > 0 || flags.hostsFile) {
      throw new CommandRefused('--print-env leads no program: leave the program and --hosts-file out', 2);
    }
    return printEnvironment(io, optionsOf(flags), flags.printEnv === true ? 'shell' : flags.printEnv);
  }
  const [given, ...args] = command;
  // Such as an unset variable of a script in quotation marks.
  const name = given || undefined;
  if (name === undefined && !flags.browser && !flags.hold) {
    throw new CommandRefused('name a program: pipit lead -- COMMAND, or add --browser or --print-env', 2);
  }
  if (flags.hostsFile) await requireMounts();
  await using server = await openServer(io, flags);
  const { openLead } = await import('../lead/lead.js');
  await using led = await openLead({
    pipit: server.address,
    env: io.env,
    allow: flags.allow ?? [],
    authorityFolder: flags.authority ?? join(io.folder, 'data', 'lead'),
    clock: systemClock,
    hasHostsFile: flags.hostsFile,
  });
  const variables = { ...led.variables, ...server.variables };
  io.onUncaughtError((error) => io.note(`pipit: ${describeFailure(error).lines.join('; ')}`));
  if (flags.verbose) io.note(`pipit: leading to ${server.url}`);
  // Awaited: what leads ends with this function.
  if (flags.hold) return await hold(io, variables);
  await using browser = flags.browser ? await browserOf(io, led, flags.browser) : undefined;
  end(
    await runLed(
      io,
      led,
      { ...io.env, ...variables },
      name === undefined ? undefined : commandOf(led, [name, ...args], flags),
      browser,
    ),
  );
}

/** Throws CommandRefused where a program cannot have its own hosts file. */
async function requireMounts(): Promise<void> {
  const { canMount } = await import('../lead/hosts-file-command.js');
  if (!canMount()) throw new CommandRefused('--hosts-file needs root on Linux, and unshare', 1);
}

function commandOf(led: Lead, command: CommandLine, { hostsFile }: LeadFlags): CommandLine {
  return hostsFile ? hostsFileCommand(led.hostsFile, command) : command;
}

async function browserOf(io: CommandIo, led: Lead, flag: true | string): Promise<LedBrowser> {
  const { findBrowser, openBrowser } = await import('../lead/browser.js');
  const program = flag === true ? await findBrowser(io.env['PATH']) : flag;
  if (program === undefined)
    throw new CommandRefused('there is no Chromium in the path: --browser PROGRAM names one');
  return openBrowser(program, led);
}

/** Returns the options for the same lead in another process. */
function optionsOf({ url, load = [], allow = [], authority }: LeadFlags): string[] {
  const single = Object.entries({ '--url': url, '--authority': authority });
  return [
    ...single.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value])),
    ...load.flatMap((file) => ['--load', file]),
    ...allow.flatMap((host) => ['--allow', host]),
  ];
}

async function openServer(io: CommandIo, { url, load, verbose }: LeadFlags): Promise<LeadServer> {
  const { startServer, useServer } = await import('./lead-server.js');
  if (url === undefined) return startServer(io, load ?? ['demo'], verbose === true);
  if (load) throw new CommandRefused('--load is for a new server: leave it out, or leave --url out', 2);
  return useServer(url);
}

/**
 * Runs a program to its end, with a browser beside it if there is one, or else the browser alone, and reports what was
 * refused. Returns the exit status.
 */
async function runLed(
  io: CommandIo,
  lead: Lead,
  env: NodeJS.ProcessEnv,
  command: CommandLine | undefined,
  browser: LedBrowser | undefined,
): Promise<number> {
  const { runProgram, startBeside } = await import('../lead/led-program.js');
  const main = command ?? browser?.command;
  if (!main) return 0;
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

import type { Command } from 'commander';
import { readConfig, type ServeFlags } from '../config.js';
import { collect, printResult, withCommonOptions, type CommandIo, type CommonOptions } from './command.js';

/** `pipit serve` (reference/world-file.md). */
export function addServeCommand(program: Command, io: CommandIo): void {
  withCommonOptions(program.command('serve'))
    .description('run the server; every option has a variable PIPIT_... in the environment')
    .option('--port <port>', 'default 8080; 0 takes a free one')
    .option('--host <host>', 'default 127.0.0.1')
    .option('--load <file>', 'a world file to add before listening (repeatable)', collect)
    .option('--base-url <url>', 'where clients reach the server, when not at host and port')
    .option('--trusted-proxy <address>', 'whose forwarding headers to believe (repeatable)', collect)
    .option('--workers <number>', 'processes; this version runs 1')
    .option('--rate-limits <mode>', 'standard, off, or a factor for every limit')
    .option('--post-cap <mode>', 'standard or off')
    .option('--durability <mode>', 'full: acknowledged means on disk; relaxed: a power cut may cost a moment')
    .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent')
    .action((options: ServeFlags & CommonOptions) => serve(io, options));
}

/** Runs until the process is asked to stop, then lets running requests end. */
async function serve(io: CommandIo, options: ServeFlags & CommonOptions): Promise<void> {
  const config = readConfig(options, io.env);
  const stopRequested = io.stopRequested();
  const { createLog } = await import('../log.js');
  const { curlLine } = await import('../first-start.js');
  const { startPipit } = await import('../start.js');
  const log = createLog(config.logLevel);
  await using pipit = await startPipit(config, { log });
  const { url, firstStart } = pipit;
  if (firstStart) {
    const { credentials, file } = firstStart;
    io.note('This is the first start: there is an owner, an app and tokens now.');
    io.note(file === undefined ? JSON.stringify(credentials) : `Their secrets are in ${file}.`);
    io.note(`Try: ${curlLine(url, firstStart, io.folder)}`);
  }
  printResult(io, {}, { json: { url }, text: `pipit listening on ${url}` });
  await stopRequested;
  log.info('stopping');
}

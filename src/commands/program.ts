import { Command, CommanderError } from 'commander';
import { addAppCommands } from './apps.js';
import { addAuditCommand } from './audit.js';
import { addAuthorizeCommand } from './authorize.js';
import { addClusterCommands } from './cluster.js';
import { addBackupCommands } from './backup.js';
import type { CommandIo, RunningCommand } from './command.js';
import { addDoctorCommand } from './doctor.js';
import { describeFailure } from './failures.js';
import { addFollowRequestCommands } from './follow-requests.js';
import { addImportCommands } from './import.js';
import { addJobCommands } from './jobs.js';
import { addLeadCommand } from './lead.js';
import { addLoadCommand } from './load.js';
import { addServeCommand } from './serve.js';
import { addMoveCommand } from './move.js';
import { pipitVersion } from '../server/pipit-version.js';
import { unknownVariables } from './setting-options.js';
import { addPruneCommand } from './prune.js';
import { addRecordCommand } from './record.js';
import { addReplayCommand } from './replay.js';
import { addReindexCommand } from './reindex.js';
import { addRestoreCommand } from './restore.js';
import { addCheckCommand } from './check.js';
import { addCommunityCommands } from './communities.js';
import { addSandboxCommands } from './sandbox.js';
import { addSpaceCommands } from './spaces.js';
import { addTokenCommands } from './tokens.js';
import { addTopCommand } from './top.js';
import { addUserCommands } from './users.js';

/** The exit status for wrong usage, which commander has already reported. */
const USAGE = 2;

/**
 * Runs a command line. Returns the exit status: 0 success, 1 failure, 2 wrong usage, 3 differences, or that of a led program. Never
 * rejects.
 */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    let status = 0;
    await createProgram(io, (ended) => (status = ended)).parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const { lines, exitStatus } = describeFailure(error);
    for (const line of lines) io.note(`pipit: ${line}`);
    return exitStatus;
  }
}

/** Creates the command line; `end` receives the exit status of a led program, or of a check. */
export function createProgram(given: CommandIo, end: (status: number) => void): Command {
  const io: CommandIo & { command?: RunningCommand } = { ...given };
  const program = new Command('pipit')
    .description('a self-hosted short-message network with the interface of the X API v2')
    .configureOutput({
      writeOut: (text) => io.print(text.trimEnd()),
      writeErr: (text) => io.note(text.trimEnd()),
    })
    .showHelpAfterError('(add --help for help)')
    .version(pipitVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .hook('preAction', (_program, command) => {
      io.command = { name: nameOf(command), args: command.processedArgs.flat().map(String) };
      for (const line of unknownVariables(io.env)) io.note(`pipit: ${line}`);
    });
  addServeCommand(program, io);
  addLeadCommand(program, io, end);
  addAuthorizeCommand(program, io);
  addLoadCommand(program, io);
  addRecordCommand(program, io);
  addReplayCommand(program, io);
  addImportCommands(program, io);
  addUserCommands(program, io);
  addAppCommands(program, io);
  addTokenCommands(program, io);
  addSpaceCommands(program, io);
  addCommunityCommands(program, io);
  addFollowRequestCommands(program, io);
  addBackupCommands(program, io);
  addRestoreCommand(program, io);
  addMoveCommand(program, io);
  addCheckCommand(program, io, end);
  addPruneCommand(program, io);
  addJobCommands(program, io);
  addAuditCommand(program, io);
  addDoctorCommand(program, io);
  addTopCommand(program, io);
  addReindexCommand(program, io);
  addClusterCommands(program, io);
  addSandboxCommands(program, io);
  return program;
}

/** Returns the words of a command, such as `pipit space create`. */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

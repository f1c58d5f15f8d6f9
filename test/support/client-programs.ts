import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';
const NEEDED = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'pg_basebackup'];

/**
 * The folder with a server and the client programs of one version, as Debian's package `postgresql` installs them;
 * undefined without it. npm's server comes without client programs, and those of an older version cannot copy it.
 */
export const DEBIAN_PROGRAMS: string | undefined = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => join(DEBIAN, version, 'bin'))
  .find((folder) => NEEDED.every((name) => existsSync(join(folder, name))));

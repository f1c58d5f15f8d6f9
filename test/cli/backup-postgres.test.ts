import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findOAuth1Token } from '../../src/stores/tokens.js';
import { openBackend } from '../../src/server/backend.js';
import { sealOwner } from '../../src/services/secrets/vault.js';
import { png } from '../api/support/media-files.js';
import { openUploads, type Uploads } from '../api/support/uploads.js';
import { createDatabase, startPostgres, UNSAFE_BUT_FAST, type PostgresServer } from '../support/postgres.js';
import { runCli, temporaryFolder, type CliOutcome } from '../support/cli.js';
import { DEBIAN_PROGRAMS } from '../support/client-programs.js';
import { freePort } from '../support/free-port.js';
import { runCluster } from '../support/postgres-process.js';
import { changeOwner, postgresUser, programsIn } from '../support/postgres-programs.js';
import { APP, standardWorld } from '../support/world.js';

/** Backups of PostgreSQL by its own programs, on a server of the same version. */

const TOKEN = { access_token: '1002-abc', access_token_secret: 'oauth1secret' };
const WORLD = { ...standardWorld(), tokens: [{ app: APP.id, user: 'bob', kind: 'oauth1', ...TOKEN }] };

/** Returns the blocks of settings of docs/backups.md#postgresql-to-any-moment, with the folder of the archive and a time. */
async function recipe(archive: string, time = ''): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'backups.md'), 'utf8');
  return [...page.matchAll(/^```ini\n(.*?)^```/gms)].map(([, text = '']) =>
    text.replaceAll('/backups/wal', join(archive, 'wal')).replace('2026-11-20 12:00:00+00', time),
  );
}

const json = ({ stdout }: CliOutcome) => JSON.parse(stdout);

describe.runIf(inject('postgres') && DEBIAN_PROGRAMS)(
  'on PostgreSQL (skipped where Debian’s package postgresql is not installed)',
  () => {
    let server: PostgresServer;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let app: Uploads;
    let url: string;
    let saved: string;
    /** The folder of the archive of the server's log. */
    let archive: string;

    /** Returns the environment of commands on a database, whose key and files are in a folder of their own. */
    const on = (database: string, env: Record<string, string> = {}) => ({
      folder: folder.path,
      env: {
        PIPIT_DATABASE: database,
        PIPIT_KEY_FILE: folder.file('pipit.key'),
        PIPIT_MEDIA: folder.file('media'),
        PIPIT_POSTGRES_PROGRAMS: DEBIAN_PROGRAMS ?? '',
        ...env,
      },
    });
    const newDatabase = async (): Promise<string> =>
      server.url(await createDatabase(server.url('postgres'), 'template0'));
    const query = async (database: string, text: string): Promise<unknown[][]> => {
      const client = new pg.Client({ connectionString: database });
      await client.connect();
      try {
        return (await client.query({ text, rowMode: 'array' })).rows;
      } finally {
        await client.end();
      }
    };
    const scratchDatabases = () =>
      query(server.url('postgres'), `SELECT datname FROM pg_database WHERE datname LIKE 'pipit_sandbox_%'`);
    /** Creates a program in a folder of its own, with the real one as `$REAL`. */
    const programs = async (name: string, program: string, text: string): Promise<string> => {
      const there = folder.file(name);
      await mkdir(there, { recursive: true });
      for (const each of ['pg_dump', 'pg_restore']) {
        const real = join(DEBIAN_PROGRAMS ?? '', each);
        const script = each === program ? text : 'exec "$REAL" "$@"';
        await writeFile(join(there, each), `#!/bin/sh\nREAL='${real}'\n${script}\n`);
        await chmod(join(there, each), 0o755);
      }
      return there;
    };
    const posted = async (): Promise<string> => {
      const id = await app.uploaded(await png());
      const { body } = await app.json('POST', '/2/tweets', {
        text: `seen ${id}`,
        media: { media_ids: [id] },
      });
      return body.data.id as string;
    };
    const housekeeping = async (): Promise<void> => {
      await app.pipit.backend.engine.tx('order', async (tx) => {
        await app.pipit.jobs.queue.enqueue(tx, { kind: 'housekeeping', payload: { step: 'media' } });
      });
      await app.runJobs();
    };

    beforeAll(async () => {
      folder = await temporaryFolder();
      archive = await mkdtemp(join(tmpdir(), 'pipit-archive-'));
      await mkdir(join(archive, 'wal'));
      // The server may run as another user.
      changeOwner(postgresUser(), archive);
      const [archiving = ''] = await recipe(archive);
      const settings = archiving
        .trim()
        .split('\n')
        .map((line) => line.replace(/ = '?(.*?)'?$/, '=$1'));
      server = await startPostgres([...UNSAFE_BUT_FAST, 'full_page_writes=on', ...settings], DEBIAN_PROGRAMS);
      url = await newDatabase();
      app = await openUploads({
        world: WORLD,
        database: { url, dataFolder: folder.file('data'), remove: () => Promise.resolve() },
        flags: { media: folder.file('media'), keyFile: folder.file('pipit.key') },
        expectsErrors: true,
      });
      for (let count = 0; count < 5; count += 1) await posted();
      saved = folder.file('saved');
    });
    afterAll(async () => {
      await app.close();
      await server.remove();
      await rm(archive, { recursive: true });
      await folder[Symbol.asyncDispose]();
    });

    test('a backup while people post and delete holds every file of its rows, and no password is in any argument', async () => {
      const logging = await programs(
        'logging',
        'pg_dump',
        `echo "$@" >> '${folder.file('arguments')}'; exec "$REAL" "$@"`,
      );
      let isDone = false;
      const backup = runCli(
        ['backup', saved, '--json'],
        on(url, { PIPIT_POSTGRES_PROGRAMS: logging }),
      ).finally(() => (isDone = true));
      const posts: string[] = [];
      while (!isDone) {
        posts.push(await posted());
        const [old] = posts.splice(0, posts.length - 1);
        if (old !== undefined) await app.json('DELETE', `/2/tweets/${old}`);
        await housekeeping();
      }
      expect(await backup).toMatchObject({ status: 0, stderr: '' });
      expect(json(await backup)).toMatchObject({ engine: 'PostgreSQL', missing_media: [] });
      expect(await readFile(folder.file('arguments'), 'utf8')).toMatch(/--snapshot=/);
      expect(await readFile(folder.file('arguments'), 'utf8')).not.toMatch(/pipit:pipit|password=/);
      expect(await runCli(['backup', 'verify', saved], on(url))).toMatchObject({ status: 0, stderr: '' });
      expect(await scratchDatabases()).toEqual([]);
    });

    test('it is restored to an empty database, with its key and files', async () => {
      const there = await newDatabase();
      const env = { PIPIT_KEY_FILE: folder.file('there.key'), PIPIT_MEDIA: folder.file('there') };
      const restored = await runCli(['restore', saved, '--json'], on(there, env));
      expect(restored).toMatchObject({ status: 0, stderr: '' });
      expect(await readFile(folder.file('there.key'))).toEqual(await readFile(folder.file('pipit.key')));
      const files = (await readdir(folder.file('there'), { recursive: true })).filter((name) =>
        name.endsWith('.png'),
      );
      const { media_files } = json(await runCli(['backup', 'list', folder.path, '--json']))[0];
      expect(files).toHaveLength(media_files);
      const backend = await openBackend(there, {
        keyPlace: { kind: 'file', file: folder.file('there.key') },
      });
      try {
        const token = await findOAuth1Token(backend.engine, TOKEN.access_token, APP.api_key);
        expect(backend.vault.open(token?.secretSealed ?? '', sealOwner.oauth1Token(TOKEN.access_token))).toBe(
          TOKEN.access_token_secret,
        );
      } finally {
        await backend.close();
      }
      const audit = json(await runCli(['audit', '--json'], on(there, env)));
      expect(audit[0]).toMatchObject({ action: 'command.run', target: { name: 'pipit restore' } });
      const posts = json(await runCli(['user', 'show', 'alice', '--json'], on(there, env)));
      expect(posts).toMatchObject({ username: 'alice' });
    });

    test('a database with tables is replaced only with --yes, while no server runs; a failure leaves it as it was', async () => {
      const there = await newDatabase();
      const env = on(there, { PIPIT_KEY_FILE: folder.file('other.key'), PIPIT_MEDIA: folder.file('there') });
      expect((await runCli(['restore', saved], env)).status).toBe(0);
      await runCli(['user', 'create', 'late'], env);
      expect(await runCli(['restore', saved], env)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/replace all tables of the database.*--yes/),
      });
      const backend = await openBackend(there, {
        keyPlace: { kind: 'file', file: folder.file('other.key') },
      });
      expect((await runCli(['restore', saved, '--yes'], env)).stderr).toMatch(/a process uses the database/);
      await backend.close();

      const failing = await programs(
        'failing',
        'pg_restore',
        'case "$1" in --version) exec "$REAL" "$@";; esac; echo "no room" >&2; exit 1',
      );
      const failed = await runCli(['restore', saved, '--yes'], {
        ...env,
        env: { ...env.env, PIPIT_POSTGRES_PROGRAMS: failing },
      });
      expect(failed).toMatchObject({ status: 1, stderr: expect.stringMatching(/no room/) });
      expect((await runCli(['user', 'show', 'late'], env)).status).toBe(0);

      const replaced = await runCli(['restore', saved, '--yes', '--json'], env);
      expect(json(replaced).kept_as).toBe('before_restore');
      expect((await runCli(['user', 'show', 'late'], env)).status).toBe(1);
      const kept = await query(there, `SELECT username FROM before_restore.users WHERE username = 'late'`);
      expect(kept).toEqual([['late']]);
      // What was kept is in no backup.
      const again = json(await runCli(['backup', folder.file('again'), '--json'], env));
      const first = json(await runCli(['backup', 'list', folder.path, '--json'])).at(-1);
      expect(again.database_bytes).toBeLessThan(first.database_bytes * 1.2);
    });

    test('a damaged dump is found, and its scratch database removed', async () => {
      const copy = folder.file('copy');
      await mkdir(copy);
      for (const name of ['backup.json', 'pipit.key', 'SHA256SUMS'])
        await writeFile(join(copy, name), await readFile(join(saved, name)));
      const dump = await readFile(join(saved, 'pipit.dump'));
      await writeFile(join(copy, 'pipit.dump'), dump.subarray(0, dump.length - 100));
      expect((await runCli(['backup', 'verify', copy], on(url))).stdout).toContain('pipit.dump: damaged');
      expect((await runCli(['restore', copy], on(await newDatabase()))).stderr).toMatch(
        /pipit\.dump is damaged/,
      );
      const failing = await programs(
        'failing',
        'pg_restore',
        'case "$1" in --version) exec "$REAL" "$@";; esac; echo "bad dump" >&2; exit 1',
      );
      const found = await runCli(['backup', 'verify', saved], on(url, { PIPIT_POSTGRES_PROGRAMS: failing }));
      expect(found).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/cannot be restored: .*bad dump/),
      });
      expect(await scratchDatabases()).toEqual([]);
    });

    test('a server that ends during a backup ends it, and nothing is left; the next one succeeds', async () => {
      const all = folder.file('all');
      const flag = folder.file('dumping');
      const slow = await programs(
        'slow',
        'pg_dump',
        `case "$1" in --version) exec "$REAL" "$@";; esac; touch '${flag}'; while [ -e '${flag}' ]; do sleep 0.05; done; exec "$REAL" "$@"`,
      );
      const env = on(url, { PIPIT_BACKUP_TO: all });
      expect((await runCli(['backup'], env)).status).toBe(0);
      const before = await readdir(all);
      const running = runCli(['backup', '--keep', '1'], {
        ...env,
        env: { ...env.env, PIPIT_POSTGRES_PROGRAMS: slow },
      });
      while (!(await readdir(folder.path)).includes('dumping')) await pause(10);
      await server.crash();
      await server.start();
      await rm(flag);
      expect(await running).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/pg_dump failed: .*snapshot/),
      });
      expect(await readdir(all)).toEqual(before);
      expect((await runCli(['backup', '--keep', '1'], env)).status).toBe(0);
      expect(await readdir(all)).not.toEqual(before);
    });

    test('the archive of the log, as docs/backups.md sets it up, returns the server to any moment', async () => {
      const create = async (name: string) =>
        expect((await runCli(['user', 'create', name], on(url))).status, name).toBe(0);
      const data = join(archive, 'base');
      await create('first');
      const { hostname, port, username, password } = new URL(url);
      const variables = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
      const copy = [`--pgdata=${data}`, '--checkpoint=fast'];
      await promisify(execFile)(join(DEBIAN_PROGRAMS ?? '', 'pg_basebackup'), copy, {
        env: { ...process.env, ...variables },
      });
      await create('second');
      await pause(5);
      const time = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
      await pause(5);
      await create('third');
      const last = String((await query(url, 'SELECT pg_walfile_name(pg_switch_wal())'))[0]);
      while (!(await readdir(join(archive, 'wal'))).includes(last)) await pause(20);

      const [, restoring = ''] = await recipe(archive, time);
      await appendFile(join(data, 'postgresql.conf'), restoring);
      await writeFile(join(data, 'recovery.signal'), '');
      changeOwner(postgresUser(), data);
      const own = await freePort();
      const flags = [
        `port=${own}`,
        'listen_addresses=127.0.0.1',
        `unix_socket_directories=${archive}`,
        'fsync=off',
        'max_connections=600',
      ].flatMap((flag) => ['-c', flag]);
      const programs = programsIn(DEBIAN_PROGRAMS ?? '');
      const restored = await runCluster({ programs, user: postgresUser(), data }, flags);
      try {
        const there = on(url.replace(`:${port}/`, `:${own}/`));
        for (const [name, status] of [
          ['first', 0],
          ['second', 0],
          ['third', 1],
        ] as const)
          expect((await runCli(['user', 'show', name], there)).status, name).toBe(status);
        expect((await runCli(['user', 'create', 'fourth'], there)).status).toBe(0);
      } finally {
        await restored.end('SIGINT');
      }
    });

    test.each([
      ['no program', '', /pg_dump is not installed: install .*postgresql-client\), or name their folder by/],
      [
        'an older one',
        'echo "pg_dump (PostgreSQL) 14.9"',
        /is of version 14, which cannot copy a server of version \d\d/,
      ],
      ['another one', 'echo hello', /pg_dump is not the program of PostgreSQL/],
    ])('%s is refused with advice', async (name, script, message) => {
      const there = script === '' ? folder.file('empty') : await programs(name, 'pg_dump', script);
      const outcome = await runCli(
        ['backup', folder.file('none')],
        on(url, { PIPIT_POSTGRES_PROGRAMS: there }),
      );
      expect(outcome).toMatchObject({ status: 1, stderr: expect.stringMatching(message) });
      const checked = await runCli(
        ['doctor', '--backup-to', folder.file('none'), '--postgres-programs', there],
        on(url),
      );
      expect(checked.stderr).toMatch(/^pipit: .*backup programs: /);
      expect(checked.stderr).toMatch(message);
      expect(await readdir(folder.path)).not.toContain('none');
    });

    test('doctor finds the programs that fit the server', async () => {
      const { stdout } = await runCli(['doctor', '--backup-to', folder.path], on(url));
      expect(stdout).toMatch(/^ok +backup programs: pg_dump and pg_restore fit the server$/m);
    });

    test('a backup of another engine is refused', async () => {
      const file = {
        ...on(url),
        env: { ...on(url).env, PIPIT_DATABASE: `sqlite:${folder.file('x/pipit.db')}` },
      };
      expect((await runCli(['restore', saved], file)).stderr).toMatch(
        /a backup of PostgreSQL, .*use pipit move/,
      );
      expect((await runCli(['backup', 'verify', saved], file)).stderr).toMatch(/name a server by --database/);
    });
  },
);

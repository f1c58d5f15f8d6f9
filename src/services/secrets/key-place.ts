import { rm } from 'node:fs/promises';
import type { Engine } from '../../database/engine.js';
import { fileExists } from '../../database/private-file.js';
import { findAppSecrets, listApps } from '../../stores/apps.js';
import { findSharedFact, recordSharedFact } from '../../stores/shared-facts.js';
import { KeyFileRefused, loadKeyFile } from './key-file.js';
import type { KeyPlace } from './key-text.js';
import { createVault, SealBroken, sealOwner } from './vault.js';

const PRINT_CHARACTERS = 22;

/** Returns a fingerprint of a key, by which servers compare their keys. The key cannot be found from it. */
export function keyPrint(key: Uint8Array): string {
  return createVault(key).derivedText('the fingerprint of the key', PRINT_CHARACTERS);
}

/**
 * Returns the key of a database's secrets, and creates the key file of a new database. Throws KeyFileRefused if the file of a used database is missing, or if the key is another one than that of the
 * database: the server would refuse every OAuth 1.0a token that the others issued.
 */
export async function loadKey(place: KeyPlace, engine: Engine): Promise<Buffer> {
  const recorded = await findSharedFact(engine, 'key');
  if (place.kind === 'given') return requireSame(place.key, engine, recorded, 'the given key');
  const { file } = place;
  const isNew = !(await fileExists(file));
  if (isNew && (recorded !== undefined || (await listApps(engine)).length > 0)) {
    throw new KeyFileRefused(
      `the key file ${file} is missing: put it back, restore a backup, or name the key of the other servers by --key-file or PIPIT_KEY`,
    );
  }
  const key = await loadKeyFile(file);
  try {
    return await requireSame(key, engine, recorded, `the key file ${file}`);
  } catch (error) {
    if (isNew) await rm(file, { force: true });
    throw error;
  }
}

async function requireSame(
  key: Buffer,
  engine: Engine,
  recorded: string | undefined,
  what: string,
): Promise<Buffer> {
  const isRight = recorded === undefined ? await opensSecrets(key, engine) : keyPrint(key) === recorded;
  if (!isRight) throw wrongKey(what);
  return key;
}

/**
 * Records the fingerprint of the key that this server uses, for the servers that join it. Throws KeyFileRefused if
 * another server has recorded another one.
 */
export async function recordKey(engine: Engine, key: Buffer): Promise<void> {
  const print = keyPrint(key);
  const shared = await engine.tx('record key', (tx) => recordSharedFact(tx, 'key', print));
  if (shared !== print) throw wrongKey('the key of this server');
}

function wrongKey(what: string): KeyFileRefused {
  return new KeyFileRefused(
    `${what} is not the key of this database: give each server the key of the one that started first, by --key-file or PIPIT_KEY`,
  );
}

/** Tries the key on a stored secret, for databases that are older than the fingerprint. */
async function opensSecrets(key: Buffer, engine: Engine): Promise<boolean> {
  const [app] = await listApps(engine);
  const secrets = app && (await findAppSecrets(engine, app.id));
  if (app === undefined || secrets === undefined) return true;
  try {
    createVault(key).open(secrets.apiSecretSealed, sealOwner.app(app.id));
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

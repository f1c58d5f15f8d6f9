/**
 * A uniqueness rule of the database refused a row (stores turn it into a PipitError), or a backup would overwrite a file.
 */
export class AlreadyExists extends Error {
  override readonly name = 'AlreadyExists';
}

/** The database cannot serve now (locked for too long, disk full, connection lost); the caller may try again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The database was written by a newer Pipit, or is not Pipit's at all. */
export class WrongDatabase extends Error {
  override readonly name = 'WrongDatabase';
}

/** The configured kind of database is none that this build can open. */
export class UnsupportedDatabase extends Error {
  override readonly name = 'UnsupportedDatabase';
}

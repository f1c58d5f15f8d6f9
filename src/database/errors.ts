import { NamedError } from '../core/named-error.js';

/** A uniqueness constraint refused a row (stores turn it into a PipitError), or a backup would overwrite a file. */
export class AlreadyExists extends NamedError {}

/** The database cannot serve now (locked too long, disk full, connection lost); the caller may retry. */
export class StorageUnavailable extends Error {
  /** Kept by the engines' own kinds of it: http/problems.ts recognizes it by its name. */
  override readonly name = 'StorageUnavailable';
}

/** The database was written by a newer Pipit or does not belong to Pipit. */
export class WrongDatabase extends NamedError {}

/** This build does not support the configured kind of database. */
export class UnsupportedDatabase extends NamedError {}

/** A program of the database's own, which copies it, cannot be run or failed; the message says why. */
export class ProgramFailed extends NamedError {}

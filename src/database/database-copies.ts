/** Copies of a database on its server. Nothing may use the database meanwhile: other connections are ended. */
export interface DatabaseCopies {
  /** The beginning of the names of copies. Databases with it are dropped when the process has ended. */
  readonly prefix: string;
  /** Copies the database under a new name, with everything in it. */
  copy(name: string): Promise<void>;
  /** Puts a copy in the place of the database. */
  restore(name: string): Promise<void>;
  drop(name: string): Promise<void>;
  /** Replaces the database by an empty one. */
  clear(): Promise<void>;
  /** Gives the names back. Copies that were not dropped are dropped by the next process that opens copies. */
  close(): Promise<void>;
}

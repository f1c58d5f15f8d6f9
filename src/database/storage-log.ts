/** What storage reports and nobody waits for. A pino logger is one. */
export interface StorageLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silentLog: StorageLog = { warn: () => undefined };

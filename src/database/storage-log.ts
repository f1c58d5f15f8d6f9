/** Receives storage warnings. A pino logger fits. */
export interface StorageLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export const silentLog: StorageLog = { warn: () => undefined };

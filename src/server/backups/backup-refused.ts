import { NamedError } from '../../core/named-error.js';

/** Thrown when a backup or restore cannot be done; the message gives the reason. */
export class BackupRefused extends NamedError {}

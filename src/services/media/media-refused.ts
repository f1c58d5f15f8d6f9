import { NamedError } from '../../core/named-error.js';

/** Thrown for an upload that cannot become media. The message states the reason and is safe to show to clients. */
export class MediaRefused extends NamedError {}

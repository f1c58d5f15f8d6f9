import { Ajv, type ValidateFunction } from 'ajv';
import { worldSchema } from '../../src/world/document.js';

/** The schema of world files, as an editor applies it. */
export function compileWorldSchema(): ValidateFunction {
  return new Ajv({ allErrors: true }).compile(worldSchema());
}

const validate = compileWorldSchema();

/** Throws when the schema refuses a world that was loaded: it must take whatever the readers take. */
export function requireInSchema(document: unknown): void {
  if (!validate(document))
    throw new Error(`the schema refuses this world: ${JSON.stringify(validate.errors)}`);
}

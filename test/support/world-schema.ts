import { Ajv, type ValidateFunction } from 'ajv';
import { worldSchema } from '../../src/world/document.js';

/** Compiles the schema of world files, as an editor applies it. */
export function compileWorldSchema(): ValidateFunction {
  return new Ajv({ allErrors: true }).compile(worldSchema());
}

const validate = compileWorldSchema();

/** Throws when the schema rejects a world that was loaded: it must accept whatever the loader accepts. */
export function requireInSchema(document: unknown): void {
  if (!validate(document))
    throw new Error(`the schema refuses this world: ${JSON.stringify(validate.errors)}`);
}

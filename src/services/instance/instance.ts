import type { Engine } from '../../database/engine.js';
import { findInstance } from '../../stores/instance.js';
import type { SignUpService } from '../accounts/sign-up.js';

/** The path of the logo, which stays the same when the logo changes. */
const LOGO_PATH = '/_pipit/instance/logo';

/** The name of a server whose operators gave it none. */
const DEFAULT_NAME = 'Pipit';

interface InstanceDeps {
  readonly engine: Engine;
  readonly publicUrl: string;
  readonly signUp: SignUpService['mode'];
  /** Whether visitors who are not signed in see posts and profiles. */
  readonly isOpen: boolean;
}

/** What a server says about itself. */
export interface InstanceFacts {
  readonly name: string;
  readonly description: string;
  /** Absent without a logo. */
  readonly logoUrl?: string;
  readonly signUp: SignUpService['mode'];
  readonly isOpen: boolean;
}

export type InstanceService = ReturnType<typeof createInstanceService>;

/** Creates the service for what a server says about itself (docs/api/pipit.md#the-server). */
export function createInstanceService({ engine, publicUrl, signUp, isOpen }: InstanceDeps) {
  return {
    describe: async (): Promise<InstanceFacts> => {
      const { name = DEFAULT_NAME, description = '', logoTag } = (await findInstance(engine)) ?? {};
      const logoUrl = logoTag === undefined ? undefined : publicUrl + LOGO_PATH;
      return { name, description, logoUrl, signUp, isOpen };
    },
  };
}

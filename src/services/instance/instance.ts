import { createHash } from 'node:crypto';
import { invalidRequest, PipitError, type Violation, violation } from '../../core/errors.js';
import { isPlainLine, isVisible } from '../../core/plain-line.js';
import { countCodePoints } from '../../core/unicode.js';
import type { UserId } from '../../core/ids.js';
import type { Engine, Tx } from '../../database/engine.js';
import { findInstance, findLogo, saveInstance, saveLogo, type Logo } from '../../stores/instance.js';
import { asOperator } from '../accounts/authority.js';
import { recordAction, type AuditDeps } from '../audit/record-action.js';
import type { SignUpService } from '../accounts/sign-up.js';
import type { CheckedPicture } from '../media/check-picture.js';

/** The path of the logo, which stays the same when the logo changes. */
export const LOGO_PATH = '/_pipit/instance/logo';

/** The name of a server whose operators gave it none. */
export const DEFAULT_NAME = 'Pipit';

export const MAX_INSTANCE_NAME = 30;
export const MAX_INSTANCE_DESCRIPTION = 500;

/** The sides of a logo in pixels: it becomes an icon on home screens. */
export const LOGO_SIDES = { min: 192, max: 1024 } as const;
const MAX_LOGO_BYTES = 512 * 1024;

interface InstanceDeps extends AuditDeps {
  readonly engine: Engine;
  readonly publicUrl: string;
  readonly signUp: SignUpService['mode'];
  /** Whether visitors who are not signed in see posts and profiles. */
  readonly isOpen: boolean;
}

/** What operators write about their server. */
interface InstanceWords {
  readonly name: string;
  readonly description: string;
}

/** What a server says about itself. */
export interface InstanceFacts {
  readonly name: string;
  readonly description: string;
  /** Absent without a logo. */
  readonly logoUrl?: string;
  /** The side of the logo, which is a square, in pixels. */
  readonly logoSide?: number;
  readonly signUp: SignUpService['mode'];
  readonly isOpen: boolean;
}

export type InstanceService = ReturnType<typeof createInstanceService>;

/** Creates the service for what a server says about itself (docs/api/pipit.md#the-server). */
export function createInstanceService(deps: InstanceDeps) {
  const { engine, publicUrl, signUp, isOpen } = deps;
  const record = (tx: Tx, operatorId: UserId, name: string, detail: string): Promise<void> =>
    recordAction(tx, deps, operatorId, {
      action: 'instance.update',
      target: { kind: 'server', name },
      detail,
    });
  return {
    describe: async (): Promise<InstanceFacts> => {
      const { name = DEFAULT_NAME, description = '', logoTag } = (await findInstance(engine)) ?? {};
      const facts = { name, description, signUp, isOpen };
      if (logoTag === undefined) return facts;
      return { ...facts, logoUrl: publicUrl + LOGO_PATH, logoSide: Number.parseInt(logoTag, 10) };
    },
    /** Changes name and description. Throws `invalid-request`, and `forbidden` unless the user is an operator. */
    change: async (operatorId: UserId, words: InstanceWords): Promise<void> => {
      const violations = faultsOf(words);
      if (violations.length > 0) throw new PipitError({ code: 'invalid-request', violations });
      await asOperator(deps, operatorId, 'change instance', async (tx) => {
        await saveInstance(tx, words);
        await record(tx, operatorId, words.name, words.description);
      });
    },
    /** Changes the logo, or removes it. Throws `invalid-request` unless it is a square of the right size. */
    changeLogo: async (operatorId: UserId, picture: CheckedPicture | undefined): Promise<void> => {
      const logo = picture && logoOf(picture);
      await asOperator(deps, operatorId, 'change logo', async (tx) => {
        const { name = DEFAULT_NAME, description = '' } = (await findInstance(tx)) ?? {};
        await saveInstance(tx, { name, description });
        await saveLogo(tx, logo);
        await record(tx, operatorId, name, logo ? 'a new logo' : 'without a logo');
      });
    },
    /** Returns the logo; undefined without one. */
    logo: (): Promise<Logo | undefined> => findLogo(engine),
  };
}

function faultsOf({
  name,
  description,
}: {
  readonly name: string;
  readonly description: string;
}): Violation[] {
  const faults: Violation[] = [];
  if (!isVisible(name) || !isPlainLine(name) || countCodePoints(name) > MAX_INSTANCE_NAME)
    faults.push(violation('name', [name], `A name must have 1 to ${MAX_INSTANCE_NAME} visible characters.`));
  if (countCodePoints(description) > MAX_INSTANCE_DESCRIPTION)
    faults.push(
      violation('description', [], `A description must have at most ${MAX_INSTANCE_DESCRIPTION} characters.`),
    );
  return faults;
}

function logoOf({ bytes, type, size: { width, height } }: CheckedPicture): Logo {
  const { min, max } = LOGO_SIDES;
  if (width !== height || width < min || width > max || bytes.length > MAX_LOGO_BYTES) {
    const message = `A logo must be a square of ${min} to ${max} pixels, and at most ${MAX_LOGO_BYTES / 1024} KB. This one has ${width} by ${height}.`;
    throw invalidRequest('logo', [], message);
  }
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { bytes, type, tag: `${width}-${hash}` };
}

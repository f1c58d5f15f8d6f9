import { type Permission, type Principal, narrowerPermission } from '../core/access.js';

const LEVEL_OF_PERMISSION: Readonly<Record<Permission, string>> = {
  read: 'read',
  read_write: 'read-write',
  read_write_dm: 'read-write-directmessages',
};

/**
 * Returns the value of `x-access-level` (docs/api/authentication.md#permissions). The scopes of an OAuth 2.0
 * token may narrow its app's permission.
 */
export function accessLevel(principal: Principal): string {
  switch (principal.context) {
    case 'app':
      return LEVEL_OF_PERMISSION.read;
    case 'oauth1':
      return LEVEL_OF_PERMISSION[principal.permission];
    case 'oauth2':
      return LEVEL_OF_PERMISSION[
        narrowerPermission(principal.permission, permissionOfScopes(principal.scopes))
      ];
  }
}

function permissionOfScopes(scopes: ReadonlySet<string>): Permission {
  if (scopes.has('dm.read') || scopes.has('dm.write')) return 'read_write_dm';
  for (const scope of scopes) if (scope.endsWith('.write')) return 'read_write';
  return 'read';
}

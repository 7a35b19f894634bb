import { CurrentUser } from '../../admin/access/access-rows.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { type Cell, table } from '../../format/table.ts';

/** `security whoami` */
export const whoami = getCommand({
  summary: 'Show the user that weir signs in to the Admin API with, and its roles',
  description: `The cluster resolves the owner of a token, with the groups in it. Roles that the user has only as a member of a group are
not listed. Where authentication is not required (admin_api_require_auth), a wrong password makes the request anonymous: the
user is shown without its roles. Needs Redpanda 26.1 or newer.`,
  examples: [
    ['The current user', 'security whoami'],
    ['The roles alone', 'security whoami --format json'],
  ],
  apis: ['admin'],
  row: CurrentUser,
  read: async (context) => (await context.admin()).currentUser(),
  text({ user, roles, groups, token_expires_at: expires }, view) {
    const rows: (readonly [string, Cell])[] = [
      ['User:', user],
      ['Roles:', roles.length === 0 ? null : roles],
      ...(groups === null ? [] : [['Groups:', groups.length === 0 ? null : groups] as const]),
      ...(expires === null ? [] : [['Token expires:', expires] as const]),
    ];
    return table([], rows, { ...view, noHeaders: true });
  },
});

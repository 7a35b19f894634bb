import type { LoginRow } from '../../../cloud/auth/login-rows.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';

/** Logins as a table; a `*` after its name marks the current one. */
export function loginTable(rows: readonly LoginRow[], view: View): string {
  return table(
    ['name', 'kind', 'organization', 'organization id', 'expires at'],
    rows.map((row) => [
      row.current ? `${row.name}*` : row.name,
      row.kind,
      row.organization,
      row.organization_id,
      row.expires_at,
    ]),
    view,
  );
}

import { booleanSchema, nullable, object, type Schema, string, wordOf } from '../../../cli/output/schema.ts';
import type { LoginRow } from '../../../cloud/auth/logins.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';

/** A login in JSON. */
export const loginSchema: Schema = object({
  name: string,
  kind: wordOf('client-credentials', 'sso'),
  organization: string,
  organization_id: string,
  client_id: string,
  api_url: string,
  secret_kept: booleanSchema,
  expires_at: nullable(string),
  current: booleanSchema,
});

/** A login that a command changed or, in a dry run, would change. */
export interface ChangedLogin extends LoginRow {
  readonly dry_run?: true;
}

/** Marks a row as that of a dry run, for its text. */
export const planned = (row: LoginRow): ChangedLogin => ({ ...row, dry_run: true });

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

import { command } from '../../../cli/command.ts';
import { table } from '../../../format/table.ts';
import type { View } from '../../../format/view.ts';
import { listOf } from '../../../shape/shape.ts';
import { ControlPlaneLogin } from '../../../sign-in/control-plane/login-rows.ts';

/** `cloud auth list` */
export const list = command({
  summary: 'List the logins kept on this machine',
  description: 'A * marks the current login, which commands use if no credentials are configured.',
  examples: [
    ['All logins', 'cloud auth list'],
    ['As data', 'cloud auth list --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  changes: 'reads',
  result: listOf(ControlPlaneLogin),
  run: async (context) => (await context.cloud()).logins.list(),
  show: { text: loginTable },
});

/** Logins as a table; a `*` after its name marks the current one. */
export function loginTable(rows: readonly ControlPlaneLogin[], view: View): string {
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

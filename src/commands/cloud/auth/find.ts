import type { LoginRow, Logins } from '../../../cloud/auth/logins.ts';
import { notFoundError } from '../../../errors.ts';

/** The login of that name. @throws CliError (exit 3) when there is none */
export async function find(logins: Logins, name: string): Promise<LoginRow> {
  const rows = await logins.list();
  const found = rows.find((row) => row.name === name);
  if (found !== undefined) return found;
  throw notFoundError(`login "${name}" does not exist`, {
    target: name,
    hints: ['see the logins with: weir cloud auth list'],
  });
}

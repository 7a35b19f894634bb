import type { Context } from '../../context.ts';
import { CliError, CliErrors, withHints } from '../../errors.ts';
import { printable } from '../../format/printable.ts';

/** A usage error without advice of its own is told where the command's help is; any other error stays as it is. */
export function adviseHelp(error: unknown, path: readonly string[]): unknown {
  if (error instanceof CliErrors) return new CliErrors(error.errors.map((one) => adviseOne(one, path)));
  return error instanceof CliError ? adviseOne(error, path) : error;
}

function adviseOne(error: CliError, path: readonly string[]): CliError {
  if (error.code !== 'USAGE' || error.hints.length > 0) return error;
  return withHints(error, [`see ${['weir', ...path].join(' ')} --help`]);
}

/** Who the brokers take the client for, for an error of authorization; undefined where that is not known. */
export async function principalHint(context: Context): Promise<string | undefined> {
  const config = await context.config().catch(() => undefined);
  if (config === undefined) return undefined;
  const user = config.get('user');
  if (user === '') return 'weir connected without SASL: set user and pass, or a client certificate';
  return `weir connected as user "${printable(user)}" by ${config.get('sasl.mechanism') || 'SCRAM-SHA-256'} (${config.setting('user').origin})`;
}

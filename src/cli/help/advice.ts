import { CliError, CliErrors, withHints } from '../../errors.ts';

/** A usage error without advice of its own is told where the command's help is; any other error stays as it is. */
export function adviseHelp(error: unknown, path: readonly string[]): unknown {
  if (error instanceof CliErrors) return new CliErrors(error.errors.map((one) => adviseOne(one, path)));
  return error instanceof CliError ? adviseOne(error, path) : error;
}

function adviseOne(error: CliError, path: readonly string[]): CliError {
  if (error.code !== 'USAGE' || error.hints.length > 0) return error;
  return withHints(error, [`see ${['weir', ...path].join(' ')} --help`]);
}

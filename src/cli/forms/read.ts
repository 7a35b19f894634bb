import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors.ts';
import type { Text } from '../../format/pieces.ts';
import type { View } from '../../format/view.ts';
import { listOf, type Shape } from '../../shape/shape.ts';
import {
  type AllValues,
  type Args,
  type Called,
  type Command,
  type CommonValues,
  command,
  type Flags,
} from '../command.ts';
import { type Column, tableOf } from './columns.ts';

/** What a reading command is called with, and what it reads. `R` is a row, `Out` what `read` returns. */
interface ReadSpec<A, F, R, Out> extends Omit<Called<A, F>, 'changes'> {
  readonly row: Shape<R>;
  read(context: Context, values: AllValues<A, F>): Promise<Out> | Out;
  /** The exit code of what was read (default: that of the errors in its rows). */
  exitCode?(result: Out): ExitCode;
}

/** The declaration of a command that lists rows. */
interface ListSpec<A, F, R> extends ReadSpec<A, F, R, readonly R[]> {
  readonly columns: readonly Column<R>[];
  /** The columns of `--format wide` (default: the same). */
  readonly wide?: readonly Column<R>[];
}

/** Declares a command that lists rows in a table. Write `row` before `read`, so that the compiler can infer the types. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments" and "no flags", the fallback of inference
export function listCommand<R, A extends Args = {}, F extends Flags = {}>(spec: ListSpec<A, F, R>): Command {
  const { row, read, exitCode, columns, wide, ...called } = spec;
  return command<readonly R[], A, F>({
    ...called,
    changes: 'reads',
    result: listOf(row),
    run: read,
    show: { ...tableShow(columns, wide), ...(exitCode !== undefined && { exitCode }) },
  });
}

/** The declaration of a command that shows one row. */
interface GetSpec<A, F, R> extends ReadSpec<A, F, R, R> {
  /** The row as text; or give `columns`, for a table of one row. */
  text?(row: R, view: View, values: AllValues<A, F> & CommonValues): Text;
  readonly columns?: readonly Column<R>[];
  /** The columns of `--format wide` (default: the same). */
  readonly wide?: readonly Column<R>[];
}

/** Declares a command that shows one row. Write `row` before `read`, so that the compiler can infer the types. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments" and "no flags", the fallback of inference
export function getCommand<R, A extends Args = {}, F extends Flags = {}>(spec: GetSpec<A, F, R>): Command {
  const { row, read, exitCode, columns = [], wide, text, ...called } = spec;
  const inTable = (shown: readonly Column<R>[]) => (one: R, view: View) => tableOf([one], shown, view);
  return command<R, A, F>({
    ...called,
    changes: 'reads',
    result: row as Shape<NoInfer<R>>,
    run: read,
    show: {
      text: text ?? inTable(columns),
      ...(wide !== undefined && { wide: inTable(wide) }),
      ...(exitCode !== undefined && { exitCode }),
    },
  });
}

/** How a list is shown as a table. */
export function tableShow<R>(columns: readonly Column<R>[], wide: readonly Column<R>[] = columns) {
  return {
    text: (rows: readonly R[], view: View) => tableOf(rows, columns, view),
    wide: (rows: readonly R[], view: View) => tableOf(rows, wide, view),
  };
}

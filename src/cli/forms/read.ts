import type { Context } from '../../context.ts';
import type { ExitCode } from '../../errors.ts';
import type { Text } from '../../format/pieces.ts';
import type { View } from '../../format/view.ts';
import { listOf, type Shape } from '../../shape/shape.ts';
import { type AllValues, type Args, type Called, type Command, command, type Flags } from '../command.ts';
import { type Column, tableOf } from './columns.ts';

/** What a reading command is called with, what it reads, and how that is shown. `R` is a row, `Out` what `read` returns. */
interface ReadSpec<A, F, R, Out> extends Omit<Called<A, F>, 'changes'> {
  readonly row: Shape<R>;
  read(context: Context, values: AllValues<A, F>): Promise<Out> | Out;
  /** The columns of a table with a line for each row; or give `text`. */
  readonly columns?: readonly Column<R>[];
  text?(result: Out, view: View, values: AllValues<A, F>): Text;
  /** The columns or the text of `--format wide` (default: the same). */
  readonly wide?: readonly Column<R>[] | ((result: Out, view: View, values: AllValues<A, F>) => Text);
  /** The exit code of what was read (default: that of the errors in its rows). */
  exitCode?(result: Out, values: AllValues<A, F>): ExitCode;
}

/** Declares a command that lists rows. Write `row` before `read`, so that the compiler can infer the types. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments" and "no flags", the fallback of inference
export function listCommand<R, A extends Args = {}, F extends Flags = {}>(
  spec: ReadSpec<A, F, R, readonly R[]>,
): Command {
  return readCommand(spec, listOf(spec.row), (rows) => rows);
}

/** Declares a command that shows one row. Write `row` before `read`, so that the compiler can infer the types. */
// biome-ignore lint/complexity/noBannedTypes: {} is "no arguments" and "no flags", the fallback of inference
export function getCommand<R, A extends Args = {}, F extends Flags = {}>(spec: ReadSpec<A, F, R, R>): Command {
  return readCommand(spec, spec.row, (one) => [one]);
}

function readCommand<R, Out, A extends Args, F extends Flags>(
  { row: _, read, columns = [], text, wide, exitCode, ...called }: ReadSpec<A, F, R, Out>,
  result: Shape<Out>,
  rowsOf: (result: Out) => readonly R[],
): Command {
  const inTable = (shown: readonly Column<R>[]) => (out: Out, view: View) => tableOf(rowsOf(out), shown, view);
  return command<Out, A, F>({
    ...called,
    changes: 'reads',
    result: result as Shape<NoInfer<Out>>,
    run: read,
    show: {
      text: text ?? inTable(columns),
      ...(wide !== undefined && { wide: typeof wide === 'function' ? wide : inTable(wide) }),
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

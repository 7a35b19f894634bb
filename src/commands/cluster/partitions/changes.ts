import { nameFields, type PartitionName } from '../../../admin/partitions/partition-rows.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, rephrased, stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import { itemError } from '../../../shape/item-error.ts';
import { type RowOf, row, truth, word } from '../../../shape/shape.ts';
import { asConflict } from '../member.ts';

/** The end of each item of a change. */
export const changeEnd = { dry_run: truth, error: itemError };

/** What becomes of one item of a change. */
const Change = row({
  ...nameFields,
  /** `IN_PROGRESS`: an earlier command has started the same. */
  status: word('OK', 'NOT_NEEDED', 'IN_PROGRESS', 'ERROR'),
  ...changeEnd,
});
export type Change = RowOf<typeof Change>;

/** Codes of errors that are about the item, and not about the connection, the credentials or the server. */
const ofItem: ReadonlySet<string> = new Set(['NOT_FOUND', 'INVALID_REQUEST', 'CONFLICT']);

/** Turns what the server refuses to show into the error of an item. @throws any other error */
export function itemRefusal(error: unknown): ItemError {
  if (error instanceof CliError && ofItem.has(error.code)) return itemErrorOf(error);
  throw error;
}

/** The error of an item whose state does not allow the change (exit 6). */
export function conflictItem(code: string, message: string): ItemError {
  return { code, number: null, message, retryable: false, exit_code: exitCodes.conflict };
}

/** The error of an item whose partition has no leader at the moment, or that was left out after another failure. */
export function passingItem(code: string, message: string): ItemError {
  return { code, number: null, message, retryable: true, exit_code: exitCodes.unreachable };
}

/** Says that a 404 is about the call, which older versions do not have. */
export function asUnsupported(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CliError) || error.code !== 'NOT_FOUND') throw error;
    throw rephrased(error, `the cluster has no call to ${what}, which needs a newer version: ${error.message}`, {
      exitCode: exitCodes.failure,
      code: 'UNSUPPORTED',
    });
  };
}

/** How to make the changes of rows. */
interface Sending<R> {
  /** The change of a row in progress, for example `moving orders/0`. */
  doing(row: R): string;
  /** The command that shows whether a change was made. */
  readonly checkWith: string;
  send(row: R): Promise<void>;
}

/**
 * Makes the change of every row whose status is `OK`, one after the other. A refused one does not affect the others. After
 * a failure that would repeat itself, such as a lost connection, the rest is left out; it is thrown if it is the first.
 */
export async function sendChanges<R extends Change>(
  context: Context,
  rows: readonly R[],
  { doing, checkWith, send }: Sending<R>,
): Promise<readonly R[]> {
  const total = rows.filter(({ status }) => status === 'OK').length;
  let made = 0;
  let attempted = 0;
  let failure: CliError | undefined;
  const results: R[] = [];
  for (const row of rows) {
    if (row.status !== 'OK') {
      results.push(row);
    } else if (failure !== undefined) {
      const error = passingItem('NOT_ATTEMPTED', `not attempted after: ${failure.message}`);
      results.push({ ...row, status: 'ERROR', error });
    } else {
      context.onInterrupt(stoppedReport(doing(row), { made, total, checkWith }));
      attempted += 1;
      try {
        await send(row).catch(asConflict);
        made += 1;
        results.push(row);
      } catch (error) {
        if (context.signal.aborted || !(error instanceof CliError)) throw error;
        if (!ofItem.has(error.code)) {
          if (attempted === 1) throw error;
          failure = error;
        }
        for (const hint of error.hints) context.noticeAfter(hint);
        results.push({ ...row, status: 'ERROR', error: itemErrorOf(error) });
      }
    }
  }
  context.onInterrupt(stoppedError(`${count(made, 'change')} of ${total} had been made`, [`check with: ${checkWith}`]));
  return results;
}

function stoppedReport(
  doing: string,
  { made, total, checkWith }: { readonly made: number; readonly total: number; readonly checkWith: string },
): CliError {
  const before = total === 1 ? '' : `; ${made} of ${total} were made before`;
  return stoppedError(`stopped while ${doing}: the request may or may not have arrived${before}`, [
    `check with: ${checkWith}`,
    'repeat the command to continue: what is done already is left out',
  ]);
}

/** Up to ten partitions, and how many more there are. */
export function shortPartitions(names: readonly PartitionName[]): string {
  const shown = names.slice(0, 10).map(showPartition).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/** What a question names: the partition, or how many there are. */
export function nameOfAll(names: readonly PartitionName[]): string {
  const [first] = names;
  return names.length === 1 && first !== undefined ? showPartition(first) : count(names.length, 'partition');
}

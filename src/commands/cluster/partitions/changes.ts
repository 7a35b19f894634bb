import type { PartitionName } from '../../../admin/partitions/partition-rows.ts';
import type { ItemState } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, rephrased, stoppedError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { showPartition } from '../../../format/partition-name.ts';
import type { Cell } from '../../../format/table.ts';
import { asConflict } from '../member.ts';

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

/** How to change items one after the other. */
interface ChangesInTurn<T> {
  /** The change of an item in progress, for example `moving orders/0`. */
  doing(item: T): string;
  /** The command that shows whether a change was made. */
  readonly checkWith: string;
  send(item: T): Promise<void>;
}

/**
 * Changes items one after the other. A refused one does not affect the others. After a failure that would repeat itself,
 * such as a lost connection, the rest is left out; it is thrown if it is the first.
 */
export async function changeInTurn<T>(
  context: Context,
  items: readonly T[],
  { doing, checkWith, send }: ChangesInTurn<T>,
): Promise<readonly ItemState[]> {
  const total = items.length;
  let made = 0;
  let failure: CliError | undefined;
  const outcomes: ItemState[] = [];
  for (const item of items) {
    if (failure !== undefined) {
      outcomes.push({ error: passingItem('NOT_ATTEMPTED', `not attempted after: ${failure.message}`) });
      continue;
    }
    context.onInterrupt(stoppedReport(doing(item), { made, total, checkWith }));
    const error = await failureOf(context, send(item));
    if (error === undefined) made += 1;
    else if (!ofItem.has(error.code)) {
      if (outcomes.length === 0) throw error;
      failure = error;
    }
    for (const hint of error?.hints ?? []) context.noticeAfter(hint);
    outcomes.push({ error: error && itemErrorOf(error) });
  }
  context.onInterrupt(stoppedError(`${count(made, 'change')} of ${total} had been made`, [`check with: ${checkWith}`]));
  return outcomes;
}

/** What a change has failed with; undefined if it was made. @throws what ends the command */
async function failureOf(context: Context, change: Promise<void>): Promise<CliError | undefined> {
  try {
    await change.catch(asConflict);
    return undefined;
  } catch (error) {
    if (context.signal.aborted || !(error instanceof CliError)) throw error;
    return error;
  }
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

/** Replicas as `[1-0 2-1]`: broker and core, or the broker alone where it chooses the core. */
export function replicaCell(replicas: readonly number[], cores: readonly (number | null)[]): Cell {
  return replicas.map((id, at) => ((cores[at] ?? null) === null ? String(id) : `${id}-${cores[at]}`));
}

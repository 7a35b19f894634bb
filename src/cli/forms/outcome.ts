import type { ItemError } from '../../errors.ts';
import { statusCell } from '../../format/status.ts';
import type { Cell } from '../../format/table.ts';
import { itemError } from '../../shape/item-error.ts';
import { type FieldsOf, row, type Shape, truth, Unfit, word } from '../../shape/shape.ts';

/** The fields that end the row of each item of a change, in every format. */
export const outcomeFields = {
  /** `NOT_NEEDED`: the item was already as the command would make it. */
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  /** Whether the change was only planned. */
  dry_run: truth,
  error: itemError,
};

/** What became of an item of a change, or would become of it. */
export type Outcome = FieldsOf<typeof outcomeFields>;

const outcomeRow = row(outcomeFields);

/** The shape of an object whose row ends with its outcome: for rows whose other fields are kept. */
export function endedShape<R extends object>(shape: Shape<R>): Shape<R & Outcome> {
  return {
    take(value) {
      const [one, outcome] = [shape.take(value), outcomeRow.take(value)];
      if (one instanceof Unfit) return one;
      return outcome instanceof Unfit ? outcome : { ...one, ...outcome };
    },
    schema() {
      const [one, outcome] = [shape.schema(), outcomeRow.schema()];
      const names = Object.keys(outcomeFields);
      // An operation of the control plane has an error of its own.
      const rowProperties = Object.entries(one.properties as object).filter(([name]) => !names.includes(name));
      return {
        ...one,
        properties: { ...Object.fromEntries(rowProperties), ...(outcome.properties as object) },
        required: [...(one.required as string[]).filter((name) => !names.includes(name)), ...names],
      };
    },
  };
}

/** What is known of an item: nothing if the change is still to be made, or was made. */
export interface ItemState {
  readonly status?: 'NOT_NEEDED' | undefined;
  /** Why the item cannot be changed, or was not. */
  readonly error?: ItemError | null | undefined;
}

/** The status of a planned item that may already be as the command would make it. */
export function notNeededIf(isMade: boolean): ItemState['status'] {
  return isMade ? 'NOT_NEEDED' : undefined;
}

/** The end of the row of an item. */
export function outcomeOf({ status, error = null }: ItemState, isDryRun: boolean): Outcome {
  return { status: error === null ? (status ?? 'OK') : 'ERROR', dry_run: isDryRun, error };
}

/** A row of a client with its outcome, for a command that is not of the form `change`. */
export function withOutcome<R extends { readonly error: ItemError | null }>({ error, ...row }: R, isDryRun: boolean) {
  return { ...row, ...outcomeOf({ error }, isDryRun) };
}

/** How the outcomes of a command are told. */
export interface OutcomeWords<R> {
  /** What a dry run says of an item: `be deleted` becomes `OK (dry run: would be deleted)`. */
  readonly would?: string | ((row: R) => string);
  /** Why nothing had to be done: `already exists` becomes `OK (already exists)`. */
  readonly notNeeded?: string | ((row: R) => string);
}

/** The cell of the last column: OK, what a dry run would do, why nothing had to be done, or the error. */
export function outcomeCell<R extends Outcome>(row: R, { would, notNeeded }: OutcomeWords<R>, success = 'OK'): Cell {
  if (row.status === 'NOT_NEEDED') return notNeeded === undefined ? 'NOT_NEEDED' : `OK (${wordsOf(notNeeded, row)})`;
  if (!row.dry_run) return statusCell(row.error, success);
  return statusCell(row.error, would === undefined ? 'OK (dry run)' : `OK (dry run: would ${wordsOf(would, row)})`);
}

function wordsOf<R>(words: string | ((row: R) => string), row: R): string {
  return typeof words === 'string' ? words : words(row);
}

import type { ExitCode, ItemError } from '../errors.ts';
import { maybe, row, type Shape, string, truth, whole } from './shape.ts';

/** The `error` of one item of a result: null when the item succeeded. */
export const itemError: Shape<ItemError | null> = maybe(
  row({ code: string, number: maybe(whole), message: string, retryable: truth, exit_code: whole as Shape<ExitCode> }),
);

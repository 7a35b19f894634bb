import type { Arena } from './records/arena.ts';
import type { RecordCursor } from './records/cursor.ts';

/** Appends the text of the record under the cursor to the arena. */
export type CompiledFormat = (cursor: RecordCursor, arena: Arena) => void;

/**
 * Compiles a record format (`%k %v\n`) into a function over raw record bytes. `counter` state (`%i`) is the function's own.
 * @throws CliError (usage) with a caret under the place that is wrong
 */
export function compileFormat(layout: string): CompiledFormat {
  throw new Error(`not yet: ${layout}`);
}

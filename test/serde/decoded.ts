import { createArena, takeBytes, viewOver } from '../../src/bytes/arena.ts';
import { type Decoder, MismatchError, PayloadError, SchemaError } from '../../src/serde/schema.ts';

/** Decodes one payload to text. */
export function decoded(decoder: Decoder, payload: Buffer): string {
  const arena = createArena();
  decoder.decode({ bytes: payload, view: viewOver(payload) }, 0, payload.length, arena);
  return takeBytes(arena).toString();
}

/** Returns the failure as a person would see it; other errors than those for people are thrown on. */
export function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PayloadError) return `${error.path ?? ''}: ${error.message}`;
    if (error instanceof MismatchError || error instanceof SchemaError) return error.message;
    throw error;
  }
  return 'no failure';
}

import { type Arena, appendAscii, appendBytes } from '../../../bytes/arena.ts';
import { printable } from '../../../format/printable.ts';
import { exactOffset } from '../batches/cursor.ts';
import type { DecodedFields, RecordField } from './decoding.ts';
import type { CompiledFormat } from './format.ts';

/** How records that were found are shown as text. */
export interface FoundOptions {
  /** Whether the topic is part of the place. */
  readonly hasTopic: boolean;
}

/**
 * Compiles the format of records that were found: a line with the place, the key and the value, separated by tabs. Line
 * breaks, tabs and what could control a terminal are escaped.
 */
export function compileFound({ hasTopic }: FoundOptions, fields?: DecodedFields): CompiledFormat {
  return (cursor, arena) => {
    const { bytes, origin, keyStart, keyLength, valueStart, valueLength } = cursor;
    if (hasTopic) appendAscii(arena, `${origin.topic}:`);
    appendAscii(arena, `${origin.partition}:${exactOffset(cursor)}\t`);
    appendText(arena, fields?.key ?? { bytes, start: keyStart, length: keyLength });
    appendAscii(arena, '\t');
    appendText(arena, fields?.value ?? { bytes, start: valueStart, length: valueLength });
    appendAscii(arena, '\n');
  };
}

function appendText(arena: Arena, { bytes, start, length }: Pick<RecordField, 'bytes' | 'start' | 'length'>): void {
  if (length > 0) appendBytes(arena, Buffer.from(printable(bytes.toString('utf8', start, start + length))));
}

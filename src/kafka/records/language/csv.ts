import { type Arena, appendAscii, appendByte, appendBytes, createArena, takeBytes } from '../../../bytes/arena.ts';
import type { RecordCursor } from '../batches/cursor.ts';
import type { DecodedFields } from './decoding.ts';
import { type CompiledFormat, compileFormat } from './format.ts';

/** The first line of CSV: the columns of a record, as `produce -f csv` reads them. */
export const csvHeader = 'topic,partition,offset,timestamp,key,value\n';

const [quote, comma, newline, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];

/**
 * Compiles CSV (RFC 4180): one line per record, without its headers. A field is quoted if it must be, and if it is an
 * empty text; null is empty without quotes.
 */
export function compileCsv(fields?: DecodedFields): CompiledFormat {
  const place = compileFormat('%p,%o,%d,', fields);
  const [topic, key, value] = ['%t', '%k', '%v'].map((layout) => fieldWriter(compileFormat(layout, fields)));
  return (cursor, arena) => {
    topic?.(cursor, arena, false);
    appendByte(arena, comma);
    place(cursor, arena);
    key?.(cursor, arena, (fields?.key?.length ?? cursor.keyLength) < 0);
    appendByte(arena, comma);
    value?.(cursor, arena, (fields?.value?.length ?? cursor.valueLength) < 0);
    appendByte(arena, newline);
  };
}

function fieldWriter(format: CompiledFormat): (cursor: RecordCursor, arena: Arena, isNull: boolean) => void {
  const scratch = createArena();
  return (cursor, arena, isNull) => {
    if (isNull) return;
    format(cursor, scratch);
    const bytes = takeBytes(scratch);
    if (bytes.length > 0 && !bytes.some(isSpecial)) return appendBytes(arena, bytes);
    appendAscii(arena, '"');
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.indexOf(quote, at);
      const end = next < 0 ? bytes.length : next + 1;
      appendBytes(arena, bytes.subarray(at, end));
      if (next >= 0) appendByte(arena, quote);
      at = end;
    }
    appendAscii(arena, '"');
  };
}

function isSpecial(byte: number): boolean {
  return byte === quote || byte === comma || byte === newline || byte === carriageReturn;
}

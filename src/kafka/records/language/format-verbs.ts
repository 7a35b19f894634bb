import { type Arena, appendAscii, reserve, type ViewedBytes, viewOver } from '../../../bytes/arena.ts';
import { compressions } from '../batches/compression/compressions.ts';
import { exactOffset, exactProducerId, hasOffset, offsetsAreSafe, type RecordCursor } from '../batches/cursor.ts';
import type { DecodedFields } from './decoding.ts';
import type { NumberFormat } from './format-number.ts';
import type { WriteText } from './format-text.ts';

/** One step of a compiled format. */
export type PrintStep = (cursor: RecordCursor, arena: Arena) => void;

/** What the verbs of a layout refer to: the record, or the current header of `%h{…}`. */
export type Scope = 'record' | 'header';

type ReadNumber = (cursor: RecordCursor) => number;

const numbers: Readonly<Record<string, ReadNumber>> = {
  T: (cursor) => cursor.origin.topicBytes.length,
  K: (cursor) => Math.max(cursor.keyLength, 0),
  V: (cursor) => Math.max(cursor.valueLength, 0),
  H: (cursor) => cursor.headerCount,
  p: (cursor) => cursor.origin.partition,
  e: (cursor) => cursor.leaderEpoch,
  y: (cursor) => cursor.producerEpoch,
};

const headerNumbers: Readonly<Record<string, ReadNumber>> = {
  K: (cursor) => cursor.headerKeyLength,
  V: (cursor) => Math.max(cursor.headerValueLength, 0),
};

/** A number that can be larger than a double holds exactly. */
interface ExactNumber {
  readonly read: ReadNumber;
  readonly isSafe: (cursor: RecordCursor) => boolean;
  readonly exact: (cursor: RecordCursor) => bigint;
}

const exactNumbers: Readonly<Record<string, ExactNumber>> = {
  o: {
    read: (cursor) => cursor.offset,
    isSafe: offsetsAreSafe,
    exact: (cursor) => (hasOffset(cursor) ? exactOffset(cursor) : -1n),
  },
  x: {
    read: (cursor) => cursor.producerId,
    isSafe: (cursor) => Number.isSafeInteger(cursor.producerId),
    exact: exactProducerId,
  },
};

/** Verbs that print a plain number. */
export const numberVerbs: ReadonlySet<string> = new Set([...Object.keys(numbers), ...Object.keys(exactNumbers)]);
/** Verbs that print an offset mark of the partition. */
export const markVerbs: ReadonlySet<string> = new Set(['[', '|', ']']);
/** Verbs that print bytes. */
export const textVerbs: ReadonlySet<string> = new Set(['t', 'k', 'v']);

/**
 * Creates the step of a number verb in a number format. Within headers, all verbs but the lengths refer to an empty
 * record and print 0.
 */
export function numberStep(verb: string, scope: Scope, format: NumberFormat): PrintStep {
  if (scope === 'header') {
    const read = headerNumbers[verb] ?? (() => 0);
    return (cursor, arena) => format.write(arena, read(cursor));
  }
  const large = exactNumbers[verb];
  if (large !== undefined) {
    const { read, isSafe, exact } = large;
    return (cursor, arena) => {
      if (isSafe(cursor)) format.write(arena, read(cursor));
      else format.writeExact(arena, exact(cursor));
    };
  }
  const read = numbers[verb] ?? (() => 0);
  return (cursor, arena) => format.write(arena, read(cursor));
}

/** Creates the step of `%K` or `%V` for decoded fields. */
export function decodedSizeStep(field: DecodedFields['key'], format: NumberFormat): PrintStep {
  return (_cursor, arena) => format.write(arena, Math.max(field.length, 0));
}

/**
 * Creates the step of a mark of the partition; it prints `<nil>` if there is none, as for records that were just
 * produced.
 */
export function markStep(verb: string, format: NumberFormat): PrintStep {
  return (cursor, arena) => {
    const { logStart, lastStable, highWatermark } = cursor.origin;
    const mark = verb === '[' ? logStart : verb === '|' ? lastStable : highWatermark;
    if (mark === undefined) appendAscii(arena, '<nil>');
    else if (typeof mark === 'bigint') format.writeExact(arena, mark);
    else format.write(arena, mark);
  };
}

/** Creates the step of a text verb in an encoding; `fields` are the decoded key and value, if records are decoded. */
export function textStep(verb: string, scope: Scope, write: WriteText, fields?: DecodedFields): PrintStep {
  if (verb === 't') {
    if (scope === 'header') return () => undefined;
    return topicStep(write);
  }
  if (fields !== undefined && scope === 'record') {
    const field = verb === 'k' ? fields.key : fields.value;
    return (_cursor, arena) => write(arena, field, field.start, field.length);
  }
  if (scope === 'header') {
    return verb === 'k'
      ? (cursor, arena) => write(arena, cursor, cursor.headerKeyStart, cursor.headerKeyLength)
      : (cursor, arena) => write(arena, cursor, cursor.headerValueStart, cursor.headerValueLength);
  }
  return verb === 'k'
    ? (cursor, arena) => write(arena, cursor, cursor.keyStart, cursor.keyLength)
    : (cursor, arena) => write(arena, cursor, cursor.valueStart, cursor.valueLength);
}

/** All records of a partition share their topic, so its view is cached. */
function topicStep(write: WriteText): PrintStep {
  let last: ViewedBytes = { bytes: Buffer.alloc(0), view: viewOver(Buffer.alloc(0)) };
  return ({ origin: { topicBytes } }, arena) => {
    if (last.bytes !== topicBytes) last = { bytes: topicBytes, view: viewOver(topicBytes) };
    write(arena, last, 0, topicBytes.length);
  };
}

/** Creates a step that writes literal bytes. */
export function literalStep(bytes: Buffer): PrintStep {
  const { length } = bytes;
  const only = bytes[0] ?? 0;
  if (length === 1) {
    return (_cursor, arena) => {
      reserve(arena, 1);
      arena.bytes[arena.length++] = only;
    };
  }
  return (_cursor, arena) => {
    reserve(arena, length);
    for (let index = 0; index < length; index++) arena.bytes[arena.length++] = bytes[index] as number;
  };
}

/** Creates a step that counts its evaluations from 1; all `%i` of one layout share a counter. */
export function counterStep(counter: { count: number }, format: NumberFormat): PrintStep {
  return (_cursor, arena) => format.write(arena, ++counter.count);
}

/** An attribute of the batch: its number, and its words if it has any. */
export interface Attribute {
  readonly read: ReadNumber;
  readonly words?: readonly string[];
}

/** The attributes of `%a{…}`. */
export const attributes: ReadonlyMap<string, Attribute> = new Map<string, Attribute>([
  ['compression', { read: (cursor) => cursor.attributes & 7, words: compressions }],
  ['timestamp-type', { read: (cursor) => (cursor.magic === 0 ? -1 : (cursor.attributes >>> 3) & 1) }],
  ['transactional-bit', { read: (cursor) => (cursor.attributes >>> 4) & 1 }],
  ['control-bit', { read: (cursor) => (cursor.attributes >>> 5) & 1 }],
]);

/** Creates a step that writes an attribute as a word, or as a number if it has no words or a number format is given. */
export function attributeStep(
  attribute: Attribute,
  scope: Scope,
  format: NumberFormat | undefined,
  plain: NumberFormat,
): PrintStep {
  const { words } = attribute;
  const read = scope === 'header' ? () => 0 : attribute.read;
  if (format === undefined && words !== undefined) {
    return (cursor, arena) => appendAscii(arena, words[read(cursor)] ?? 'unknown');
  }
  const chosen = format ?? plain;
  return (cursor, arena) => chosen.write(arena, read(cursor));
}

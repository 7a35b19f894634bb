import { parentPort, workerData } from 'node:worker_threads';
import { viewOver } from '../../../bytes/arena.ts';
import type { FilterSource, RecordFilter } from '../../records/filter/filter.ts';
import { createDecoding, decodedFields, type FetchedSchema } from '../../records/language/decoding.ts';
import { compileSource } from '../../records/language/format-source.ts';
import { createWalker } from './walk.ts';
import type { SentPiece, SentRecords, ThreadOptions, ThreadReport, ThreadTask } from './walk-messages.ts';

/** The largest number of pieces in use; further pieces wait for the reader of the output. */
const mostPieces = 3;
/** Memory beyond this size, for a large record, is not reused. */
const keptBytes = 4 << 20;

const { source, decode, conditions, ...options } = workerData as ThreadOptions;
const decoding = decode === undefined ? undefined : createDecoding(decode);
const filter = conditions === undefined ? undefined : await openConditions(conditions);
const walker = createWalker({ ...options, decoding, filter, format: compileSource(source, decoding) });
const free: ArrayBuffer[] = [];
let made = 1;
let notify = (): void => undefined;
let learn = (_schema: FetchedSchema): void => undefined;

parentPort?.on('message', (task: ThreadTask) => {
  if ('freed' in task) takeBack(task.freed);
  else if ('learned' in task) learn(task.schema);
  else walkAll(task).catch((error) => report({ type: 'failed', error }));
});

report({ type: 'ready' });

/** Loaded only if there are conditions. */
async function openConditions(conditions: FilterSource): Promise<RecordFilter> {
  const { openFilter } = await import('../../records/filter/filter.ts');
  return openFilter(conditions, decodedFields(decode, decoding));
}

function report(message: ThreadReport, memory: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, memory);
}

function takeBack(memory: ArrayBuffer): void {
  if (memory.byteLength > keptBytes) made -= 1;
  else free.push(memory);
  notify();
}

async function walkAll(task: Extract<ThreadTask, { readonly limit: number }>): Promise<void> {
  let left = task.limit;
  for (const [chunk, sent] of task.chunks.entries()) {
    for (const { bytes, ...piece } of walker.walk({ ...sent, records: recordsOf(task.memory, sent) }, left)) {
      left -= piece.count;
      const memory = walker.arena.bytes.buffer as ArrayBuffer;
      const answer = piece.missing === undefined ? undefined : nextSchema();
      send({ ...piece, chunk, memory, length: bytes.length });
      const next = await freeMemory();
      walker.arena.bytes = Buffer.from(next);
      walker.arena.view = viewOver(walker.arena.bytes);
      if (piece.damage !== undefined) left = 0;
      if (piece.missing !== undefined) await decoding?.learn(piece.missing, await answer);
    }
    if (left <= 0) break;
  }
  report({ type: 'walked', memory: task.memory }, [task.memory]);
}

/** The answer to the question that is about to be sent. */
function nextSchema(): Promise<FetchedSchema> {
  return new Promise((resolve) => {
    learn = resolve;
  });
}

function recordsOf(memory: ArrayBuffer, { start, length }: SentRecords): Buffer {
  return Buffer.from(memory, start, length);
}

function send(piece: SentPiece): void {
  report({ type: 'piece', piece }, [piece.memory]);
}

async function freeMemory(): Promise<ArrayBuffer> {
  for (;;) {
    const memory = free.pop();
    if (memory !== undefined) return memory;
    if (made < mostPieces) {
      made += 1;
      return Buffer.allocUnsafeSlow(options.pieceBytes + (options.pieceBytes >> 1)).buffer as ArrayBuffer;
    }
    await new Promise<void>((resolve) => {
      notify = resolve;
    });
  }
}

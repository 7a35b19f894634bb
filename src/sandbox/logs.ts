import { open, readFile, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Member } from './part.ts';

/** One line of a log. */
export interface LogLine {
  readonly part: string;
  readonly id: number;
  readonly line: string;
}

/** Which part of the logs to read. */
interface LogRange {
  /** The number of lines to read from the end of each log. */
  readonly lines: number;
  /** Whether to keep reading new lines until the signal aborts. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

const pollMs = 200;

/** Yields the last lines of each log in turn and then, with `follow`, new lines of any log. */
export async function* readLogs(members: readonly Member[], range: LogRange): AsyncGenerator<LogLine> {
  const readers: Reader[] = [];
  for (const member of members) {
    const content = await readFile(member.log).catch(() => Buffer.alloc(0));
    const whole = content.subarray(0, content.lastIndexOf('\n') + 1);
    readers.push({ member, at: whole.length, rest: '' });
    const lines = whole.toString().split('\n').slice(0, -1);
    for (const line of range.lines === 0 ? [] : lines.slice(-range.lines)) yield lineOf(member, line);
  }
  while (range.follow && !range.signal.aborted) {
    for (const reader of readers) {
      for (const line of await newLines(reader)) yield lineOf(reader.member, line);
    }
    await delay(pollMs, undefined, { signal: range.signal }).catch(() => undefined);
  }
}

function lineOf({ part, id }: Member, line: string): LogLine {
  return { part, id, line };
}

interface Reader {
  readonly member: Member;
  /** The offset of the first unread byte. */
  at: number;
  /** The last line so far, while it is incomplete. */
  rest: string;
}

async function newLines(reader: Reader): Promise<readonly string[]> {
  const size = await sizeOf(reader.member.log);
  if (size < reader.at) Object.assign(reader, { at: 0, rest: '' }); // the sandbox was purged and created again
  if (size === reader.at) return [];
  const file = await open(reader.member.log, 'r');
  try {
    const { bytesRead, buffer } = await file.read(
      Buffer.alloc(Math.min(size - reader.at, 1024 * 1024)),
      0,
      null,
      reader.at,
    );
    reader.at += bytesRead;
    const lines = `${reader.rest}${buffer.toString('utf8', 0, bytesRead)}`.split('\n');
    reader.rest = lines.pop() ?? '';
    return lines;
  } finally {
    await file.close();
  }
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Reads the last lines of a log; empty when there is no log. */
export async function lastLines(log: string, lines: number): Promise<readonly string[]> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}

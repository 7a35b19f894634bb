import { showUtcTime } from '../../format/time.ts';
import { fieldsOf } from '../../shape/object.ts';
import {
  described,
  either,
  int64,
  mapOf,
  maybe,
  measure,
  type RowOf,
  row,
  string,
  truth,
  whole,
} from '../../shape/shape.ts';
import type { LogRecord } from './log-records.ts';

/** A line that a transform has logged. */
export const LogLine = row({
  transform: string,
  time: described(string, 'RFC 3339 in UTC'),
  level: described(maybe(string), 'TRACE to FATAL; null if the record does not say it'),
  severity_number: described(maybe(whole), 'the severity of OpenTelemetry, from 1 to 24'),
  body: string,
  attributes: described(
    mapOf(either(string, measure, truth)),
    'what else the record says, for example the id of the broker; values that are not plain are JSON',
  ),
  partition: whole,
  offset: int64,
});
export type LogLine = RowOf<typeof LogLine>;

/** Four numbers of severity each (OpenTelemetry, Logs Data Model, section "Field: SeverityNumber"). */
const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Reads a record of a log: JSON like that of OpenTelemetry. A record of any other form is its own text. */
export function logRow(record: LogRecord, partition: number): LogLine {
  const { key, offset, timestamp } = record;
  const text = record.value.toString('utf8');
  const fields = fieldsOf(parsed(text));
  const severity = Number.isInteger(fields.severityNumber) ? Number(fields.severityNumber) : null;
  return {
    transform: key,
    time: timeIn(fields.timeUnixNano) ?? showUtcTime(timestamp),
    level: levels[Math.floor(((severity ?? 0) - 1) / 4)] ?? null,
    severity_number: severity,
    body: plainIn(fields.body)?.toString() ?? text,
    attributes: attributesIn(fields.attributes),
    partition,
    offset,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The last time that a Date can have, in milliseconds since the epoch. */
const lastTime = 8_640_000_000_000_000;

/** Nanoseconds since the epoch, as a number or in digits. */
function timeIn(value: unknown): string | undefined {
  const isGiven = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  const epochMs = Math.floor(Number(value) / 1_000_000);
  return isGiven && epochMs > 0 && epochMs <= lastTime ? showUtcTime(epochMs) : undefined;
}

/** The value in `{"stringValue":"a"}` and the like; 64-bit integers are in digits. */
function plainIn(value: unknown): string | number | boolean | undefined {
  const [first] = Object.entries(fieldsOf(value));
  if (first === undefined) return undefined;
  const [kind, inner] = first;
  if (kind === 'intValue' && typeof inner === 'string' && Number.isSafeInteger(Number(inner))) return Number(inner);
  if (typeof inner === 'string' || typeof inner === 'number' || typeof inner === 'boolean') return inner;
  return JSON.stringify(inner);
}

function attributesIn(value: unknown): LogLine['attributes'] {
  const entries = (Array.isArray(value) ? value : []).map(fieldsOf).flatMap(({ key, value: inner }) => {
    const plain = plainIn(inner);
    return typeof key === 'string' && plain !== undefined ? [[key, plain] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The line as text: only what the transform wrote, which may end its lines itself. */
export function logText({ body }: LogLine): string {
  return `${body.replace(/\r?\n$/, '')}\n`;
}

/** The line with its time and level. */
export function wideLogText(row: LogLine): string {
  return `${row.time} ${(row.level ?? '-').padEnd(5)} ${logText(row)}`;
}

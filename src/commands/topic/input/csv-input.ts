import { CliError, exitCodes } from '../../../errors.ts';
import { count } from '../../../format/count.ts';

/** A field of a line: an empty one that is not quoted is none. */
interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Columns that are parts of a record; all others are in its value. */
const parts: ReadonlySet<string> = new Set(['topic', 'key', 'value', 'partition', 'offset', 'timestamp']);
const headerPrefix = 'header.';

/**
 * Reads CSV (RFC 4180) whose first line names the columns, and yields JSON envelopes, one per line. The columns `key`,
 * `value`, `topic`, `partition`, `timestamp` and `header.NAME` are parts of the record. Without `value`, the value is a
 * JSON object of all other columns, as texts.
 * @param emptyIsNull whether an empty value that is not quoted is null, as `consume -f csv` writes it
 * @throws CliError for text that is not CSV or not UTF-8, or a line that has not one field for each column
 */
export async function* envelopesOfCsv(
  input: AsyncIterable<Uint8Array | string>,
  emptyIsNull: boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      throw notUtf8(error);
    }
  };
  const csv: CsvState = { line: 1, startedAt: 1, fields: [], text: '', at: 'start' };
  let columns: readonly string[] | undefined;
  const envelopes = function* (text: string, isLast = false): Generator<string> {
    for (const { line, fields } of linesIn(csv, text, isLast)) {
      if (columns === undefined) columns = columnsOf(fields);
      else yield `${JSON.stringify(envelopeOf(columns, fields, { line, emptyIsNull }))}\n`;
    }
  };
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decode(chunk);
    let joined = '';
    try {
      for (const envelope of envelopes(text)) joined += envelope;
    } finally {
      // Those before a fault are written.
      if (joined !== '') yield joined;
    }
  }
  yield* envelopes(decode(), true);
}

interface Line {
  readonly line: number;
  readonly fields: readonly Field[];
}

/** What was read of CSV, which comes in texts that end anywhere. */
interface CsvState {
  line: number;
  /** Where the line began: a quoted field may hold others. */
  startedAt: number;
  fields: Field[];
  text: string;
  at: 'start' | 'plain' | 'quoted' | 'closed';
}

/** Reads the next text; gives the lines that end in it, without blank ones. */
function* linesIn(csv: CsvState, text: string, isLast: boolean): Generator<Line> {
  for (const character of text) {
    const line = take(csv, character);
    if (line !== undefined) yield line;
  }
  if (!isLast) return;
  if (csv.at === 'quoted') throw csvError(csv.startedAt, 'a quote is not closed');
  const line = csv.at === 'start' && csv.fields.length === 0 ? undefined : endLine(csv);
  if (line !== undefined) yield line;
}

/** Takes a character; returns the line that it ends. */
function take(csv: CsvState, character: string): Line | undefined {
  if (csv.at === 'quoted') takeQuoted(csv, character);
  else if (character === '\n') {
    if (csv.at === 'plain' && csv.text.endsWith('\r')) csv.text = csv.text.slice(0, -1);
    return endLine(csv);
  } else if (character === ',') endField(csv);
  else takePlain(csv, character);
  return undefined;
}

function takeQuoted(csv: CsvState, character: string): void {
  if (character === '\n') csv.line += 1;
  if (character === '"') csv.at = 'closed';
  else csv.text += character;
}

function takePlain(csv: CsvState, character: string): void {
  if (csv.at === 'closed') {
    if (character !== '"' && character !== '\r') throw csvError(csv.line, 'there is text after the closing quote');
    if (character === '\r') return;
    csv.text += character;
    csv.at = 'quoted';
  } else if (csv.at === 'start' && character === '"') csv.at = 'quoted';
  else {
    csv.text += character;
    csv.at = 'plain';
  }
}

function endField(csv: CsvState): void {
  csv.fields.push({ text: csv.text, isQuoted: csv.at === 'closed' });
  csv.text = '';
  csv.at = 'start';
}

/** Ends a line; undefined if it is blank. */
function endLine(csv: CsvState): Line | undefined {
  endField(csv);
  const { startedAt: line, fields } = csv;
  csv.line += 1;
  csv.startedAt = csv.line;
  csv.fields = [];
  const [only] = fields;
  const isBlank = fields.length === 1 && only?.text === '' && !only.isQuoted;
  return isBlank ? undefined : { line, fields };
}

/** The parts of a record in any case; other columns are fields of a JSON object, as they are. */
function columnOf(name: string): string {
  const lower = name.toLowerCase();
  if (lower.startsWith(headerPrefix)) return headerPrefix + name.slice(headerPrefix.length);
  return parts.has(lower) ? lower : name;
}

function columnsOf(fields: readonly Field[]): readonly string[] {
  const names = fields.map(({ text }) => columnOf(text.trim()));
  const [only = ''] = names;
  const separator = names.length > 1 ? undefined : [';', '\t'].find((one) => only.includes(one));
  if (separator !== undefined) {
    throw csvError(1, `${separator === ';' ? 'semicolons' : 'tabs'} separate its columns`, [
      'separate them with commas',
    ]);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw csvError(1, `the column "${twice}" is there twice`);
  if (names.includes('')) throw csvError(1, 'a column has no name');
  const other = names.find((name) => !parts.has(name) && !name.startsWith(headerPrefix));
  if (names.includes('value') && other !== undefined) {
    throw csvError(1, `the column "${other}" is no part of a record`, [
      `with a column "value", the others are: key, topic, partition, timestamp, ${headerPrefix}NAME`,
    ]);
  }
  return names;
}

function envelopeOf(
  columns: readonly string[],
  fields: readonly Field[],
  { line, emptyIsNull }: { readonly line: number; readonly emptyIsNull: boolean },
): object {
  if (fields.length !== columns.length) {
    throw csvError(line, `it has ${count(fields.length, 'field')}, and the header line has ${columns.length}`);
  }
  const all = columns.map((name, at) => [name, fields[at] ?? { text: '', isQuoted: false }] as const);
  const cells = new Map(all.filter(([, { text, isQuoted }]) => text !== '' || isQuoted));
  const textOf = (name: string): string | undefined => cells.get(name)?.text;
  const numberOf = (name: string): number | undefined => {
    const text = textOf(name);
    if (text !== undefined && !/^-?\d{1,15}$/.test(text)) throw csvError(line, `the ${name} "${text}" is no number`);
    return text === undefined ? undefined : Number(text);
  };
  const rest = all.filter(([name]) => !parts.has(name) && !name.startsWith(headerPrefix));
  const object = JSON.stringify(Object.fromEntries(rest.map(([name, { text }]) => [name, text])));
  const headers = [...cells].filter(([name]) => name.startsWith(headerPrefix));
  return {
    topic: textOf('topic'),
    key: textOf('key'),
    value: columns.includes('value') ? (textOf('value') ?? (emptyIsNull ? null : '')) : object,
    headers: headers.map(([name, { text }]) => ({ key: name.slice(headerPrefix.length), value: text })),
    timestamp: numberOf('timestamp'),
    partition: numberOf('partition'),
  };
}

function notUtf8(cause: unknown): CliError {
  return new CliError(exitCodes.failure, 'unable to read the CSV input: it is not UTF-8', {
    code: 'INVALID_INPUT',
    hints: ['save it as "CSV UTF-8", or convert it, for example with iconv -f WINDOWS-1252 -t UTF-8'],
    cause,
  });
}

function csvError(line: number, reason: string, hints: readonly string[] = []): CliError {
  return new CliError(exitCodes.failure, `unable to read line ${line} of the CSV input: ${reason}`, {
    code: 'INVALID_INPUT',
    target: `line ${line}`,
    hints,
  });
}

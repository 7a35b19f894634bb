import type { HttpAnswer } from './http.ts';
import { parseJson } from './json.ts';

/** What an answer that does not say what is wrong consists of: `an HTML page`, `an answer that is not JSON` and so on. */
export function formOf({ headers, body }: HttpAnswer): string {
  if (body.length === 0) return 'an empty answer';
  const type = headers['content-type']?.split(';')[0]?.trim();
  if (type === 'text/html') return 'an HTML page';
  return parseJson(body) === undefined ? 'an answer that is not JSON' : 'JSON without an error code';
}

/** The start of a plain text answer, for example from a proxy. */
export function plainText({ headers, body }: HttpAnswer): string {
  return headers['content-type']?.startsWith('text/plain') ? oneLine(body.toString('utf8', 0, 4_000)) : '';
}

/** Text on one line, up to 1,000 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 1_000 ? `${line.slice(0, 999)}…` : line;
}

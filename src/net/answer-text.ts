import type { HttpAnswer } from './http.ts';

/** What an answer consists of, for errors: `an HTML page`, `an empty answer` or `an answer that is not JSON`. */
export function formOf({ headers, body }: HttpAnswer): string {
  if (body.length === 0) return 'an empty answer';
  const type = headers['content-type']?.split(';')[0]?.trim();
  return type === 'text/html' ? 'an HTML page' : 'an answer that is not JSON';
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

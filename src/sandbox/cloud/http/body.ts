import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from './api-error.ts';

const largest = 1 << 20;

/**
 * Reads the whole body of a request.
 * @throws ApiError when it is longer than 1 MiB
 */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= largest) chunks.push(chunk);
  }
  if (length > largest) throw new ApiError('INVALID_ARGUMENT', 'the body is longer than 1 MiB');
  return Buffer.concat(chunks);
}

/**
 * Parses a body as a form or JSON, depending on its content type; undefined when it is empty.
 * @throws ApiError when it is not valid JSON
 */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString('utf8');
  if (contentType?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw invalid([{ field: 'body', description: 'must be JSON' }]);
  }
}

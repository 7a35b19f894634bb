import type { HttpStream } from '../../net/http.ts';
import { basicAuth } from '../../net/http-call.ts';
import { answerError } from './answer-error.ts';
import type { ApiParts } from './api.ts';

/** A file of one node. */
export interface Download {
  /** The action for error messages, for example `download the debug bundle of broker 1`. */
  readonly doing: string;
  /** The path with its version, made with `pathOf`. */
  readonly path: string;
  readonly to: { readonly node: number };
}

/** The most bytes of an error answer that are read. */
const mostErrorBytes = 64 * 1024;

/**
 * Requests a file from a node, without retries and redirects: only this node has it.
 * @throws CliError if the node does not answer with the file; later, from the stream, if it does not arrive whole
 */
export async function download(
  { http, credentials }: Pick<ApiParts, 'http' | 'credentials'>,
  baseUrl: string,
  { doing, path }: Download,
): Promise<AsyncIterable<Uint8Array>> {
  const url = baseUrl + path;
  const headers = credentials === undefined ? {} : { authorization: basicAuth(credentials) };
  const answer = await http.stream({ method: 'GET', url, headers });
  const { status } = answer;
  if (status >= 200 && status <= 299) return answer.chunks;
  throw answerError(doing, `GET ${url}`, { ...answer, body: await startOf(answer) });
}

async function startOf({ chunks }: HttpStream): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length > mostErrorBytes) break;
  }
  return Buffer.concat(read);
}

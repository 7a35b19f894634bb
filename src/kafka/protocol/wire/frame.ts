import type { Api, Layout } from './api.ts';
import { codes } from './error-codes.ts';
import { int16, int32, string } from './primitives.ts';
import { createSink, piecesOf, type Sink, written } from './sink.ts';
import { readUvarint, type Source, sourceOf, take } from './source.ts';

/** The header of a request. */
export interface RequestHeader {
  readonly apiKey: number;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | undefined;
}

const short = int16.compile(0, false);
const int = int32.compile(0, false);
const clientIdCoder = string.compileNullable(0, false);
const apiVersionsKey = 18;

/** Reads the header of a request, except for the tagged fields of header version 2, which `skipTags` reads. */
export function readHeader(source: Source): RequestHeader {
  return {
    apiKey: short.read(source),
    version: short.read(source),
    correlationId: int.read(source),
    clientId: clientIdCoder.read(source),
  };
}

/** Skips the tagged fields that end a flexible header. */
export function skipTags(source: Source): void {
  for (let left = readUvarint(source); left > 0; left -= 1) {
    readUvarint(source);
    take(source, readUvarint(source));
  }
}

/** Whether the header of a response ends with tagged fields: never that of ApiVersions, which precedes all others (KIP-511). */
function hasTags(api: Pick<Api<never, unknown>, 'key' | 'flexibleFrom'>, version: number): boolean {
  return version >= api.flexibleFrom && api.key !== apiVersionsKey;
}

/** Encodes a response as one frame without its length. */
export function encodeResponse(api: Layout, header: RequestHeader, response: object): Buffer {
  const { version } = header;
  const sink = createSink();
  int.write(sink, header.correlationId);
  if (hasTags(api, version)) writeNoTags(sink);
  api.response(version).write(sink, response as never);
  return written(sink);
}

/** Encodes what follows the client id in a request, in pieces: large record batches are not copied. */
export function encodeRequest<Request>(
  api: Api<Request, unknown>,
  version: number,
  request: Request,
): readonly Buffer[] {
  const sink = createSink();
  if (version >= api.flexibleFrom) writeNoTags(sink);
  api.request(version).write(sink, request);
  return piecesOf(sink);
}

function writeNoTags(sink: Sink): void {
  sink.buffer[sink.at] = 0;
  sink.at += 1;
}

/**
 * Decodes what follows the correlation id in a response. A broker that does not support the version of an ApiVersions
 * request answers in version 0, the oldest ones with nothing but the error code.
 * @throws MalformedBytes
 */
export function decodeResponse<Response>(api: Api<never, Response>, version: number, bytes: Buffer): Response {
  const source = sourceOf(bytes);
  if (hasTags(api, version)) skipTags(source);
  if (api.key !== apiVersionsKey || bytes.length < 2 || bytes.readInt16BE(0) !== codes.UNSUPPORTED_VERSION)
    return api.response(version).read(source);
  return api.response(0).read(bytes.length > 2 ? source : sourceOf(Buffer.concat([bytes, Buffer.alloc(4)])));
}

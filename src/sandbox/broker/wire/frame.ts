import type { Layout } from './layout.ts';
import { int16, int32, string } from './primitives.ts';
import { createSink, written } from './sink.ts';
import { readUvarint, type Source, view } from './source.ts';

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
const apiVersions = 18;

/** Reads the header of a request, except for the tagged fields of header version 2, which `skipTags` reads. */
export function readHeader(source: Source): RequestHeader {
  return {
    apiKey: short.read(source),
    version: short.read(source),
    correlationId: int.read(source),
    clientId: clientIdCoder.read(source),
  };
}

/** Skips the tagged fields of a flexible request's header. */
export function skipTags(source: Source): void {
  for (let left = readUvarint(source); left > 0; left -= 1) {
    readUvarint(source);
    view(source, readUvarint(source));
  }
}

/** Encodes a response as one frame without its length. */
export function encodeResponse(api: Layout, header: RequestHeader, response: object): Buffer {
  const { version } = header;
  const sink = createSink();
  int.write(sink, header.correlationId);
  // ApiVersions always uses the old header, because a client reads it before it knows the broker's versions (KIP-511).
  if (version >= api.flexibleFrom && api.key !== apiVersions) sink.buffer[sink.at++] = 0;
  api.response(version).write(sink, response as never);
  return written(sink);
}

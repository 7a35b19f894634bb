import type { Api as WireApi } from '../wire/api.ts';
import { lend } from '../wire/sink.ts';
import { createReader, createWriter, type Reader, type Writer } from './codec.ts';

/** The part of every answer that says how long the client should pause (KIP-219). */
export interface Throttled {
  /** throttle_time_ms; 0 if the layout has no such field. */
  readonly throttleMs: number;
}

/** One request type of the Kafka protocol, with its layout in code. */
export interface Api<Request, Response> extends WireApi<Request, Response> {
  encode(writer: Writer, request: Request, version: number): void;
  decode(reader: Reader, version: number): Response & Throttled;
}

type Given<Request, Response> = Pick<
  Api<Request, Response>,
  'name' | 'key' | 'min' | 'max' | 'flexibleFrom' | 'target' | 'repeatable' | 'encode' | 'decode'
> &
  Partial<Api<Request, Response>>;

/** Makes an API of a layout in code. */
export function adapted<Request, Response>(given: Given<Request, Response>): Api<Request, Response> {
  const { flexibleFrom, name } = given;
  return {
    changes: false,
    held: false,
    timeoutMs: () => 0,
    expectsAnswer: () => true,
    errorCode: () => 0,
    errorMessage: () => undefined,
    throttleMs: (response) => (response as Throttled).throttleMs,
    ...given,
    request: (version) => ({
      write(sink, request) {
        const writer = createWriter(version >= flexibleFrom);
        given.encode(writer, request, version);
        for (const piece of writer.pieces()) lend(sink, piece);
      },
    }),
    response: (version) => ({
      read: (source) =>
        given.decode(createReader(source.buffer.subarray(source.at), version >= flexibleFrom, name), version),
    }),
  };
}

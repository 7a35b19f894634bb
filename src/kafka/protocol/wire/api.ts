import { compileFields, describeFields, type Fields, type ReadOf, type WrittenOf } from './fields.ts';
import type { Coder } from './primitives.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';

/** A name that has a coordinator. */
export type CoordinatedName = { readonly group: string } | { readonly transactionalId: string };

/**
 * Which broker answers a request: any broker, the controller, the leader of a partition, a coordinator, or one broker
 * about itself. A function gets the coordinator's name from the request; otherwise the caller names the leader's
 * partition, the broker, or what the coordinator is for.
 */
export type Role<Request> =
  | 'any'
  | 'controller'
  | 'leader'
  | 'coordinator'
  | 'broker'
  | ((request: Request) => CoordinatedName);

/** The versions of an API, inclusive. */
export type Versions = readonly [min: number, max: number];

/** What a client needs of an API: to write its requests, read its responses, and know how to send them. */
export interface Api<Request, Response> {
  /** The protocol's name of the API, for example `CreateTopics`. */
  readonly name: string;
  /** The protocol's api key. */
  readonly key: number;
  /** The lowest and highest version that the client uses. */
  readonly min: number;
  readonly max: number;
  /** The first version with compact lengths and tagged fields. */
  readonly flexibleFrom: number;
  /** Which broker answers it. The client looks that broker up, and again when an error code says that it has moved. */
  readonly target: Role<Request>;
  /** Whether sending it twice is harmless; only such requests are repeated after a lost answer. */
  readonly repeatable: boolean;
  /** Whether it changes the cluster: what was done for some of its items is reported even if the command is stopped. */
  readonly changes: boolean;
  /**
   * Whether the broker holds the request until others have acted. A broker answers the requests of a connection in
   * order, so such requests use a connection of their own; later requests on the same one would have to wait.
   */
  readonly held: boolean;
  /** The timeout inside the request in milliseconds, 0 if it has none; it is added to the overhead. */
  timeoutMs(request: Request): number;
  /** Whether the broker sends an answer; it sends none to Produce with acks 0. */
  expectsAnswer(request: Request): boolean;
  /** The error code of the whole answer (0: none); codes of single items are read by the caller. */
  errorCode(response: Response): number;
  /** The broker's text for that code, if it sends one. */
  errorMessage(response: Response): string | undefined;
  /** How long the client should pause (KIP-219), in milliseconds. */
  throttleMs(response: Response): number;
  /** The coder of requests in one version. */
  request(version: number): { write(sink: Sink, request: Request): void };
  /** The coder of responses in one version. */
  response(version: number): { read(source: Source): Response };
}

/** An API as both sides know it. */
export interface Layout<Request extends Fields = Fields, Response extends Fields = Fields>
  extends Api<WrittenOf<Request>, ReadOf<Response>> {
  /** The versions that the layout describes. */
  readonly versions: Versions;
  request(version: number): Coder<ReadOf<Request>, WrittenOf<Request>>;
  response(version: number): Coder<ReadOf<Response>, WrittenOf<Response>>;
  /** The fields of both messages in one version, in words. */
  describe(version: number): { readonly request: string; readonly response: string };
}

/** A request, as it is written. */
export type RequestOf<L> = L extends { request(version: number): Coder<unknown, infer Written> } ? Written : never;

/** A response, as the client reads it. */
export type ResponseOf<L> = L extends { response(version: number): Coder<infer Read, never> } ? Read : never;

/** A request, as a broker reads it. */
export type ReadRequestOf<L> = L extends { request(version: number): Coder<infer Read, never> } ? Read : never;

/** A response, as a broker writes it. */
export type WrittenResponseOf<L> = L extends { response(version: number): Coder<unknown, infer Written> }
  ? Written
  : never;

/** The facts about an API that its fields do not show. */
interface Declaration<Request extends Fields, Response extends Fields> {
  readonly name: string;
  readonly key: number;
  readonly versions: Versions;
  /** The versions that the client uses; by default all. */
  readonly client?: Versions;
  /** By default no version is flexible. */
  readonly flexibleFrom?: number;
  readonly target: Role<WrittenOf<Request>>;
  readonly repeatable: boolean;
  readonly changes?: boolean;
  readonly held?: boolean;
  /** By default the request's `timeoutMs`. */
  timeoutMs?(request: WrittenOf<Request>): number;
  expectsAnswer?(request: WrittenOf<Request>): boolean;
  /** By default the response's `errorCode`. */
  errorCode?(response: ReadOf<Response>): number;
  readonly request: Request;
  readonly response: Response;
}

/** Declares an API; each version is compiled once, on first use. */
export function api<Request extends Fields, Response extends Fields>(
  declaration: Declaration<Request, Response>,
): Layout<Request, Response> {
  const { versions, flexibleFrom = Number.POSITIVE_INFINITY, request, response } = declaration;
  const [min, max] = declaration.client ?? versions;
  const compiled = <F extends Fields>(fields: F) => {
    const coders: Coder<ReadOf<F>, WrittenOf<F>>[] = [];
    return (version: number): Coder<ReadOf<F>, WrittenOf<F>> => {
      coders[version] ??= compileFields(fields, version, version >= flexibleFrom);
      return coders[version];
    };
  };
  return {
    changes: false,
    held: false,
    timeoutMs: ({ timeoutMs }: { readonly timeoutMs?: number }) => timeoutMs ?? 0,
    expectsAnswer: () => true,
    errorCode: ({ errorCode }: { readonly errorCode?: number }) => errorCode ?? 0,
    errorMessage: ({ errorMessage }: { readonly errorMessage?: string }) => errorMessage,
    throttleMs: ({ throttleTimeMs }: { readonly throttleTimeMs?: number }) => throttleTimeMs ?? 0,
    ...declaration,
    min,
    max,
    flexibleFrom,
    request: compiled(request),
    response: compiled(response),
    describe: (version) => ({
      request: describeFields(request, version, version >= flexibleFrom),
      response: describeFields(response, version, version >= flexibleFrom),
    }),
  };
}

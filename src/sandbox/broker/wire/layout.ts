import { compileFields, type Fields, type ReadOf, type WrittenOf } from './fields.ts';
import type { Coder } from './primitives.ts';

/** One API: its versions and the fields of its requests and responses. */
export interface Layout<Request extends Fields = Fields, Response extends Fields = Fields> {
  readonly name: string;
  /** The protocol's api key. */
  readonly key: number;
  /** The supported versions, inclusive. */
  readonly min: number;
  readonly max: number;
  /** The first version with compact lengths and tagged fields. */
  readonly flexibleFrom: number;
  request(version: number): Coder<ReadOf<Request>, WrittenOf<Request>>;
  response(version: number): Coder<ReadOf<Response>, WrittenOf<Response>>;
}

/** The type of a decoded request. */
export type RequestOf<L> = L extends { request(version: number): Coder<infer Read, never> } ? Read : never;

/** The type of a response to encode. */
export type ResponseOf<L> = L extends { response(version: number): Coder<unknown, infer Written> } ? Written : never;

/** Declares an API; each version is compiled once, on first use. */
export function layout<Request extends Fields, Response extends Fields>(declaration: {
  readonly name: string;
  readonly key: number;
  readonly min: number;
  readonly max: number;
  readonly flexibleFrom: number;
  readonly request: Request;
  readonly response: Response;
}): Layout<Request, Response> {
  const { name, key, min, max, flexibleFrom } = declaration;
  const compiled = <F extends Fields>(fields: F) => {
    const versions: Coder<ReadOf<F>, WrittenOf<F>>[] = [];
    return (version: number): Coder<ReadOf<F>, WrittenOf<F>> => {
      versions[version] ??= compileFields(fields, version, version >= flexibleFrom);
      return versions[version];
    };
  };
  return {
    name,
    key,
    min,
    max,
    flexibleFrom,
    request: compiled(declaration.request),
    response: compiled(declaration.response),
  };
}

import { CliError, exitCodes, type ItemError, itemErrorOf, rephrased } from '../errors.ts';
import { shellWord } from '../format/shell-word.ts';
import type { Hosts } from '../net/hosts.ts';
import type { HttpAnswer } from '../net/http.ts';
import { HttpError, isPassing } from '../net/http-error.ts';
import { parseJson } from '../net/json.ts';
import { callsOf } from '../net/json-api/call.ts';
import { createJsonApi, type JsonApi, type JsonApiParts } from '../net/json-api/client.ts';
import { type Credentials, schemeHint } from '../net/json-api/credentials.ts';
import type { Dialect } from '../net/json-api/dialect.ts';
import { ApiError, apiError, foreignAnswer, oneLine, plainText } from '../net/json-api/error.ts';
import { type Fields, fieldsOf } from '../shape/object.ts';

/** The media type of registries; without parameters, because some compare it as text. */
const mediaType = 'application/vnd.schemaregistry.v1+json';

/** The path of the API of other registries in Apicurio Registry. */
export const apicurioPath = /\/apis\/ccompat\/v\d+\/?$/;

/** Hints by the status or `error_code` of an answer. */
export type Advice = Readonly<Record<number, string>>;

/** What a call to the registry may say besides. */
interface RegistryCallOptions {
  /** Hints for error answers, by status or `error_code`. */
  readonly advice?: Advice;
  /** Whether the request is one of Apicurio's own API, below whose base URL the path then is. */
  readonly isNative?: boolean;
}

/** The functions that declare calls to the registry. */
export const calls = callsOf<RegistryCallOptions>();

/** Requests to the registry, with its limits and retries. */
export interface Api extends Pick<JsonApi<RegistryCallOptions>, 'call'> {
  /** Whether the addresses are those that Apicurio Registry has for the API of other registries. */
  readonly isApicurio: boolean;
}

/** The parts that requests need. */
export interface ApiParts extends JsonApiParts {
  readonly isApicurio: boolean;
  readonly hosts: Hosts;
  readonly credentials: Credentials | undefined;
}

/** Creates the API without sending a request. */
export function createApi({ isApicurio, hosts, credentials, ...parts }: ApiParts): Api {
  const ofCredentials: Advice = credentials?.whenRefused === undefined ? {} : { 401: credentials.whenRefused };
  const ofScheme = ({ body }: HttpAnswer): Advice => {
    const hint = schemeHint(String(body), credentials, 'registry');
    return hint === undefined ? {} : { 400: hint };
  };
  const dialect: Dialect<RegistryCallOptions> = {
    doubts: {
      // What a gateway answers whose registry did not, or not in time.
      mayBeMade: ({ status }) => status === 502 || status === 504,
      hint: () => 'the registry may have made the change: check before you repeat the command',
    },
    credentials,
    hosts: () => hosts,
    baseUrl: ({ isNative = false }, address) =>
      isNative ? address.replace(apicurioPath, '/apis/registry/v3') : address,
    mediaType: ({ isNative = false }) => (isNative ? 'application/json' : mediaType),
    unanswered: (error) => (error.code === 'CONNECTION_LOST' ? withAddress(error) : error),
    // The largest schema that is read, with room for its escapes in JSON.
    maxBytes: 64 * 1024 * 1024,
    // Redpanda answers the creation of ACLs with 201.
    isEmpty: ({ status, body }) => status === 204 || (status === 201 && body.length === 0),
    refusal: ({ doing, advice }, what, answer) =>
      answerError(doing, what, answer, { ...ofCredentials, ...ofScheme(answer), ...advice }),
    foreign: ({ doing }, what, answer) => notRegistry(doing, what, answer),
    placeName: (place, form) => (/^\d/.test(place) ? form : `"${place.replace(/\..*$/, '')}"`),
    addressHint: checkAddress,
  };
  return { call: createJsonApi(dialect, parts).call, isApicurio };
}

const checkAddress = 'check that registry.hosts is the address of a schema registry';

/** Other services, such as Kafka brokers, close the connection when they receive a request. */
function withAddress({ message, sent, target, cause, retryable }: HttpError): HttpError {
  const hints = [`${checkAddress}, not of a broker`];
  return new HttpError(message, { sent, retryable, hints, cause, ...(target !== undefined && { target }) });
}

/** Error codes with names; the registry's own documentation has only numbers. */
const names: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [409, 'INCOMPATIBLE_SCHEMA'],
  // Of a Redpanda whose registry a shadow link fills (26: src/v/pandaproxy/schema_registry/error.cc:163).
  [412, 'WRITES_DISABLED'],
  [422, 'INVALID_SCHEMA'],
  [40401, 'SUBJECT_NOT_FOUND'],
  [40402, 'VERSION_NOT_FOUND'],
  [40403, 'SCHEMA_NOT_FOUND'],
  [40404, 'SUBJECT_SOFT_DELETED'],
  [40405, 'SUBJECT_NOT_SOFT_DELETED'],
  [40406, 'VERSION_SOFT_DELETED'],
  [40407, 'VERSION_NOT_SOFT_DELETED'],
  [40408, 'COMPATIBILITY_LEVEL_NOT_SET'],
  [40409, 'MODE_NOT_SET'],
  [40901, 'INCOMPATIBLE_SCHEMA'],
  [42201, 'INVALID_SCHEMA'],
  [42202, 'INVALID_VERSION'],
  [42203, 'INVALID_COMPATIBILITY_LEVEL'],
  [42204, 'INVALID_MODE'],
  [42205, 'OPERATION_NOT_PERMITTED'],
  [42206, 'REFERENCE_EXISTS'],
  [42207, 'SCHEMA_ID_IN_USE'],
  [42208, 'INVALID_SUBJECT'],
  [42209, 'SCHEMA_TOO_LARGE'],
  [42210, 'INVALID_RULE_SET'],
  [42211, 'CONTEXT_NOT_EMPTY'],
  [42212, 'INVALID_ASSOCIATION'],
  [50001, 'STORAGE_ERROR'],
  [50002, 'STORAGE_ERROR'],
  // Of Redpanda, an error of Kafka that passes; of Confluent, a request that the leader did not get.
  [50003, 'TEMPORARY_FAILURE'],
  [50004, 'LEADER_NOT_KNOWN'],
  [50301, 'WRITE_COLLISION'],
  [50302, 'BROKER_NOT_AVAILABLE'],
]);

const conflicts: ReadonlySet<number | null> = new Set([412, 42205, 42206, 42207, 42211]);
/** Server errors that pass, by `error_code`. Other errors with status 500 also mean a request that the server dislikes. */
const passing: ReadonlySet<number | null> = new Set([50002, 50003, 50004]);
const passingStatus: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const generalAdvice: Advice = {
  401: 'set the credentials with -X user=TEXT and WEIR_PASS, or in the profile; own ones of the registry are registry.user and registry.pass',
  403: 'the user of -X user=TEXT needs permission for this; changing modes may need a superuser',
  412: 'if a shadow link copies this registry from another cluster, write to that one',
  40401: 'see the subjects with: weir registry subject list --deleted',
};

/** The hint for a version that the subject does not have. */
export function versionAdvice(subject: string): Advice {
  return { 40402: `see the versions with: weir registry schema list ${shellWord(subject)} --deleted` };
}

/** How a web server answers to a path or method that it does not have. */
const unknownCalls: ReadonlySet<number> = new Set([404, 405, 501]);

const notServedCode = 'NOT_SERVED';

/** Whether the registry does not have a request at all. */
export function notServed(error: unknown): boolean {
  return error instanceof CliError && error.code === notServedCode;
}

/** Whether the registry answered with one of these error codes. */
export function hasNumber(error: unknown, ...numbers: readonly number[]): error is ApiError {
  return error instanceof ApiError && error.number !== null && numbers.includes(error.number);
}

/** The failure of one item of a result. */
export function itemOf(error: unknown): ItemError {
  if (!(error instanceof CliError)) throw error;
  return error instanceof ApiError ? { ...itemErrorOf(error), number: error.number } : itemErrorOf(error);
}

/** Returns the same failure with more text after its message. */
export function withAddition(error: CliError, addition: string): CliError {
  const message = error.message + addition;
  if (!(error instanceof ApiError)) return rephrased(error, message);
  const { exitCode, status, number, code, hints, target, retryable, cause } = error;
  const details = { status, number, code, hints, retryable, cause };
  return new ApiError(exitCode, message, target === undefined ? details : { ...details, target });
}

/**
 * Creates the error for an answer with an error status.
 * @param doing the action that failed, for example `read the schema 5`
 * @param what the request, for example `GET http://localhost:8081/schemas/ids/5`
 * @param advice hints that are better than the general ones
 */
export function answerError(doing: string, what: string, answer: HttpAnswer, advice: Advice = {}): CliError {
  const { status } = answer;
  const body = fieldsOf(parseJson(answer.body));
  const number = numberOf(body);
  const message = typeof body.message === 'string' ? oneLine(body.message) : '';
  // The web servers of registries repeat the status where registries have codes of their own.
  const isUnknown = unknownCalls.has(status) && (number ?? body.code) === status;
  // A proxy that authorizes or limits requests may answer in a format of its own.
  const isRegistry = number !== null || message !== '' || isAuth(status) || isPassing(status);
  if (isUnknown || !isRegistry) return notRegistry(doing, what, answer);
  const missing = missingText(number, what);
  const hints = { ...generalAdvice, ...advice };
  const hint = hints[number ?? status] ?? hints[status];
  const error = apiError(doing, what, answer, {
    text: message || plainText(answer) || reasonOf(status),
    numbers: number === null || number === status ? `${status}` : `${status}, error code ${number}`,
    number,
    code: codeOf(status, number),
    hints: hint === undefined ? [] : [hint],
    passes: passingStatus.has(status) || passing.has(number),
    exitCode: conflicts.has(number) ? exitCodes.conflict : undefined,
  });
  return missing === undefined ? error : reworded(error, missing);
}

/** What does not exist, by the request. Registries have words of their own for it, which `-vv` shows. */
function missingText(number: number | null, what: string): string | undefined {
  const [, kind, encoded = '', version] =
    /^[A-Z]+ [^?]*?\/(subjects|config|mode|schemas\/ids)\/([^/?]+)(?:\/versions\/(\d+))?/.exec(what) ?? [];
  const name = decoded(encoded);
  if (name === '') return undefined;
  if (kind === 'schemas/ids') return number === 40403 ? `schema id ${name} does not exist` : undefined;
  if (number === 40401) return `subject "${name}" does not exist`;
  return number === 40402 && version !== undefined ? `subject "${name}" has no version ${version}` : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function reworded(error: ApiError, message: string): ApiError {
  const { exitCode, status, number, code, hints, target } = error;
  return new ApiError(exitCode, message, {
    status,
    number,
    code,
    hints,
    cause: error,
    ...(target !== undefined && { target }),
  });
}

function notRegistry(doing: string, what: string, answer: HttpAnswer): CliError {
  const isUnknown = unknownCalls.has(answer.status);
  return foreignAnswer(doing, what, answer, {
    verdict:
      isUnknown && !everyRegistryHas.test(what)
        ? 'so the request is not supported there'
        : 'not an answer of a schema registry',
    code: isUnknown ? notServedCode : undefined,
    hints: [
      everyRegistryHas.test(what) ? addressAdvice(what) : `${checkAddress}, with its path if it has one`,
      ...(isUnknown && /\/(mode|contexts)\b/.test(what) ? ['not every registry has modes and contexts'] : []),
    ],
  });
}

/** What a server that is a schema registry does not answer with "not found" alone. */
const everyRegistryHas = /\/(subjects|config|schemas\/ids\/\d+)(\?|$)/;

/** An address without a path may lack that of its registry. */
function addressAdvice(what: string): string {
  const [, host] = /^[A-Z]+ https?:\/\/([^/]+)\/(subjects|config|mode|schemas|contexts)\b/.exec(what) ?? [];
  if (host === undefined) return `${checkAddress}, with its path if it has one`;
  return `${checkAddress}; if it has a path, add it, for example -X registry.hosts=${host}/apis/ccompat/v7`;
}

function isAuth(status: number): boolean {
  return status === 401 || status === 403;
}

/** Only for authorization does the status say more than an unknown number. */
function codeOf(status: number, number: number | null): string {
  return names.get(number ?? status) ?? (isAuth(status) ? names.get(status) : undefined) ?? `HTTP_${status}`;
}

function numberOf({ error_code: number }: Fields): number | null {
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

function reasonOf(status: number): string {
  if (status === 401) return 'the registry requires valid credentials';
  return status === 403 ? 'the user is not authorized' : 'the registry gave no reason';
}

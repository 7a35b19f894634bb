import type { CliError } from '../../errors.ts';
import type { Hosts } from '../hosts.ts';
import type { HttpAnswer, HttpRequest } from '../http.ts';
import type { HttpError } from '../http-error.ts';
import type { ApiCall } from './call.ts';
import type { Credentials } from './credentials.ts';
import type { ApiError } from './error.ts';
import type { RedirectPolicy } from './redirects.ts';

/** What tells one API from others, by the step that uses it; `More` is what its calls may say besides. */
export interface Dialect<More> {
  /** What is said of changes without an answer. */
  readonly doubts: Doubts;
  /** What signs in; undefined: nothing. */
  readonly credentials: Credentials | undefined;
  /** Called when the effect of a change whose answer was lost was found. */
  made?(call: ApiCall<unknown> & More): void;
  /** The addresses that a call goes to. */
  hosts(call: ApiCall<unknown> & More): Hosts | Promise<Hosts>;
  /** The URL at an address that the path of a call is below (default: the address). */
  baseUrl?(call: ApiCall<unknown> & More, address: string): string;
  /** The media type of a call and its answer (default: `application/json`). */
  mediaType?(call: ApiCall<unknown> & More): string;
  /** Which redirects are followed (default: none). */
  readonly redirects?: RedirectPolicy;
  /** Called with the URL before a request is sent, also to where it is redirected. */
  sending?(call: ApiCall<unknown> & More, url: string): void;
  /**
   * Explains the failure of a request that got no answer.
   * @param hasAnswered whether any server of the API has answered before
   */
  unanswered?(error: HttpError, request: HttpRequest, hasAnswered: boolean): CliError | Promise<CliError>;
  /** The largest answer that is read, in bytes. */
  readonly maxBytes: number;
  /** Whether an answer with a success status has no body to read. */
  isEmpty(answer: HttpAnswer): boolean;
  /** Parses an answer (default: as the call says, or `parseJson`); undefined if it has another form. */
  parse?(call: ApiCall<unknown> & More, body: Buffer): unknown;
  /** Creates the error for an answer with an error status; `what` is the request. */
  refusal(call: ApiCall<unknown> & More, what: string, answer: HttpAnswer): CliError;
  /** Creates the error for an answer that no server of the API gives. */
  foreign(call: ApiCall<unknown> & More, what: string, answer: HttpAnswer): CliError;
  /**
   * How errors name the place of a value that does not fit, such as `results.0.p99` (default: as it is).
   * @param form what the whole answer should be
   */
  placeName?(place: string, form: string): string;
  /** What to do when a server does not behave like one of the API. */
  readonly addressHint: string;
}

/** What the dialect of an API says about changes without an answer. */
export interface Doubts {
  /** Whether the server may have made a change although it answers with this error. */
  mayBeMade(error: ApiError): boolean;
  /** The hint for a change of which nobody knows whether it was made. */
  hint(doing: string): string;
}

import type { BearerToken } from '../../net/bearer.ts';
import type { Fields } from '../../shape/object.ts';
import { readToken, refusal } from '../tokens/token-answers.ts';
import type { Wanted } from './chain.ts';
import { objectIn, type Requests } from './requests.ts';

/** A request to a token endpoint. */
export interface TokenRequest {
  readonly what: Wanted;
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  /** What the form has that is secret: the server may repeat it. */
  readonly secrets: readonly string[];
}

/** Requests a token as RFC 6749 has it. @throws CliError (exit 4) with the reason of the server, without secrets */
export async function askForToken(requests: Requests, { what, url, form, secrets }: TokenRequest): Promise<Fields> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const answer = await requests.service({ method: 'POST', url, headers, body: new URLSearchParams(form).toString() });
  const fields = objectIn(answer, what, url);
  if (answer.status === 200) return fields;
  throw refusal(answer, { doing: `get ${what.name}`, what: `POST ${url}`, hints: [what.compare], secrets });
}

/** Reads a granted token, whose lifetime some endpoints write as a text. @throws CliError (exit 4) if it has none */
export function tokenIn(fields: Fields, source: string, now: number): BearerToken & { readonly expiresAt: number } {
  const { text, expiresAt } = readToken({ ...fields, expires_in: Number(fields.expires_in) }, source, now);
  return { text, expiresAt };
}

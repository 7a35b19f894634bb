/** A secret that is sent to sign in, or what reads it for each sign-in, because it may have changed. */
export type Secret = string | (() => Promise<string>);

/** The text of a secret now. */
export function secretText(secret: Secret): Promise<string> | string {
  return typeof secret === 'string' ? secret : secret();
}

/** A shorter secret occurs in texts by chance, and is better known by its length than hidden by three stars. */
const shortestHidden = 4;

/**
 * A text of a server that knows secrets, with `***` in their place: as they are, and in the forms in which they are sent.
 * @param most characters to keep; the rest is cut after the secrets are hidden
 */
export function withoutSent(text: string, secrets: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const forms = new Set(secrets.filter(({ length }) => length >= shortestHidden).flatMap(formsOf));
  // One may be a part of another.
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  const hidden = longestFirst.reduce((rest, form) => rest.replaceAll(form, '***'), text);
  return hidden.length > most ? `${hidden.slice(0, most - 1)}…` : hidden;
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [
    secret,
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice('='.length),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** The secrets in a value of the header `Authorization`. */
export function secretsOfHeader(authorization: string | undefined): readonly string[] {
  const [, scheme = '', text = ''] = /^(\S+) +(.+)$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() !== 'basic') return [text];
  const pair = Buffer.from(text, 'base64').toString();
  return [pair, pair.slice(pair.indexOf(':') + 1)];
}

const part = /^\s*[A-Za-z0-9][\w.-]*=./;
const principalPart = /^(?:[A-Z][A-Za-z]*:)?[A-Za-z][\w.-]*=./;
/** Why a value is refused of which it cannot be told where a name ends. */
export const mixed = `it mixes a distinguished name with others: repeat the flag for each, or quote the name: '"CN=ana,OU=sales"', with a comma inside '"CN=ana,O=Acme\\, Inc."'`;

const quoted = /(^|,)\s*"(?:[^"]|"")*"\s*(?=,|$)/g;

/**
 * Whether the value of a flag that splits at commas is one distinguished name, as in `User:CN=ana,OU=sales`: brokers
 * compare all of it with the name in a certificate, so that a part of it would be nobody.
 * @param first how it begins (default: with the type of a principal or with a key)
 * @throws Error if the value mixes one with others
 */
export function isDistinguishedName(value: string, first: RegExp = principalPart): boolean {
  if (!value.includes(',')) return false;
  const pieces = value.replace(quoted, '$1').split(/(?<!\\),/);
  const [head = '', ...rest] = pieces;
  if (first.test(head) && rest.every((piece) => part.test(piece))) return true;
  if (!pieces.some((piece) => part.test(piece) || first.test(piece.trim()))) return false;
  throw new Error(mixed);
}

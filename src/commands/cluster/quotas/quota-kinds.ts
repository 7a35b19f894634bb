import { usageError } from '../../../errors.ts';
import type { QuotaEntityPart } from '../../../kafka/cluster/quotas/quota-rows.ts';
import { parseQuota } from '../../../kafka/cluster/quotas/quota-words.ts';
import { type Kind, oneOf } from '../../../kinds.ts';
import { isDistinguishedName, mixed } from '../../distinguished-name.ts';

const namedTypes = ['client-id', 'client-id-prefix', 'user', 'ip'] as const;

/** An entity with a name, for example `client-id=foo`. */
export const namedEntity: Kind<QuotaEntityPart> = {
  name: 'named entity',
  hint: 'TYPE=NAME',
  neverSecret: true,
  parse(value) {
    const at = value.indexOf('=');
    if (at < 0) throw new Error('not of the form TYPE=NAME');
    const type = value.slice(0, at);
    if (!namedTypes.some((name) => name === type)) {
      throw new Error(`the type is not one of ${namedTypes.join(', ')}`);
    }
    const name = value.slice(at + 1);
    if (name === '') throw new Error('the name is empty');
    return { type, name };
  },
  isWhole(value) {
    if (!/(?:^|,)user=[A-Za-z][\w.-]*=./.test(value)) return false;
    if (/,\s*(?:user|client-id|client-id-prefix|ip)=/.test(value)) throw new Error(mixed);
    return isDistinguishedName(value, /^user=/);
  },
  show: ({ type, name = '' }) => `${type}=${name}`,
};

/** The type of an entity whose default has quotas. */
export const entityType: Kind<'client-id' | 'user' | 'ip'> = oneOf('entity type', ['client-id', 'user', 'ip']);

/** A quota and its value, for example `request_percentage=50` or `producer_byte_rate=2MB`. */
export const quotaValue: Kind<{ readonly key: string; readonly value: number }> = {
  name: 'quota',
  hint: 'KEY=NUMBER',
  neverSecret: true,
  parse(text) {
    const at = text.indexOf('=');
    if (at < 1) throw new Error('not of the form KEY=NUMBER');
    const key = text.slice(0, at).trim();
    try {
      return { key, value: parseQuota(key, text.slice(at + 1)) };
    } catch (error) {
      throw new Error(`the value is ${error instanceof Error ? error.message : String(error)}`);
    }
  },
  show: ({ key, value }) => `${key}=${value}`,
};

/** Combines the parts of one entity. @throws CliError (exit 2) when a type is there twice */
export function combinedEntity(
  named: readonly QuotaEntityPart[],
  defaults: readonly string[],
): readonly QuotaEntityPart[] {
  const parts = [...named, ...defaults.map((type) => ({ type, name: undefined }))];
  checkOnce(
    parts.map(({ type }) => type),
    'entity type',
  );
  return parts;
}

/** @throws CliError (exit 2) when a word is there twice */
export function checkOnce(words: readonly string[], what: string): void {
  const twice = words.find((word, at) => words.indexOf(word) !== at);
  if (twice !== undefined) throw usageError(`the ${what} "${twice}" is given twice`);
}

import type { ConfigValue, Property } from '../../../admin/config/config-rows.ts';
import type { Context } from '../../../context.ts';
import { mayBeSecret } from '../../secret-configs.ts';
import type { PlannedChange } from './config-plan.ts';

/** A value that is to be set. */
interface NewValue {
  /** The key that was typed, and what the server calls it. */
  readonly names: readonly string[];
  readonly value: ConfigValue;
  /** Whether the server calls it secret. */
  readonly isSecret: boolean;
}

/** Keys whose values brokers do not show either. */
const hiddenName = /password|secret|jaas/i;

/** Keys whose values are words, addresses of nobody and names of classes. */
const harmlessName =
  /(?:^|[._])(?:policy|types?|mode|level|format|version|class(?:es)?|protocols?|mechanisms?|region|bucket|validation|preference)$/;

/** Whether the value of a key is secret. */
export function isSecretKey(key: string): boolean {
  return hiddenName.test(key);
}

/** The values that changes set. */
export function newValues(changes: readonly PlannedChange[]): readonly NewValue[] {
  return changes.flatMap(({ property, after: value }) =>
    value === undefined ? [] : [{ names: namesOf(property), value, isSecret: property.is_secret }],
  );
}

function namesOf({ name, aliases }: Property): readonly string[] {
  return [name, ...aliases];
}

/**
 * Ensures that values may be sent. Only the server says which ones are secret, and a file may have chosen the server, so each
 * is treated like a secret unless it is known to be none.
 * @throws CliError (exit 2) if a file that may be of someone else decides who gets one
 */
export async function maySend(context: Context, values: readonly NewValue[], to: 'kafka' | 'admin'): Promise<void> {
  for (const { names, value, isSecret } of values) {
    if (!isSecret && isHarmless(names, value)) continue;
    await (await context.secrets()).mayGive(`the value of ${names[0]}`, to, 'given');
  }
}

function isHarmless(names: readonly string[], value: ConfigValue): boolean {
  if (names.some(mayBeSecret)) return false;
  const isText = typeof value === 'object' ? value !== null : !/^(?:true|false|null|[-+]?[\d.]+)$/.test(String(value));
  return !isText || names.every((name) => harmlessName.test(name));
}

/** The texts that errors must not repeat. */
export function secretTexts(values: readonly NewValue[]): readonly string[] {
  return values
    .filter(({ names, isSecret }) => isSecret || names.some(isSecretKey))
    .flatMap(({ value }) => textsIn(value));
}

function textsIn(value: ConfigValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(textsIn);
}

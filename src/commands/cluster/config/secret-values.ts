import type { ConfigValue, Property } from '../../../admin/config-rows.ts';
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

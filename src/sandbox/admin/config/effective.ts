import { isDeepStrictEqual } from 'node:util';
import type { ConfigSnapshot, Node } from '../state.ts';
import { properties } from './properties.ts';

/** The value of a property in a snapshot: the one that is set, or its default. */
export function valueIn({ values }: ConfigSnapshot, name: string): unknown {
  return values.has(name) ? values.get(name) : properties[name]?.fallback;
}

/** Whether a property has its default: set to it or not, which Redpanda does not tell apart (26: src/v/config/property.h:155). */
export function isDefault(snapshot: ConfigSnapshot, name: string): boolean {
  return isDeepStrictEqual(valueIn(snapshot, name), properties[name]?.fallback);
}

/** The value of a property that a node has applied. */
export function effective(node: Pick<Node, 'applied'>, name: string): unknown {
  return valueIn(node.applied, name);
}

/** The name of a property for a name or an alias; undefined when there is none. */
export function canonicalName(name: string): string | undefined {
  if (Object.hasOwn(properties, name)) return name;
  return Object.keys(properties).find((one) => properties[one]?.aliases?.includes(name));
}

/** Whether a property is shown nowhere, and accepted without an effect. */
export function isHidden(name: string): boolean {
  return properties[name]?.visibility === 'deprecated';
}

const hidden = '[secret]';

/** A value as the API shows it: secrets that are set are hidden. */
export function maskSecret(name: string, value: unknown): unknown {
  return properties[name]?.isSecret && value !== null && value !== undefined ? hidden : value;
}

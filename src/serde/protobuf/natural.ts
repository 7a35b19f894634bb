import { type DescExtension, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { JsonValue } from '../json/json-value.ts';
import { type Container, containerAt, type Natural, noteDefaults, type Replace, replaceEach } from '../natural.ts';
import type { Files } from './files.ts';
import { longTypes } from './plans.ts';

/**
 * Returns what makes numbers of the integers of 64 bits in the JSON of a message type, and knows the values of fields
 * that are left out because they are zero or empty; compiled at the first call.
 */
export function naturalMessages(files: Files): (type: DescMessage) => Natural {
  const messages = new Map<DescMessage, Replace | undefined>();
  let texts: string | undefined;
  const leftOut = (): string => {
    texts ??= defaultTexts(files);
    return texts;
  };
  return (type) => ({ apply: (container, name) => replacing(type)?.(container, name), leftOut });

  function replacing(type: DescMessage): Replace | undefined {
    if (!messages.has(type))
      messages.set(type, files.isBuiltIn(type) ? replacingBuiltIn(type) : replacingMessage(type));
    return messages.get(type);
  }

  function replacingBuiltIn({ typeName }: DescMessage): Replace | undefined {
    if (typeName === 'google.protobuf.Int64Value' || typeName === 'google.protobuf.UInt64Value') return replaceInteger;
    return typeName === 'google.protobuf.Any' ? replaceAny : undefined;
  }

  /** The fields are compiled when there is a value: a message may contain itself. */
  function replacingMessage(type: DescMessage): Replace {
    let fields: readonly (readonly [string, Replace])[] | undefined;
    let defaults: ReadonlyMap<string, JsonValue> | undefined;
    return (container, name) => {
      fields ??= [...type.fields, ...files.extensionsOf(type)].flatMap((field) => {
        const replace = replacingField(field);
        return replace === undefined ? [] : [[field.jsonName, replace] as const];
      });
      defaults ??= defaultsOf(type);
      const message = containerAt(container, name);
      if (message === undefined) return;
      for (const [field, replace] of fields) replace(message, field);
      noteDefaults(message, defaults);
    };
  }

  function replacingField(field: DescField | DescExtension): Replace | undefined {
    const { message, scalar, fieldKind } = field;
    const isInteger = scalar !== undefined && longTypes.has(scalar);
    const one = message === undefined ? (isInteger ? replaceInteger : undefined) : replacing(message);
    return fieldKind === 'list' || fieldKind === 'map' ? one && replaceEach(one) : one;
  }

  /** A message with `@type` among its own members, or the JSON of a well-known type as `value`. */
  function replaceAny(container: Container, name: string | number): void {
    const any = containerAt(container, name);
    const url = any?.['@type'];
    if (any === undefined || typeof url !== 'string') return;
    const type = files.registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
    if (type === undefined) return;
    if (files.isBuiltIn(type)) replacing(type)?.(any, 'value');
    else replacing(type)?.(container, name);
  }
}

function defaultsOf({ fields }: DescMessage): ReadonlyMap<string, JsonValue> {
  return new Map(
    fields.flatMap((field) => {
      const value = defaultOf(field);
      return value === undefined ? [] : [[field.jsonName, value] as const];
    }),
  );
}

/** What a field is if it is left out; undefined if it is then missing. */
function defaultOf(field: DescField): JsonValue | undefined {
  if (field.fieldKind === 'list') return [];
  if (field.fieldKind === 'map') return {};
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  if (field.fieldKind === 'enum') return field.enum.values.find(({ number }) => number === 0)?.name;
  if (field.scalar === ScalarType.BOOL) return false;
  return field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES ? '' : 0;
}

/** The JSON of all texts that fields have if they are left out. */
function defaultTexts({ registry }: Files): string {
  const texts = [...registry].flatMap((one) => (one.kind === 'message' ? [...defaultsOf(one).values()] : []));
  return [...new Set(texts.filter((text) => typeof text === 'string'))].map((text) => JSON.stringify(text)).join('\n');
}

function replaceInteger(container: Container, name: string | number): void {
  const text = Object.hasOwn(container, name) ? container[name] : undefined;
  if (typeof text !== 'string') return;
  const number = Number(text);
  container[name] = Number.isSafeInteger(number) ? number : BigInt(text);
}

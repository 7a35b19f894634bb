import { ScalarType } from '@bufbuild/protobuf';
import type { Codec } from '../schema.ts';
import type { Files } from './files.ts';

/** The alphabet of base64. */
const base64 = /^[A-Za-z\d+/=]*$/;
/** What integers of 64 bits, times and durations consist of; JSON has them as texts. */
const written = /^[-+.:\dTZs]*$/;
/** The texts of numbers that JSON has no form for. */
const noNumbers = ['NaN', 'Infinity', '-Infinity'];

/** Strings are stored as they are; other texts in JSON are names, symbols, or written in another form. */
export function keeper({ registry }: Files): Codec['keeps'] {
  const words: string[] = ['@type', ...noNumbers];
  let [hasBytes, hasPaths] = [false, false];
  for (const one of registry) {
    words.push(one.typeName);
    // Not all at once: a call takes only so many arguments.
    if (one.kind === 'enum') for (const { name } of one.values) words.push(name);
    if (one.kind !== 'message' && one.kind !== 'extension') continue;
    // The paths of a mask are written in another case.
    hasPaths ||= one.typeName === 'google.protobuf.FieldMask';
    for (const field of one.kind === 'message' ? one.fields : [one]) {
      words.push(field.name, field.jsonName);
      hasBytes ||= field.scalar === ScalarType.BYTES;
    }
  }
  const all = words.join('\n');
  return (text) => !hasPaths && !all.includes(text) && !written.test(text) && !(hasBytes && base64.test(text));
}

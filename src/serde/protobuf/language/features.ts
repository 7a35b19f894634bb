import { create } from '@bufbuild/protobuf';
import {
  type FeatureSet,
  FeatureSet_EnumType,
  FeatureSet_FieldPresence,
  FeatureSet_JsonFormat,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FeatureSet_Utf8Validation,
  FeatureSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { Tokens } from './tokens.ts';

/** An option that may be a feature of editions. */
export interface FeatureOption {
  readonly name: string;
  readonly text: string;
  readonly words: ReadonlyMap<string, string>;
}

type Features = Omit<FeatureSet, '$typeName' | '$unknown'>;

const features: ReadonlyMap<string, readonly [keyof Features, Readonly<Record<string, string | number>>]> = new Map([
  ['field_presence', ['fieldPresence', FeatureSet_FieldPresence]],
  ['enum_type', ['enumType', FeatureSet_EnumType]],
  ['repeated_field_encoding', ['repeatedFieldEncoding', FeatureSet_RepeatedFieldEncoding]],
  ['utf8_validation', ['utf8Validation', FeatureSet_Utf8Validation]],
  ['message_encoding', ['messageEncoding', FeatureSet_MessageEncoding]],
  ['json_format', ['jsonFormat', FeatureSet_JsonFormat]],
]);

/** Sets a feature if the option is one; other options are of no interest. */
export function setFeature(
  tokens: Tokens,
  options: { features?: FeatureSet | undefined },
  option: FeatureOption,
): void {
  const { name, text, words } = option;
  if (name === 'features') for (const [key, value] of words) setOne(tokens, options, [key, value]);
  else if (name.startsWith('features.')) setOne(tokens, options, [name.slice('features.'.length), text]);
}

function setOne(
  tokens: Tokens,
  options: { features?: FeatureSet | undefined },
  [key, value]: readonly [string, string],
): void {
  const feature = features.get(key);
  if (feature === undefined) return; // of a language such as (pb.cpp), or of a later edition without effect on the data
  const [property, values] = feature;
  const number = Object.hasOwn(values, value) ? values[value] : undefined;
  if (typeof number !== 'number') throw tokens.failAs(`"${value}" is not a value of the feature ${key}`);
  options.features ??= create(FeatureSetSchema);
  (options.features as Record<keyof Features, number>)[property] = number;
}

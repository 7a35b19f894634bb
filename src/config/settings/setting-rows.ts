import {
  described,
  either,
  listOf,
  maybe,
  type RowOf,
  row,
  type Shape,
  string,
  truth,
  word,
} from '../../shape/shape.ts';
import { sources } from '../config.ts';
import type { OptionKey } from '../options.ts';

/** The value of an option in JSON: addresses as a list, booleans as booleans, everything else as text. */
export const optionJson: Shape<unknown> = either(string, truth, listOf(string));

const source = word(...sources);

const shownValue = { value: optionJson, source, origin: string };

/** One option as shown by `config show`. */
export const SettingRow = row({
  key: string as Shape<OptionKey>,
  ...shownValue,
  overrides: described(listOf(row(shownValue)), 'the values it overrides, highest source first'),
});
export type SettingRow = RowOf<typeof SettingRow>;

/** A value as shown by `config show`. */
export type ValueRow = SettingRow['overrides'][number];

/** One of the five sources of an option, as shown by `config explain`. */
export const Layer = row({ source, given: truth, value: maybe(optionJson), origin: maybe(string), in_use: truth });
export type Layer = RowOf<typeof Layer>;

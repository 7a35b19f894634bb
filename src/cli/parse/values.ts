import { type CliError, CliErrors, invalidError, missingError, usageError } from '../../errors.ts';
import { excerpt, mayHoldSecret } from '../../format/excerpt.ts';
import { withoutValue } from '../../format/without-value.ts';
import type { Kind } from '../../kinds.ts';
import type { Argument, Flag } from '../command.ts';
import type { FlagEntry, FlagUse } from './flag-set.ts';

type Values = Record<string, unknown>;

/** Parses flags and arguments by their kinds, and throws all usage errors together. */
export function readValues(
  entries: readonly FlagEntry[],
  uses: readonly FlagUse[],
  args: Readonly<Record<string, Argument<unknown>>>,
  operands: readonly string[],
): Readonly<Values> {
  const errors: CliError[] = [];
  const values = { ...readFlags(entries, uses, errors), ...readArguments(args, operands, errors) };
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new CliErrors(errors);
  return values;
}

/** Parses only the flags and adds failures to `errors`; an invalid value counts as not given. */
export function readFlags(entries: readonly FlagEntry[], uses: readonly FlagUse[], errors: CliError[] = []): Values {
  const values: Values = {};
  for (const entry of entries) {
    const texts = uses.filter((use) => use.entry === entry).map((use) => use.value);
    if (texts.length === 0 && entry.flag.required) errors.push(missingFlag(entry));
    values[entry.key] = texts.length === 0 ? entry.flag.fallback : flagValue(entry, texts, errors);
  }
  return values;
}

function missingFlag(entry: FlagEntry): CliError {
  return missingError(`--${entry.name}`);
}

function flagValue({ name, flag }: FlagEntry, texts: readonly string[], errors: CliError[]): unknown {
  const read = (text: string) => readOne(flag.kind, text, `--${name}`, errors);
  const itemsOf = (text: string) => {
    const whole = { ...flag.kind, parse: () => flag.kind.isWhole?.(text) ?? false };
    const isWhole = readOne(whole, text, `--${name}`, errors);
    if (isWhole === undefined) return [];
    return isWhole === true ? [text] : splitList(text);
  };
  if (flag.isSwitch && flag.repeats) return texts.filter((text) => text === 'true').length;
  if (flag.repeats) return (flag.splits ? texts.flatMap(itemsOf) : texts).map(read);
  const last = texts.at(-1) ?? '';
  const value = read(last);
  return value === undefined ? (flag as Flag<unknown>).fallback : value;
}

/** An item in quotes, as in CSV, or one up to the next comma. */
const listItem = /\s*"((?:[^"]|"")*)"\s*(?:,|$)|([^,]*)(?:,|$)/y;

/** Splits at commas, except within an item in quotes, as in CSV; an empty text gives an empty list. */
function splitList(text: string): readonly string[] {
  const items: string[] = [];
  for (listItem.lastIndex = 0; text !== '' && listItem.lastIndex <= text.length; ) {
    const [all = '', quoted, plain = ''] = listItem.exec(text) ?? [];
    items.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (!all.endsWith(',')) break;
  }
  return items;
}

function readArguments(
  args: Readonly<Record<string, Argument<unknown>>>,
  operands: readonly string[],
  errors: CliError[],
): Values {
  const values: Values = {};
  let at = 0;
  for (const [key, argument] of Object.entries(args)) {
    const takesRest = argument.arity === 'many' || argument.arity === 'any';
    const words = takesRest ? operands.slice(at) : operands.slice(at, at + 1);
    at += words.length;
    if (words.length === 0 && (argument.arity === 'one' || argument.arity === 'many')) {
      errors.push(missingError(argument.label));
    }
    const read = words.map((word) => readOne(argument.kind, word, argument.label, errors));
    values[key] = takesRest ? read : read[0];
  }
  const excess = operands[at];
  if (excess !== undefined) {
    const shown = withoutValue(excess);
    const isPair = /^[\w.-]+=/.test(excess);
    const hints = isPair ? ['repeat the command, or the flag before it, for each KEY=VALUE'] : [];
    errors.push(usageError(`unexpected argument "${shown}"`, { target: shown, hints }));
  }
  return values;
}

/** Parses the value of `target`, which is a flag with its dashes or the label of an argument. */
function readOne(kind: Kind<unknown>, text: string, target: string, errors: CliError[]): unknown {
  try {
    return kind.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const value = shown(kind, text);
    const what = target.startsWith('--') ? `value${value} of ${target}` : target + value;
    const hints = target.startsWith('--') ? exampleOf(kind, target, reason) : [];
    errors.push(invalidError(`invalid ${what}: ${reason}`, { target, hints }));
    return undefined;
  }
}

/** How a value of a flag is written, where the reason does not say it. */
function exampleOf({ hint }: Kind<unknown>, flag: string, reason: string): readonly string[] {
  if (reason === 'not a whole number') return [`for example ${flag} 10`];
  return reason.startsWith('not of the form') ? [`write ${flag} ${hint}`] : [];
}

/** The value as part of an error, without what may be a secret. */
function shown(kind: Kind<unknown>, text: string): string {
  if (kind.mayHoldSecret === 'after the key') {
    const [key = ''] = /^[^=:\s]*/.exec(text) ?? [];
    return key === '' ? '' : ` "${excerpt(key)}${key === text ? '' : '…'}"`;
  }
  const isHidden = kind.mayHoldSecret || (!kind.neverSecret && mayHoldSecret(text));
  return isHidden ? '' : ` "${excerpt(text)}"`;
}

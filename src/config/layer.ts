import { CliError, CliErrors, exitCodes } from '../errors.ts';
import { excerpt, mayHoldSecret } from '../format/excerpt.ts';
import { PartError } from '../net/address.ts';
import type { Source } from './config.ts';
import { type Option, type OptionKey, optionKeys, optionOf } from './options.ts';

/** A value from one source, and its exact place there. */
export interface Entry {
  readonly value: unknown;
  /** For example `-X brokers`, `WEIR_BROKERS`, `weir.yaml:12 (profile prod)`. */
  readonly origin: string;
}

/** All values from one source. */
export interface Layer {
  readonly source: Source;
  readonly entries: ReadonlyMap<OptionKey, Entry>;
}

/** The result of reading one source: its values and errors. */
export interface Reading extends Layer {
  readonly errors: readonly CliError[];
}

/** A reading that is being built. */
export interface Draft extends Reading {
  readonly entries: Map<OptionKey, Entry>;
  readonly errors: CliError[];
}

/** Creates an empty draft. */
export function newDraft(source: Source): Draft {
  return { source, entries: new Map(), errors: [] };
}

/** Creates a configuration error (exit 2). `message` names the key and the source, and never contains a secret. */
export function configError(
  message: string,
  details: { target?: string; hints?: readonly string[]; cause?: unknown } = {},
): CliError {
  return new CliError(exitCodes.usage, message, { code: 'CONFIG_INVALID', ...details });
}

const maxReportedErrors = 50;

/** Joins errors into one that reports them together; a single error is returned as is. */
export function joinErrors(errors: readonly CliError[]): CliError {
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) return first;
  const more = errors.length - maxReportedErrors;
  if (more <= 0) return new CliErrors(errors);
  return new CliErrors([...errors.slice(0, maxReportedErrors), configError(`and ${more} more errors`)]);
}

/** Runs `work`. A CliError is added to `errors`, and undefined is returned. */
export async function collectErrors<T>(errors: CliError[], work: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    errors.push(...(error instanceof CliErrors ? error.errors : [error]));
    return undefined;
  }
}

/** Parses one value into the draft; an error names the key and the origin. */
export function putText(draft: Draft, key: OptionKey, text: string, origin: string): void {
  put(draft, [key, origin], text, ({ kind }) => kind.parse(text));
}

/** Parses a list, given item by item, into the draft. */
export function putItems(draft: Draft, key: OptionKey, items: readonly string[], origin: string): void {
  put(draft, [key, origin], undefined, ({ kind }) => {
    if (kind.parseItems === undefined) throw new Error('expected one value, but found a list');
    return kind.parseItems(items);
  });
}

type Target = readonly [key: OptionKey, origin: string];

function put(draft: Draft, [key, origin]: Target, text: string | undefined, read: (option: Option) => unknown): void {
  const option = optionOf(key);
  try {
    draft.entries.set(key, { value: read(option), origin });
  } catch (error) {
    draft.errors.push(invalidValue(key, error, origin, text));
  }
}

/**
 * Creates the error for an invalid value: `invalid port "99999" in -X brokers: …`. It shows the text, or the wrong part
 * of it, unless the option is secret or the text looks as if it contained a secret.
 */
export function invalidValue(key: OptionKey, reason: unknown, origin: string, text?: string): CliError {
  const { kind, example, secret } = optionOf(key);
  const isPart = reason instanceof PartError;
  const part = isPart ? reason : { part: kind.name, text };
  const isHidden = secret || (!isPart && kind.mayHoldSecret !== undefined);
  const isShown = part.text !== undefined && !isHidden && !mayHoldSecret(text ?? part.text);
  const subject = isShown ? `${part.part} "${excerpt(part.text)}"` : kind.name;
  const place = origin.endsWith(key) ? `in ${origin}` : `for ${key} in ${origin}`;
  return configError(`invalid ${subject} ${place}: ${reason instanceof Error ? reason.message : String(reason)}`, {
    target: key,
    hints: [`write it like this: ${key}=${(isShown && meantChoice(kind, part.text ?? '')) || example}`],
  });
}

/** The choice that a text is the beginning of; undefined if there is none. */
function meantChoice({ choices = [] }: Option['kind'], text: string): string | undefined {
  return text === '' ? undefined : choices.find((choice) => choice.toLowerCase().startsWith(text.toLowerCase()));
}

/** Creates the error for an unknown option, with the key that was probably meant; it never repeats the value. */
export async function unknownOption(key: string, origin: string): Promise<CliError> {
  const [{ nearest }, { settingKeyOf }, { foreignKeys }] = await Promise.all([
    import('./nearest.ts'),
    import('./rpk-paths.ts'),
    import('./foreign-keys.ts'),
  ]);
  const trimmed = key.trim();
  if (trimmed !== key && settingKeyOf(trimmed) !== undefined)
    return configError(`unknown option "${excerpt(key)}" in ${origin}: the key has a space`, {
      target: trimmed,
      hints: [`write it without the space: ${trimmed}=VALUE`],
    });
  const meant = settingKeyOf(key)?.key ?? foreignKeys.get(key.toLowerCase()) ?? (await nearest(key, optionKeys));
  // The text after the first word may be a secret value.
  const name = excerpt(/^\s*[^\s:,=]*/.exec(key)?.[0] ?? '');
  return configError(`unknown option "${name}" in ${origin}`, {
    target: name,
    hints: [meant === undefined ? 'see all options with: weir -X list' : `did you mean ${meant}?`],
  });
}

import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';

/** Longer texts have no format: it bounds the time for the few formats with a regular expression of their own. */
const mostLength = 4096;

/** The formats of the drafts, checked in linear time where RE2 can express them. */
export function boundedFormats(): Readonly<Record<string, Format>> {
  return Object.fromEntries(Object.entries(fullFormats).map(([name, format]) => [name, bounded(format as Format)]));
}

function bounded(format: Format): Format {
  if (format instanceof RegExp) return { type: 'string', validate: ofPattern(format) };
  if (typeof format === 'function') return (text: string) => text.length <= mostLength && format(text);
  if (typeof format !== 'object' || format.type === 'number') return format;
  const { validate } = format;
  const check =
    validate instanceof RegExp
      ? ofPattern(validate)
      : (text: string) => text.length <= mostLength && Boolean((validate as (text: string) => unknown)(text));
  return { type: 'string', validate: check };
}

/** Compiles the pattern when it is first needed. */
function ofPattern(pattern: RegExp): (text: string) => boolean {
  let matches: ((text: string) => boolean) | undefined;
  return (text) => {
    matches ??= matcher(pattern);
    return text.length <= mostLength && matches(text);
  };
}

function matcher(pattern: RegExp): (text: string) => boolean {
  try {
    const flags = pattern.flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0;
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern.source), flags);
    return (text) => compiled.matcher(text).find();
  } catch {
    return (text) => pattern.test(text); // it has lookahead: the length bounds its time
  }
}

/*
 * Makes text from outside (servers, files, arguments) safe for a terminal. Control characters could control the
 * terminal; bidirectional overrides and line separators could make one name look like another. They are shown as JSON
 * escapes, which are easy to compare with the output of `--format json`.
 */

// C0, DEL and C1 controls; line and paragraph separators; all format characters (the category Cf: marks and overrides of
// bidirectional text, soft hyphens, tags, characters without a width), except the joiners that emoji and some languages
// need. As ranges, because building \p{Cf} would slow down every start.
const controls = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029`;
const formats = String.raw`\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb`;
const farFormats = String.raw`\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}`;
/** Everything but line breaks and tabs. */
const inText = controls + formats + farFormats;
const class_ = String.raw`\t\n${inText}`;
const unsafe = new RegExp(`[${class_}]`, 'u');
const unsafeOnes = new RegExp(`[${class_}]`, 'gu');
const unsafeInMessage = new RegExp(`(?!\\n  )[${class_}]`, 'gu');
const unsafeText = new RegExp(`[${inText}]`, 'u');
const unsafeInText = new RegExp(`[${inText}]`, 'gu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: every color sequence starts with it
const colorSequence = /\u001b\[[\d;]*m/;
const unsafeInColored = new RegExp(`(?!${colorSequence.source})[${inText}]`, 'gu');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  return short[character] ?? character.split('').map(escapeUnit).join('');
}

/** The JSON escape of a UTF-16 unit, such as `\\u001b`. */
export function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Makes a text a single safe line: control characters and bidirectional overrides become `\n`, `\u001b`, `\u202e`. */
export function printable(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeOnes, escapeOf) : text;
}

/** Like `printable`, for messages: keeps a line break if the next line is indented by two spaces (quoted formats). */
export function printableMessage(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeInMessage, escapeOf) : text;
}

/**
 * Like `printable`, for rendered text of many lines: keeps line breaks and tabs, and with `colored` also color
 * sequences. In JSON output the escapes decode to the original characters, so nothing is lost.
 */
export function printableText(text: string, colored = false): string {
  return unsafeText.test(text) ? text.replace(colored ? unsafeInColored : unsafeInText, escapeOf) : text;
}

/** Like `printableText`, with an escape of one's own for each unsafe character. */
export function escapeUnsafe(text: string, escaped: (character: string) => string): string {
  return text.replace(unsafeInText, escaped);
}

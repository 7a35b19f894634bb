/*
 * Makes text from outside (servers, files, arguments) safe for a terminal. Control characters could control the
 * terminal; bidirectional overrides and line separators could make one name look like another. They are shown as JSON
 * escapes, which are easy to compare with the output of `--format json`.
 */

// C0, DEL and C1 controls; marks, embeddings, overrides and isolates of bidirectional text; line and paragraph
// separators; the byte order mark; interlinear annotations; characters without a width, except the joiners that emoji
// and some languages need.
const class_ = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb`;
const unsafe = new RegExp(`[${class_}]`);
const unsafeOnes = new RegExp(`[${class_}]`, 'g');
const unsafeInMessage = new RegExp(`(?!\\n  )[${class_}]`, 'g');
const unsafeInText = new RegExp(`(?![\\n\\t])[${class_}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: every color sequence starts with it
const colorSequence = /\u001b\[[\d;]*m/;
const unsafeInColored = new RegExp(`(?![\\n\\t])(?!${colorSequence.source})[${class_}]`, 'g');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
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
  return unsafe.test(text) ? text.replace(colored ? unsafeInColored : unsafeInText, escapeOf) : text;
}

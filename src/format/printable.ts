/*
 * Text from elsewhere (servers, files, arguments) made fit for a terminal. Control characters could drive the
 * terminal; bidirectional overrides and line separators could make a name look like another one. They are shown as
 * the escapes of JSON, so that a text and its escape are easy to compare with `--format json`.
 */

// C0, DEL and C1 controls; marks, embeddings, overrides and isolates of bidirectional text; line and paragraph
// separators; the byte order mark; interlinear annotations.
const class_ = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb`;
const unsafe = new RegExp(`[${class_}]`);
const unsafeOnes = new RegExp(`[${class_}]`, 'g');
const unsafeInMessage = new RegExp(`(?!\\n  )[${class_}]`, 'g');
const unsafeInText = new RegExp(`(?![\\n\\t])[${class_}]`, 'g');
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the beginning of every colour
const colour = /\u001b\[[\d;]*m/;
const unsafeInColour = new RegExp(`(?![\\n\\t])(?!${colour.source})[${class_}]`, 'g');

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeOf(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of text with control characters and bidirectional overrides shown as escapes such as `\n`, `\u001b`, `\u202e`. */
export function printable(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeOnes, escapeOf) : text;
}

/** As `printable`, for messages: line ends stay where the next line is indented by two spaces, as in quoted formats. */
export function printableMessage(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeInMessage, escapeOf) : text;
}

/**
 * As `printable`, for finished text of many lines: line ends and tabs stay, and colours where `colored` says that
 * there may be any. In JSON the escapes mean what they replace, so nothing is lost there.
 */
export function printableText(text: string, colored = false): string {
  return unsafe.test(text) ? text.replace(colored ? unsafeInColour : unsafeInText, escapeOf) : text;
}

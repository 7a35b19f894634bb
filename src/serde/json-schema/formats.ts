import { isIPv4, isIPv6 } from 'node:net';
import type { Draft } from './drafts.ts';
import { splitFragment, splitUri } from './uri.ts';

/** Checks whether text has a format, in linear time. */
export type IsOfFormat = (text: string) => boolean;

/** Longer text has no format. */
const mostLength = 4096;

/**
 * Returns the check for a format; undefined for a name that the draft does not have, and from 2019-09 on, where formats
 * are notes for people.
 */
export function formatNamed(name: string, draft: Draft): IsOfFormat | undefined {
  const [since, isOfFormat] = Object.hasOwn(formats, name) ? (formats[name] ?? []) : [];
  if (since === undefined || isOfFormat === undefined || draft < since || draft > 7) return undefined;
  return (text) => text.length <= mostLength && isOfFormat(text);
}

const ipv6: IsOfFormat = (text) => isIPv6(text) && !text.includes('%');

/**
 * The formats that are checked, each with the first draft that has it. Those for names and addresses in any language
 * (`idn-hostname`, `idn-email`) are not: their rules are tables of Unicode.
 */
const formats: Readonly<Record<string, readonly [since: Draft, isOfFormat: IsOfFormat]>> = {
  'date-time': [4, isDateTime],
  email: [4, isEmail],
  hostname: [4, hostname],
  ipv4: [4, isIPv4],
  ipv6: [4, ipv6],
  uri: [4, (text) => isUri(text, uriLetters)],
  'uri-reference': [6, (text) => isReference(text, uriLetters)],
  'uri-template': [6, isTemplate],
  'json-pointer': [6, isPointer],
  date: [7, isDate],
  time: [7, isTime],
  iri: [7, (text) => isUri(text, iriLetters)],
  'iri-reference': [7, (text) => isReference(text, iriLetters)],
  'relative-json-pointer': [7, isRelativePointer],
  regex: [7, isRegex],
};

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || Number(day) < 1 || Number(day) > (monthDays[Number(month) - 1] ?? 0)) return false;
  const isLeapYear = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  return isLeapYear || month !== '02' || day !== '29';
}

/** The time of RFC 3339: with its distance from UTC, and the second 60 only for 23:59 UTC. */
function isTime(text: string): boolean {
  const [, hour, minute, second, sign, hours = '0', minutes = '0'] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return false;
  if (Number(hours) > 23 || Number(minutes) > 59) return false;
  if (second !== '60') return true;
  const distance = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const dayMinutes = 24 * 60;
  return (Number(hour) * 60 + Number(minute) - distance + dayMinutes) % dayMinutes === dayMinutes - 1;
}

function isDateTime(text: string): boolean {
  return /^[tT]$/.test(text[10] ?? '') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function hostname(text: string): boolean {
  if (text === '' || text.length > 253) return false;
  return text.split('.').every((label) => label.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !isLocalPart(local)) return false;
  const [, literal] = /^\[(.*)\]$/.exec(domain) ?? [];
  if (literal === undefined) return hostname(domain);
  return isIPv4(literal) || (/^ipv6:/i.test(literal) && ipv6(literal.slice(5)));
}

function isLocalPart(text: string): boolean {
  if (/^".*"$/s.test(text)) return /^(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*$/u.test(text.slice(1, -1));
  return text.split('.').every((word) => /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/.test(word));
}

const uriLetters = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;
const iriLetters =
  /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{effff}]|%[0-9A-Fa-f]{2})*$/u;

function isUri(text: string, letters: RegExp): boolean {
  return splitUri(text).scheme !== undefined && isReference(text, letters);
}

function isReference(text: string, letters: RegExp): boolean {
  const [uri, fragment = ''] = splitFragment(text);
  const { scheme, authority = '', path, query = '' } = splitUri(uri);
  if (scheme === undefined && /^[^/]*:/.test(path)) return false;
  return isAuthority(authority, letters) && [path, query, fragment].every((one) => letters.test(one));
}

function isAuthority(text: string, letters: RegExp): boolean {
  const [, user = '', host = ''] = /^(?:(.*)@)?(.*?)(?::\d*)?$/s.exec(text) ?? [];
  if (!letters.test(user) || user.includes('@')) return false;
  const [, literal] = /^\[(.*)\]$/s.exec(host) ?? [];
  if (literal !== undefined) return ipv6(literal) || /^v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+$/i.test(literal);
  return letters.test(host) && !/[:@/?]/.test(host);
}

/** The templates of RFC 6570. */
function isTemplate(text: string): boolean {
  const literals = text.replaceAll(/\{[+#./;?&=,!@|]?[^{}]*\}/g, (expression) => (isExpression(expression) ? '' : '{'));
  return !/[\s\p{Cc}"<>\\^`{|}]/u.test(literals) && !/%(?![0-9A-Fa-f]{2})/.test(literals);
}

function isExpression(text: string): boolean {
  const names = text.slice(/^\{[+#./;?&=,!@|]/.test(text) ? 2 : 1, -1).split(',');
  return names.every((name) =>
    /^(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9]\d{0,3})?$/.test(name),
  );
}

function isPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !/~(?![01])/.test(text));
}

function isRelativePointer(text: string): boolean {
  const [, rest] = /^(?:0|[1-9]\d*)(#|(?:\/.*)?)$/s.exec(text) ?? [];
  return rest !== undefined && (rest === '#' || isPointer(rest));
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

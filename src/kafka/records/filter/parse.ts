import { ExpressionError } from './expression-error.ts';
import { isRecordName } from './record-names.ts';
import type { BinaryOperator, Expression } from './syntax.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Limits far above what people write; they keep the time and the stack bounded that an expression from others takes. */
const mostCharacters = 20_000;
const deepest = 100;
/** A chain of operators becomes as deep a tree. */
const mostOperators = 1_000;

/** Binary operators by how strongly they bind, the weakest first. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

interface Parser {
  readonly tokens: readonly Token[];
  index: number;
  depth: number;
  operators: number;
}

/**
 * Parses an expression of the Common Expression Language (CEL), without maps, messages and bytes.
 * @throws ExpressionError if it is not valid, too long or nested too deep
 */
export function parseExpression(text: string): Expression {
  if (text.length > mostCharacters) throw new ExpressionError(0, `it is longer than ${mostCharacters} characters`);
  const parser: Parser = { tokens: tokensOf(text), index: 0, depth: 0, operators: 0 };
  if (now(parser).kind === 'end') throw new ExpressionError(0, 'it is empty');
  const expression = readChoice(parser);
  if (now(parser).kind !== 'end') throw unexpected(parser);
  return expression;
}

function now({ tokens, index }: Parser): Token {
  return tokens[index] as Token;
}

function take(parser: Parser): Token {
  const token = now(parser);
  if (token.kind !== 'end') parser.index += 1;
  return token;
}

function isSign(parser: Parser, sign: string): boolean {
  const token = now(parser);
  return token.kind === 'sign' && token.value === sign;
}

function expectSign(parser: Parser, sign: string): void {
  if (!isSign(parser, sign)) throw unexpected(parser, `expected "${sign}"`);
  take(parser);
}

/** How operators of other languages are written here. */
const spelled: Readonly<Record<string, string>> = { and: '&&', or: '||', not: '!', is: '==', like: '.contains("…")' };

/** What other languages write between two values. */
const between: Readonly<Record<string, string>> = {
  between: '>= and <= with && between them',
  ilike: '.lowerAscii().contains("…")',
  contains: '.contains("…")',
  matches: '.matches("…")',
};

function hereFor({ tokens, index }: Parser, { kind, value }: Token): string | undefined {
  if (kind !== 'word') return undefined;
  const next = tokens[index + 1];
  const word = value.toLowerCase();
  if (word === 'is' && next?.kind === 'word' && next.value.toLowerCase() === 'not') return '!=';
  return spelled[word] ?? between[word];
}

function unexpected(parser: Parser, expected = ''): ExpressionError {
  const token = now(parser);
  const problem = token.kind === 'end' ? 'the expression ends here' : `unexpected ${shown(token)}`;
  const here = hereFor(parser, token);
  const reason = expected === '' || here !== undefined ? problem : `${problem}, ${expected}`;
  return new ExpressionError(token.at, reason, here === undefined ? [] : [`use ${here}`]);
}

function shown({ kind, value }: Token): string {
  return kind === 'text' ? 'text' : `"${value}"`;
}

/** Runs `read` one level deeper. */
function deeper<T>(parser: Parser, read: (parser: Parser) => T): T {
  if (++parser.depth > deepest) throw new ExpressionError(now(parser).at, `it is nested deeper than ${deepest} levels`);
  const result = read(parser);
  parser.depth -= 1;
  return result;
}

function readChoice(parser: Parser): Expression {
  return deeper(parser, () => {
    const test = readBinary(parser, 0);
    if (!isSign(parser, '?')) return test;
    take(parser);
    const yes = readBinary(parser, 0);
    expectSign(parser, ':');
    return { kind: 'choice', at: test.at, test, yes, no: readChoice(parser) };
  });
}

function readBinary(parser: Parser, level: number): Expression {
  const operators = levels[level];
  if (operators === undefined) return readUnary(parser);
  let left = readBinary(parser, level + 1);
  for (let operator = operatorAt(parser, operators); operator !== undefined; operator = operatorAt(parser, operators)) {
    const { at } = takeOperator(parser);
    left = { kind: 'binary', at, operator, left, right: readBinary(parser, level + 1) };
  }
  return left;
}

function takeOperator(parser: Parser): Token {
  const token = take(parser);
  if (++parser.operators > mostOperators) {
    throw new ExpressionError(token.at, `it has more than ${mostOperators} operators`);
  }
  return token;
}

function operatorAt(parser: Parser, operators: readonly BinaryOperator[]): BinaryOperator | undefined {
  const { kind, value } = now(parser);
  if (kind !== 'sign' && !(kind === 'word' && value === 'in')) return undefined;
  return operators.find((operator) => operator === value);
}

function readUnary(parser: Parser): Expression {
  const { at, value } = now(parser);
  if (!isSign(parser, '!') && !isSign(parser, '-')) return readMember(parser);
  takeOperator(parser);
  const operator = value === '!' ? '!' : '-';
  return deeper(parser, () => {
    const of = readUnary(parser);
    const isNumber = of.kind === 'constant' && typeof of.value !== 'string' && typeof of.value !== 'boolean';
    if (operator === '-' && isNumber) return negated(of, at);
    return { kind: 'unary', at, operator, of };
  });
}

function negated(constant: Extract<Expression, { kind: 'constant' }>, at: number): Expression {
  const { value } = constant;
  const negative = typeof value === 'number' ? -value : typeof value === 'bigint' ? -value : value;
  return { ...constant, at, value: Object.is(negative, -0) && !constant.isDouble ? 0 : negative };
}

function readMember(parser: Parser): Expression {
  let of = readPrimary(parser);
  for (;;) {
    if (isSign(parser, '.')) {
      takeOperator(parser);
      of = readField(parser, of);
    } else if (isSign(parser, '[')) {
      const { at } = takeOperator(parser);
      const index = readChoice(parser);
      expectSign(parser, ']');
      of = { kind: 'index', at, of, index };
    } else return of;
  }
}

function readField(parser: Parser, of: Expression): Expression {
  const token = now(parser);
  if (token.kind !== 'word') throw unexpected(parser, 'expected the name of a field');
  take(parser);
  const { at, value: name } = token;
  if (!isSign(parser, '(')) return { kind: 'field', at, of, name };
  return { kind: 'call', at, name, of, args: readItems(parser, '(', ')') };
}

function readItems(parser: Parser, open: string, close: string): readonly Expression[] {
  expectSign(parser, open);
  const items: Expression[] = [];
  while (!isSign(parser, close)) {
    items.push(readChoice(parser));
    if (!isSign(parser, ',')) break;
    take(parser);
  }
  if (!isSign(parser, close)) throw unexpected(parser, `expected "," or "${close}"`);
  take(parser);
  return items;
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function readPrimary(parser: Parser): Expression {
  const token = now(parser);
  const { at } = token;
  switch (token.kind) {
    case 'integer':
    case 'double':
    case 'text':
      take(parser);
      return { kind: 'constant', at, value: token.value, isDouble: token.kind === 'double' };
    case 'word':
      return readWord(parser, token);
    case 'sign':
      if (token.value === '[') return { kind: 'list', at, items: readItems(parser, '[', ']') };
      if (token.value === '(') return readParenthesized(parser);
      if (token.value === '.') throw leadingPeriod(parser);
      throw unexpected(parser, 'expected a value');
    default:
      throw unexpected(parser, 'expected a value');
  }
}

function readParenthesized(parser: Parser): Expression {
  take(parser);
  const inner = readChoice(parser);
  if (isSign(parser, ',')) {
    throw new ExpressionError(now(parser).at, 'unexpected ","', ['write a list in brackets: ["a", "b"]']);
  }
  expectSign(parser, ')');
  return inner;
}

/** In jq, a period is what is looked at. */
function leadingPeriod({ tokens, index }: Parser): ExpressionError {
  const [period, name] = [tokens[index] as Token, tokens[index + 1]];
  const field = name?.kind === 'word' ? name.value : 'NAME';
  const hint =
    isRecordName(field) || field === 'record' ? 'leave out the first period' : `a field of the value is value.${field}`;
  return new ExpressionError(period.at, 'unexpected "."', [hint]);
}

function readWord(parser: Parser, { at, value: name }: Extract<Token, { kind: 'word' }>): Expression {
  const constant = words.get(name);
  if (name === 'in' || spelled[name.toLowerCase()] !== undefined) throw unexpected(parser, 'expected a value');
  take(parser);
  if (constant !== undefined) return { kind: 'constant', at, value: constant, isDouble: false };
  if (!isSign(parser, '(')) return { kind: 'name', at, name };
  return { kind: 'call', at, name, of: undefined, args: readItems(parser, '(', ')') };
}
